import assert from "node:assert/strict";
import { Driver, has } from "../_driver.ts";
import { simulate } from "../simulate.ts";
import { LOGIN } from "./login.ts";

Deno.test("the login button waits for both fields, and a wrong password is an error label", async () => {
  const h = new Driver(simulate({ applications: ["sim.login"] }));
  assert.ok(!has(await h.read("pushButton", "Log in"), "sensitive"));
  await h.act("entry", "User", { do: "setText", text: "ada" });
  assert.ok(!has(await h.read("pushButton", "Log in"), "sensitive"));
  await h.act("passwordText", "Password", { do: "setText", text: "wrong" });
  await h.press("Log in");
  assert.ok(await h.look("label", "The user or the password is wrong."));
  assert.ok(!has(await h.read("pushButton", "Log in"), "sensitive"), "the password is cleared");
});

Deno.test("who types the right password gets in, and nothing on the way tells it", async () => {
  const desktop = simulate({ applications: ["sim.login"] });
  const driver = new Driver(desktop);
  const watch = desktop.watch();
  await desktop.typeText(LOGIN.user);
  await desktop.typeText("\t");
  await desktop.typeText(LOGIN.password);
  await desktop.pressKeys(["ctrl", "a"]);
  await desktop.pressKeys(["ctrl", "c"]);
  assert.equal(await desktop.readClipboard(), undefined);
  const password = await driver.read("passwordText", "Password");
  assert.equal(password.text, undefined);
  assert.equal(password.caret, -1);
  const tree = await driver.tree();
  const row = tree.rowOf(await driver.find("passwordText", "Password"));
  assert.equal(tree.text(row), undefined);
  const reported = JSON.stringify(watch.take());
  assert.ok(reported.includes("text-changed") && !/[•№]/.test(reported), reported);
  await desktop.pressKeys(["Return"]);
  assert.ok(await driver.look("heading", "Welcome, ada"));
  assert.ok(!has(await driver.read("entry", "User"), "showing"));
  assert.ok(has(await driver.read("pushButton", "Log out"), "focused"));
});
