import assert from "node:assert/strict";
import { z } from "zod";
import { catalogue } from "../src/catalogue.ts";
import { Gate, OPEN_PORTS } from "../src/contract/gate.ts";
import { openNative } from "../src/session/open-native.ts";
import { type Place, withPlace } from "./cli/program.ts";
import { oneJson } from "./cli/shapes.ts";

/** GTK 4 gives its check boxes no action: only the pointer toggles them. */
const APP = "gtk4-widget-factory";
const BOX = "checkbox:visible:enabled:nth(1)";
const FIELD = "textfield:visible:enabled:nth(1)";

const Answer = z.looseObject({ method: z.string() });
const Failure = z.object({
  error: z.looseObject({ code: z.string(), message: z.string(), hint: z.string().optional() }),
});
const Run = z.looseObject({
  status: z.string(),
  rollback: z.looseObject({ verdict: z.string() }),
  error: z.looseObject({ code: z.string(), hint: z.string() }).optional(),
  desktop: z.object({ kind: z.string(), label: z.string() }),
});

/** A private desktop with the application, and the command line attached to it as to a user's own. */
async function withUsersDesktop(
  deed: (
    run: (...args: string[]) => Promise<{ code: number | null; out: unknown }>,
    place: Place,
  ) => Promise<void>,
): Promise<void> {
  await withPlace(async (place) => {
    const session = await openNative({ kind: "isolated", state: place.state });
    try {
      await session.launcher.launch(APP);
      const { DISPLAY, XAUTHORITY, HOME, DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR } = session.environment;
      const env = { DISPLAY, XAUTHORITY, HOME, DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR };
      await deed(async (...args) => {
        const { code, out } = await place.run([...args, "--format", "json"], { env });
        return { code, out: oneJson(out) };
      }, place);
    } finally {
      await session.close();
    }
  });
}

Deno.test("on the user's own desktop nothing takes the focus unless it is allowed to", async (t) => {
  await withUsersDesktop(async (run, place) => {
    await t.step("what accessibility does is done", async () => {
      const { code, out } = await run("set", FIELD, "Grace", "--app", APP);
      assert.deepEqual([code, Answer.parse(out).method], [0, "EditableText.SetTextContents"]);
      const typed = await run("type", "!", "--element", FIELD, "--app", APP);
      assert.deepEqual([typed.code, Answer.parse(typed.out).method], [0, "EditableText.InsertText"]);
    });

    await t.step("what only the pointer or keys do is refused, and the way out is named", async () => {
      const deeds = [["click", BOX], ["press", "ctrl+s"]];
      for (const deed of deeds) {
        const { code, out } = await run(...deed, "--app", APP);
        const { error } = Failure.parse(out);
        assert.deepEqual([code, error.code], [1, "needs_focus"], error.message);
        assert.match(error.hint ?? "", /mode: focus/);
      }
    });

    await t.step("with --mode focus it is done, and the method says how", async () => {
      const { code, out } = await run("click", BOX, "--app", APP, "--mode", "focus");
      assert.deepEqual([code, Answer.parse(out).method], [0, "XTEST click"]);
    });

    await t.step(
      "a workflow is refused at the step that needs it, and what came before is taken back",
      async () => {
        const steps = `steps:\n  - set: { target: '${FIELD}', value: Ada }\n  - click: '${BOX}'\n`;
        const header = `name: Boxes\napp: ${APP}\nsession: attach\n`;
        const background = place.file("background.yaml", `${header}mode: background\n${steps}`);
        const refused = await run("run", background);
        const result = Run.parse(refused.out);
        assert.deepEqual(
          [refused.code, result.error?.code, result.rollback.verdict],
          [1, "needs_focus", "restored"],
        );
        assert.deepEqual([result.desktop.kind, /background/.test(result.desktop.label)], ["attached", true]);
        const focus = place.file("focus.yaml", `${header}mode: focus\n${steps}`);
        const done = await run("run", focus);
        assert.deepEqual([done.code, Run.parse(done.out).status], [0, "passed"]);
      },
    );
  });
});

Deno.test("on a new private desktop the pointer is used, and the method says so", async () => {
  const session = await openNative({ kind: "isolated" });
  try {
    await session.launcher.launch(APP);
    const gate = new Gate({ operations: catalogue, session, folder: "/", ports: OPEN_PORTS });
    const { output } = await gate.dispatch({ operation: "click", input: { target: BOX } }, { app: APP });
    assert.equal(Answer.parse(output).method, "XTEST click");
  } finally {
    await session.close();
  }
});
