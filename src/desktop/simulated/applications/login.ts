import type { OwnDescription, SimulatedApplication } from "../application.ts";
import type { Behaviour } from "../describe.ts";

/** Who may log in. */
export const LOGIN = { user: "ada", password: "engine№1" } as const;

/** A login form: the password can be set and never be read, the button waits for both fields, errors are a label. */
export const login: OwnDescription = {
  id: "sim.login",
  name: "Login",
  windows: [{
    key: "main",
    title: "Log in",
    width: 420,
    height: 260,
    children: [
      {
        kind: "panel",
        key: "form",
        children: [
          { kind: "entry", key: "user", id: "user", name: "User" },
          { kind: "password", key: "password", id: "password", name: "Password" },
          { kind: "check", key: "remember", name: "Remember me" },
          { kind: "button", key: "log-in", name: "Log in", isDefault: true, sensitive: false },
        ],
      },
      { kind: "label", key: "error", name: "" },
      {
        kind: "panel",
        key: "welcome",
        visible: false,
        children: [
          { kind: "heading", key: "greeting", name: "" },
          { kind: "button", key: "log-out", name: "Log out" },
        ],
      },
    ],
  }],
  behave,
};

function behave(app: SimulatedApplication): Behaviour {
  let user: string | undefined;
  let attempts = 0;

  function turn(to: string | undefined) {
    user = to;
    app.setVisible("form", to === undefined);
    app.setVisible("welcome", to !== undefined);
    app.setText("password", "");
    app.focus(to === undefined ? "user" : "log-out");
  }
  return {
    press(key) {
      if (key === "log-in") {
        attempts++;
        const right = app.text("user") === LOGIN.user && app.text("password") === LOGIN.password;
        app.setName("error", right ? "" : "The user or the password is wrong.");
        if (right) {
          app.setName("greeting", `Welcome, ${LOGIN.user}`);
          turn(LOGIN.user);
        } else app.setText("password", "");
      } else if (key === "log-out") turn(undefined);
    },
    change(key) {
      if (key !== "user" && key !== "password") return;
      app.setSensitive("log-in", app.text("user") !== "" && app.text("password") !== "");
    },
    world: () => ({ user: user ?? null, attempts }),
  };
}
