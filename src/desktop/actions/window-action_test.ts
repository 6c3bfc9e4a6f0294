import assert from "node:assert/strict";
import { Deadline } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import type { Window, WindowAction } from "../desktop.ts";
import { FakeDesktop } from "../locator/_desktop.ts";
import { editor } from "../selector/_fixture.ts";
import { changeWindow } from "./window-action.ts";

/** Milliseconds for which a window gives itself its own size, whatever it is given. */
const OWN = 250;

/** A window that has just come. */
class Appearing extends FakeDesktop {
  readonly #came = performance.now();
  readonly given: boolean[] = [];
  #rect = { x: 0, y: 0, width: 100, height: 100 };

  override windows(): Promise<Window[]> {
    const age = performance.now() - this.#came;
    return Promise.resolve([{
      id: 1,
      pid: editor.pid,
      title: "Editor",
      windowClass: "editor",
      rect: this.#rect,
      active: true,
      minimised: false,
      popup: false,
      age,
    }]);
  }

  override window = (_id: number, action: WindowAction): Promise<void> => {
    const kept = performance.now() - this.#came > OWN;
    this.given.push(kept);
    if (kept && action.do === "place") {
      this.#rect = { ...this.#rect, ...defined({ ...action, do: undefined }) };
    }
    return Promise.resolve();
  };
}

Deno.test("a window that has just come is given its place once it keeps it", async () => {
  const desktop = new Appearing(editor, { role: "application", path: "/0" });
  const [window] = await desktop.windows();
  assert.ok(window);
  const place = { do: "place", x: 10, y: 20, width: 400, height: 300 } as const;
  const done = await changeWindow(desktop, window, place, Deadline.after(5_000));
  assert.equal(done.method, "_NET_MOVERESIZE_WINDOW");
  assert.deepEqual(desktop.given, [true]);
});
