import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ElicitResult } from "../src/mcp/sdk/sdk.ts";
import { type Guest, withGuests } from "./mcp/_guest.ts";
import { ROOT, within, withState } from "./mcp/_stdio.ts";

const PYTHON = "/usr/bin/python3";
const NEEDED = ["/usr/bin/Xvfb", PYTHON, "/usr/lib/python3/dist-packages/gi"];
const absent = NEEDED.filter((file) => !existsSync(file));
if (absent.length > 0) console.log(`turns are not tested: ${absent.join(" and ")} are not installed`);

/** Acts of the other client while a question is open. */
const WRITES = 10;
/** Milliseconds for all of them: less than a call or a question may take. */
const SOON = 40_000;
const KEEP = { app: "Notes", query: 'button[name="Keep"]' };
const DELETE = { app: "Notes", query: 'button[name="Delete all notes"]' };

/** What it destroys is known when its time comes, and not before the workflow begins. */
const deleting = [
  { tool: "ax_find", args: { app: "Notes", query: "Delete all notes" } },
  { tool: "ax_click", args: { app: "Notes", query: 'button[name="{{step_2.title}}"]' } },
];

Deno.test("whoever does not answer a question keeps nobody from acting, in a workflow neither", {
  ignore: absent.length > 0,
}, async () => {
  await withState(async (state) => {
    const { env, actions } = prepare(state);
    await withGuests(state, { args: ["--session", "isolated"], env }, async (guest) => {
      const [silent, other] = [await guest({ asks: true }), await guest({})];
      await silent.client.subscribeResource({ uri: "axterminator://apps" });
      await silent.tool("launch_application", { bundleId: "test.notes" });
      await silent.until(
        "the window",
        async () => (await silent.attempt("ax_connect", { app: "Notes" })).isError === false,
      );
      await other.tool("ax_connect", { app: "Notes" });

      for (
        const [tool, args] of [
          ["ax_click", DELETE],
          ["ax_workflow", { steps: [{ tool: "ax_click", args: KEEP }, ...deleting] }],
        ] as const
      ) {
        const { asked, answer } = mute(silent);
        const before = actions().length;
        const call = silent.attempt(tool, args);
        // Told where it is awaited, or not at all.
        call.catch(() => {});
        await within(SOON, "question", asked);
        // What the workflow did before it asked.
        const own = tool === "ax_workflow" ? 1 : 0;
        await within(
          SOON,
          `${WRITES} acts beside an open question of ${tool}`,
          (async () => {
            for (let at = 0; at < WRITES; at++) await other.tool("ax_click", KEEP);
          })(),
        );
        await grown(actions, before + own + WRITES);
        assert.deepEqual(actions().slice(before), Array.from({ length: own + WRITES }, () => "keep"), tool);
        answer({ action: "accept", content: { confirm: true } });
        const done = await call;
        assert.equal(done.isError, false, done.text);
        await grown(actions, before + own + WRITES + 1);
        assert.deepEqual(
          actions().slice(before + own + WRITES),
          ["delete"],
          "the yes was for this, and counts",
        );
      }
    });
  });
});

/** A person who is asked and says nothing, until the test does. */
function mute(guest: Guest): { asked: Promise<void>; answer: (result: ElicitResult) => void } {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<ElicitResult>();
  guest.person = () => {
    asked.resolve();
    return answer.promise;
  };
  return { asked: asked.promise, answer: answer.resolve };
}

/** Waits for the window's own account: it is written as it happens, and by nobody else. */
async function grown(actions: () => readonly string[], to: number): Promise<void> {
  const deadline = performance.now() + SOON;
  while (actions().length < to) {
    assert.ok(
      performance.now() < deadline,
      `${actions().length} of ${to} in the account: ${actions().join()}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function prepare(state: string) {
  const applications = join(state, "share/applications");
  mkdirSync(applications, { recursive: true });
  const window = `${PYTHON} ${join(ROOT, "tests/fixtures/asked.py")} ${state} Notes`;
  writeFileSync(
    join(applications, "test.notes.desktop"),
    `[Desktop Entry]\nType=Application\nName=Notes\nExec=${window}\n`,
  );
  const account = join(state, "account");
  return {
    env: {
      XDG_DATA_DIRS: `${join(state, "share")}:/usr/local/share:/usr/share`,
      XDG_CONFIG_HOME: join(state, "config"),
    },
    /** What was done to the window: "keep", "delete". */
    actions: (): string[] =>
      existsSync(account)
        ? readFileSync(account, "utf8").trimEnd().split("\n").map((line) => line.split(" ")[1] ?? "")
        : [],
  };
}
