// A tooltip comes and goes by itself: it is no window that a step opened or closed.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Deadline } from "../src/base/call.ts";
import type { Window } from "../src/desktop/desktop.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import { guardDigest } from "../src/engine/rollback/guard-digest.ts";
import { openNative } from "../src/session/open-native.ts";

const FIXTURE = fileURLToPath(new URL("fixtures/tooltip.py", import.meta.url));

Deno.test("a tooltip is told from a menu, and is no sign of other windows", async (t) => {
  const session = await openNative({ kind: "isolated" });
  await using _ending = { [Symbol.asyncDispose]: () => session.close() };
  const { desktop, launcher } = session;
  // GTK 4 does not say what its popups are.
  for (const toolkit of ["gtk3", "qt5", "qt6"]) {
    await t.step(toolkit, async () => {
      const { processId } = await launcher.launch(FIXTURE, { args: [toolkit] });
      const deadline = Deadline.after(10_000);
      const own = async (): Promise<Window[]> =>
        (await desktop.windows(deadline.call())).filter(({ pid }) => pid === processId);
      const [window] = await own();
      assert.ok(window);
      const before = await guardDigest(session, String(processId), deadline);
      const { x, y, width, height } = window.rect;
      await desktop.pointer({ do: "move", x: x + width / 2, y: y + height / 2 }, deadline.call());
      await desktop.pointer({ do: "move", x: x + width / 2 + 3, y: y + height / 2 }, deadline.call());
      const { last: shown } = await untilDeadline(
        desktop,
        async () => (await own()).find(({ popup }) => popup),
        (popup) => popup !== undefined,
        deadline.within(5_000),
      );
      assert.equal(shown?.tooltip, true, JSON.stringify(await own()));
      assert.equal(await guardDigest(session, String(processId), deadline), before);
      await launcher.quit(FIXTURE, { pid: processId });
    });
  }
});
