import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { toBackstepError } from "../src/base/error.ts";
import { defined } from "../src/base/defined.ts";
import { catalogue } from "../src/catalogue.ts";
import { Gate, OPEN_PORTS } from "../src/contract/gate.ts";
import type { Mode } from "../src/desktop/desktop.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { type NativeSession, openNative } from "../src/session/open-native.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";

/** GTK 4 gives its check boxes no action: only the pointer toggles them. */
const APP = "gtk4-widget-factory";
const BOX = "checkbox:visible:enabled:nth(1)";
const FIELD = "textfield:visible:enabled:nth(3)";

const Answer = z.looseObject({ method: z.string() });

async function method(session: NativeSession, operation: string, input: unknown): Promise<string> {
  const gate = new Gate({ operations: catalogue, session, folder: "/", ports: OPEN_PORTS });
  return Answer.parse((await gate.dispatch({ operation, input }, { app: APP })).output).method;
}

/** Attaches as a user's own program would: by what the environment says. */
async function attach(there: NativeSession, mode?: Mode): Promise<NativeSession> {
  const names = ["DISPLAY", "XAUTHORITY", "HOME", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"];
  const before = new Map(names.map((name) => [name, process.env[name]]));
  try {
    for (const name of names) process.env[name] = there.environment[name] ?? "";
    return await openNative({ kind: "attach", ...defined({ mode }) });
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

function workflow(session: NativeSession, state: string) {
  const text = `name: Boxes
app: ${APP}
steps:
  - set: { target: '${FIELD}', value: Ada }
  - click: '${BOX}'
`;
  return runWorkflow(parseWorkflow(text, { file: "boxes.yaml", operations: catalogue }), {
    operations: catalogue,
    session,
    vars: {},
    surroundings: { env: () => undefined, secret: () => undefined },
    folder: state,
    state,
  });
}

Deno.test("on the user's own desktop nothing takes the focus unless it is allowed to", async (t) => {
  const state = mkdtempSync(join(tmpdir(), "backstep-bg-"));
  const there = await openNative({ kind: "isolated", state });
  const sessions = [there];
  try {
    await there.launcher.launch(APP);
    const quiet = await attach(there);
    sessions.push(quiet);
    assert.deepEqual([quiet.kind, quiet.desktop.mode], ["attached", "background"]);
    assert.match(quiet.label, /^:\d+ \(yours, in the background\)$/);

    await t.step("what accessibility does is done", async () => {
      assert.equal(
        await method(quiet, "set", { target: FIELD, value: "Grace" }),
        "EditableText.SetTextContents",
      );
      assert.equal(await method(quiet, "type", { into: FIELD, text: "!" }), "EditableText.InsertText");
    });

    await t.step("what only the pointer or keys do is refused, and the way out is named", async () => {
      const actions: [string, unknown][] = [
        ["click", { target: BOX }],
        ["click", { target: BOX, count: 2 }],
        ["press", { keys: "ctrl+s" }],
      ];
      for (const [operation, input] of actions) {
        const error = await method(quiet, operation, input).then(() => undefined, toBackstepError);
        assert.equal(error?.code, "needs_focus", error?.message);
        assert.match(error?.hint ?? "", /mode: focus/);
      }
    });

    await t.step(
      "a workflow ends at the step that needs it, and what came before is rolled back",
      async () => {
        const { status, exit, error, rollback } = await workflow(quiet, state);
        assert.deepEqual(
          [status, exit, error?.code, rollback.verdict],
          ["failed", 1, "needs_focus", "restored"],
        );
      },
    );

    await t.step("with mode: focus it is done, and the method says how", async () => {
      const busy = await attach(there, "focus");
      sessions.push(busy);
      assert.equal(await method(busy, "click", { target: BOX }), "XTEST click");
      assert.equal((await workflow(busy, state)).status, "passed");
    });

    await t.step("on a private desktop it is done too", async () => {
      assert.equal(there.desktop.mode, "focus");
      assert.equal(await method(there, "click", { target: BOX }), "XTEST click");
    });
  } finally {
    for (const session of sessions.reverse()) await session.close();
    rmSync(state, { recursive: true, force: true });
  }
});
