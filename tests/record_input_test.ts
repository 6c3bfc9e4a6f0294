import assert from "node:assert/strict";
import { missingFor, named, Stage, TOOLKITS } from "../scripts/action-names/stage.ts";
import { Deadline } from "../src/base/call.ts";
import type { InputEvent, InputRecording } from "../src/desktop/input-events.ts";
import { Core } from "../src/ffi/core.ts";
import type { Notice } from "../src/ffi/records.ts";
import type { Bytes } from "../src/ffi/binding.ts";
import { Op } from "../src/ffi/op.ts";
import { Request } from "../src/ffi/request.ts";
import { attachToDesktop } from "../src/session/attach.ts";
import { Person } from "./input/person.ts";

const FIRST = "qzxvkwj", SECOND = "jwkvxzq";

/** All that the core said: its replies byte for byte, and its records. */
class Tap implements AsyncDisposable {
  readonly #core: Core;
  readonly #close: () => Promise<void>;
  readonly replies: Bytes[] = [];
  readonly notices: Notice[] = [];
  #heard = () => {};

  private constructor(core: Core, close: () => Promise<void>) {
    this.#core = core;
    this.#close = close;
    core.observe(() => (reply) => void (reply && this.replies.push(reply)));
  }

  /** Beside the desktop's own session, another one to the same addresses: the records of the first one are its own affair. */
  static async open(display: string, bus: string): Promise<Tap> {
    const core = await Core.open();
    const session = core.session();
    const tap = new Tap(core, () => session.close());
    session.onEvents((notices) => {
      tap.notices.push(...notices);
      tap.#heard();
    });
    await session.submit(Op.connect, new Request().str(bus).str("").str(display).u32(0).bytes());
    return tap;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#core.observe(undefined);
    await this.#close();
  }

  /** Until an event of the element is there that came after so many records. */
  async until(path: string, kind: RegExp, after: number): Promise<void> {
    const deadline = Deadline.after(20_000);
    const is = (n: Notice) => n.kind === "event" && n.path === path && kind.test(`${n.event} ${n.detail1}`);
    while (!this.notices.slice(after).some(is)) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no ${kind} came`)), deadline.remaining());
        this.#heard = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  has(text: string): boolean {
    const said = (notice: Notice) =>
      JSON.stringify(notice, (_, value) => typeof value === "bigint" ? String(value) : value);
    return this.replies.some((reply) => new TextDecoder("latin1").decode(reply).includes(text)) ||
      this.notices.some((notice) => said(notice).includes(text));
  }
}

/** Until so many events of a kind were recorded. */
async function recorded(
  recording: InputRecording,
  what: InputEvent["what"],
  count: number,
): Promise<InputEvent[]> {
  const events: InputEvent[] = [];
  for (const deadline = Deadline.after(20_000); events.filter((e) => e.what === what).length < count;) {
    assert.notEqual(await recording.next(deadline.call()), "timeout", JSON.stringify(events));
    events.push(...recording.take());
  }
  return events;
}

function middleOf(tree: Awaited<ReturnType<Stage["snapshot"]>>, name: string): { x: number; y: number } {
  const rect = tree.rect(named(tree, name));
  assert.ok(rect, name);
  return { x: Math.round(rect.x + rect.width / 2), y: Math.round(rect.y + rect.height / 2) };
}

for (const toolkit of TOOLKITS) {
  const missing = missingFor(toolkit);
  const name =
    `a person's clicks and keys are recorded, and what is typed into a password nowhere: ${toolkit}`;
  Deno.test({ name, ignore: missing !== undefined }, async () => {
    await using stage = await Stage.open(toolkit);
    await stage.reset();
    const { display, accessibilityBus, environment } = attachToDesktop(
      stage.session.id ?? "",
      stage.folder,
    );
    await using tap = await Tap.open(`${display} ${environment["XAUTHORITY"]}`, accessibilityBus);
    await using person = new Person(environment);
    const recording = await stage.desktop.recordInput?.();
    assert.ok(recording);

    // Clicks: the application says which control they hit.
    const tree = await stage.snapshot();
    for (const target of ["Send", "Check"]) {
      const at = middleOf(tree, target);
      const lines = await stage.during(async () => {
        await person.click(at.x, at.y);
        const events = await recorded(recording, "button", 2);
        assert.deepEqual(
          events.filter((e) => e.what === "button").map(({ time, ...event }) => (assert.ok(time > 0), event)),
          [true, false].map((down) => ({ what: "button", down, button: "left", ...at, modifiers: [] })),
        );
      });
      assert.ok(lines.some(({ of }) => of === target), `${target} was hit: ${JSON.stringify(lines)}`);
    }
    recording.take();

    // A password, typed twice: what the second one replaces is told by toolkits as a whole.
    const password = tree.path(named(tree, "Password entry"));
    const focus = async (path: string, at: { x: number; y: number }) => {
      const before = tap.notices.length;
      await person.click(at.x, at.y);
      // The window manager hands a click on; keys that come before it has go elsewhere.
      await tap.until(path, /^object:state-changed:focused 1/, before);
    };
    await focus(password, middleOf(tree, "Password entry"));
    const typed = tap.notices.length;
    for (const word of [FIRST, SECOND]) {
      await person.chord("ctrl", "a");
      await person.type(word);
    }
    await person.chord("End");
    const events = await recorded(recording, "key", 3);
    assert.equal(events.filter((e) => e.what === "text").length, 2 * FIRST.length);
    assert.deepEqual(
      events.flatMap((e) => e.what === "key" ? [[e.name, ...e.modifiers]] : []),
      [["a", "ctrl"], ["a", "ctrl"], ["End"]],
    );
    await tap.until(password, /^object:text-changed/, typed);
    for (const n of tap.notices) {
      if (n.kind === "event" && n.event.startsWith("object:text-changed")) assert.equal(n.text, "");
    }
    await stage.desktop.read(tree.element(named(tree, "Password entry")));
    await stage.snapshot();
    assert.equal(tap.has(FIRST.slice(0, 4)) || tap.has(SECOND.slice(0, 4)), false);

    // The same word in a field that everybody may read is found: the search sees what is there.
    await focus(tree.path(named(tree, "Plain entry")), middleOf(tree, "Plain entry"));
    await person.chord("ctrl", "a");
    await person.type(FIRST);
    const deadline = Deadline.after(20_000);
    while (!tap.has(FIRST) && !deadline.passed) await stage.snapshot();
    assert.ok(tap.has(FIRST), "the plain field was read");
    await recording.close();
  });
}
