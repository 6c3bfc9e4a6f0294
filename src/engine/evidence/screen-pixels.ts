import { Buffer } from "node:buffer";
import type { Deadline } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import type { Application, Area, Desktop, Frame, Rect } from "../../desktop/desktop.ts";
import type { Session } from "../../session/session.ts";
import { sameFrame } from "./screenshots.ts";

/** Milliseconds by which a picture is taken for older than it is: two clocks tell its time. */
const SLACK = 2;
/** More of the screen than this is not pictured as a part of it. */
const MOST = 0.5;

/** Milliseconds for which parts are trusted: then all is pictured, should any drawing not have been told. */
const TRUSTED = 1_000;

/** What is shown now. */
export interface Shown {
  /** Valid until the next picture. */
  readonly frame: Frame;
  /** Where its corner lies on the screen. */
  readonly origin: { readonly x: number; readonly y: number };
  /** Another number: another picture. */
  readonly version: number;
}

/**
 * The screen of a desktop of our own, the window of an application on a person's. Where the display tells what was drawn, only
 * that is pictured again.
 */
export class ScreenPixels {
  readonly #session: Session;
  #last:
    | { readonly desktop: Desktop; readonly shown: Shown; readonly at: number; readonly whole: number }
    | undefined;
  #version = 0;
  /** Pictures that nobody looks at any more: to write to new memory takes longer than to take one. */
  #unused: Frame | undefined;
  #part: Frame | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** What is shown, with `whole` pictured at once; else why there is no picture. */
  async now(
    applications: readonly Application[],
    deadline: Deadline,
    whole = false,
  ): Promise<Shown | string> {
    const { desktop } = this.#session;
    const at = performance.now();
    const updated = whole ? undefined : await this.#updated(desktop, at, deadline);
    if (updated !== undefined) return updated;
    let area: Area = { what: "screen" };
    let origin = { x: 0, y: 0 };
    if (this.#session.kind === "attached") {
      const pids = new Set(applications.map(({ pid }) => pid));
      const own = (await desktop.windows(deadline.call()))
        .filter((window) => pids.has(window.pid) && !window.popup && !window.minimised);
      const window = own.find(({ active }) => active) ?? own.at(-1);
      if (!window) return "the application has no window to be pictured";
      area = { what: "window", window: window.id };
      origin = { x: window.rect.x, y: window.rect.y };
    }
    const frame = await desktop.screenshot(area, { ...deadline.call(), ...defined({ into: this.#unused }) });
    const before = this.#last?.shown.frame;
    this.#unused = before;
    if (before === undefined || !sameFrame(before, frame)) this.#version++;
    const shown = { frame, origin, version: this.#version };
    this.#last = { desktop, shown, at, whole: at };
    return shown;
  }

  /** The last picture, brought up to date by what was drawn since; undefined: all of it is to be pictured. */
  async #updated(desktop: Desktop, at: number, deadline: Deadline): Promise<Shown | undefined> {
    const last = this.#last;
    if (last?.desktop !== desktop || this.#session.kind === "attached" || at - last.whole > TRUSTED) {
      return undefined;
    }
    const drawn = await desktop.drawn?.(at - last.at + SLACK, deadline.call());
    if (drawn === undefined) return undefined;
    const { area } = drawn;
    const { frame, origin } = last.shown;
    if (area !== undefined) {
      if (area.width * area.height > MOST * frame.width * frame.height) return undefined;
      const how = { ...deadline.call(), ...defined({ into: this.#part }) };
      const part = this.#part = await desktop.screenshot({ what: "rect", rect: area }, how);
      if (part.width !== area.width || part.height !== area.height) return undefined;
      if (paste(frame, part, area)) this.#version++;
    }
    const shown = { frame, origin, version: this.#version };
    this.#last = { ...last, shown, at };
    return shown;
  }
}

/** Puts a part into a picture; whether that changed it. */
function paste(whole: Frame, part: Frame, { x, y }: Rect): boolean {
  const from = Buffer.from(part.rgba.buffer, part.rgba.byteOffset, part.rgba.byteLength);
  const to = Buffer.from(whole.rgba.buffer, whole.rgba.byteOffset, whole.rgba.byteLength);
  const line = 4 * part.width;
  let changed = false;
  for (let row = 0; row < part.height; row++) {
    const at = 4 * ((y + row) * whole.width + x);
    const [pixels, before] = [from.subarray(row * line, (row + 1) * line), to.subarray(at, at + line)];
    if (pixels.equals(before)) continue;
    before.set(pixels);
    changed = true;
  }
  return changed;
}
