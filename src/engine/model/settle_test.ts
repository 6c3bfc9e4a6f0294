import assert from "node:assert/strict";
import { Deadline } from "../../base/call.ts";
import type { DesktopEvent, Watch } from "../../desktop/desktop.ts";
import { FakeDesktop } from "../../desktop/locator/_desktop.ts";
import { editor } from "../../desktop/selector/_fixture.ts";
import { settled } from "./settle.ts";

/** A desktop on which these events come one after the other, without end. */
class Telling extends FakeDesktop {
  emitted = 0;
  readonly #event: (number: number) => DesktopEvent;

  constructor(event: (number: number) => DesktopEvent) {
    super(editor, { role: "application", path: "/0" });
    this.#event = event;
  }

  override watch(): Watch {
    return {
      async next({ timeout = 5 } = {}) {
        await new Promise((resolve) => setTimeout(resolve, Math.min(5, timeout)));
        return timeout <= 5 ? "timeout" : "event";
      },
      take: () => [this.#event(this.emitted++)],
      close: () => {},
    };
  }
}

const event = (kind: string, path = "/bar"): DesktopEvent => ({
  bus: ":1.1",
  path,
  kind,
  detail1: 0,
  detail2: 0,
  text: "",
});

Deno.test("a bar that moves all the time keeps nobody waiting", async () => {
  const desktop = new Telling(() => event("object:bounds-changed"));
  assert.equal(await settled(desktop, 60, Deadline.after(5_000)), true);
  assert.ok(desktop.emitted > 2, "it moved meanwhile");
});

Deno.test("whatever else is emitted again and again does, and what moves for the first time", async () => {
  const texts = new Telling(() => event("object:text-changed:insert"));
  assert.equal(await settled(texts, 60, Deadline.after(5_000)), false);
  const rows = new Telling((k) => event("object:bounds-changed", `/row${k}`));
  assert.equal(await settled(rows, 60, Deadline.after(5_000)), false);
});
