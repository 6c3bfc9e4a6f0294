import assert from "node:assert/strict";
import { Deadline } from "../base/call.ts";
import { canStart, withDesk } from "./_desks.ts";
import { closeWindow, focusWindow, sendWindow, setFloating, switchWorkspace } from "./acts.ts";
import { managedBy } from "./managed.ts";
import { placeWindow, retile } from "./place.ts";

const soon = () => Deadline.after(20_000);

for (const kind of ["i3", "sway"] as const) {
  Deno.test({
    name: `real ${kind}: each act does what it says, by the account of ${kind}'s own program`,
    ignore: !canStart(kind),
    async fn() {
      await withDesk(kind, async (desk) => {
        const manager = managedBy(desk.wm);
        await desk.does("workspace 1");
        const a = await desk.open("A"), b = await desk.open("B");
        assert.equal((await desk.says("B"))?.focused, true);

        assert.deepEqual(await focusWindow(manager, a, soon()), { method: `${kind} focus` });
        assert.deepEqual([(await desk.says("A"))?.focused, (await desk.says("B"))?.focused], [true, false]);
        assert.deepEqual(await focusWindow(manager, a, soon()), { method: "none" });

        const tile = (await manager.windows()).find(({ id }) => id === a.id)?.rect;
        assert.ok(tile);
        const place = { x: 130, y: 140, width: 420, height: 310 };
        assert.deepEqual(await placeWindow(manager, a, place, soon()), { method: `${kind} place` });
        assert.deepEqual(await desk.says("A"), {
          id: a.id,
          focused: true,
          floating: true,
          workspace: "1",
          content: [130, 140, 420, 310],
        });
        assert.deepEqual(await placeWindow(manager, a, place, soon()), { method: "none" });
        await placeWindow(manager, a, { x: 200 }, soon());
        assert.deepEqual((await desk.says("A"))?.content, [200, 140, 420, 310]);

        // Back into the tiling, where it was the first: it comes back as the last, and is moved past the other.
        await setFloating(manager, a, false, soon());
        assert.equal((await desk.says("A"))?.floating, false);
        await retile(manager, a, tile, soon());
        assert.deepEqual((await manager.windows()).find(({ id }) => id === a.id)?.rect, tile);

        assert.deepEqual(await sendWindow(manager, b, { id: null, name: "mail" }, soon()), {
          method: `${kind} send`,
        });
        assert.deepEqual([(await desk.says("B"))?.workspace, await desk.shows()], ["mail", "1"]);
        const [mail] = (await manager.workspaces()).filter(({ name }) => name === "mail");
        assert.ok(mail);
        assert.deepEqual(await switchWorkspace(manager, mail, soon()), { method: `${kind} switch` });
        assert.equal(await desk.shows(), "mail");
        assert.deepEqual(await switchWorkspace(manager, mail, soon()), { method: "none" });
        await switchWorkspace(manager, { id: null, name: "a, b; c [d]" }, soon());
        assert.equal(await desk.shows(), "a, b; c [d]");

        await closeWindow(manager, b, soon());
        assert.equal(await desk.says("B"), undefined);
        for (
          const refused of [
            focusWindow(manager, b, soon()),
            closeWindow(manager, b, soon()),
            placeWindow(manager, b, place, soon()),
            sendWindow(manager, b, { id: null, name: "1" }, soon()),
          ]
        ) {
          await assert.rejects(refused, { code: "stale", message: /^Cannot .* window "B".*: it is closed$/ });
        }
        for (const name of ['"; exec touch /tmp/no', "next", "back_and_forth", "a\\", "a\nb", ""]) {
          await assert.rejects(switchWorkspace(manager, { id: null, name }, soon()), {
            code: "unsupported",
            message: /its name cannot be written$/,
          });
        }
        const c = await desk.open("C", { stays: true });
        await assert.rejects(closeWindow(manager, c, soon()), {
          code: "no_effect",
          message: 'Cannot close window "C": the window manager took it, and it is still there',
          hint: /dialog/,
        });
      });
    },
  });
}
