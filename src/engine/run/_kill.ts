import type { Desktop } from "../../desktop/desktop.ts";
import type { WholeClipboard } from "../../desktop/whole-clipboard.ts";
import { DISK, type Sink } from "../journal/sink.ts";

/** Where a run may be killed: at a write of its journal or of an artefact, or at a call of its desktop. */
export type Point =
  | "before a line"
  | "in the middle of a line"
  | "after a line"
  | "before an artefact"
  | "in the middle of an artefact"
  | "after an artefact"
  | "before a call"
  | "after a call";

/** Hears of every point as it is passed, and kills there if it is the one. `what`: "act click", "line 7". */
export type AtPoint = (point: Point, what: string) => void;

/** The disk, with a point before, within and after each write. */
export function killingSink(at: AtPoint): Sink {
  return {
    ...DISK,
    write(descriptor, bytes, from) {
      // A line begins with its checksum in hexadecimal; what is encrypted does not, nor does it end so.
      const text = new TextDecoder().decode(bytes.subarray(from));
      const kind = /^[0-9a-f]{16} \{.*\}\n$/s.test(text) ? "a line" as const : "an artefact" as const;
      const what = kind === "a line" ? /"kind":"([a-z-]+)"/.exec(text)?.[1] ?? "" : "bytes";
      at(`before ${kind}`, what);
      let half = 0;
      try {
        at(`in the middle of ${kind}`, what);
      } catch (killed) {
        half = DISK.write(descriptor, bytes.subarray(0, from + Math.floor((bytes.length - from) / 2)), from);
        throw killed;
      }
      const written = DISK.write(descriptor, bytes, from + half) + half;
      at(`after ${kind}`, what);
      return written;
    },
  };
}

/** A desktop with a point before each call, and after each that changes something. */
export function killingDesktop(desktop: Desktop, at: AtPoint): Desktop {
  const look = <T>(what: string, call: () => Promise<T>): Promise<T> => {
    at("before a call", what);
    return call();
  };
  const action = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
    at("before a call", what);
    const reported = await call();
    at("after a call", what);
    return reported;
  };
  return {
    kind: desktop.kind,
    mode: desktop.mode,
    label: desktop.label,
    capabilities: desktop.capabilities,
    applications: (call) => look("applications", () => desktop.applications(call)),
    snapshot: (app, options) => look("snapshot", () => desktop.snapshot(app, options)),
    read: (element, call) => look("read", () => desktop.read(element, call)),
    elementAt: (app, x, y, call) => look("elementAt", () => desktop.elementAt(app, x, y, call)),
    screenshot: (area, call) => look("screenshot", () => desktop.screenshot(area, call)),
    windows: (call) => look("windows", () => desktop.windows(call)),
    readClipboard: (call) => look("readClipboard", () => desktop.readClipboard(call)),
    watch: (application) => desktop.watch(application),
    ...(desktop.idle ? { idle: desktop.idle.bind(desktop) } : {}),
    close: () => desktop.close(),
    act: (element, what, call) => action(`act ${what.do}`, () => desktop.act(element, what, call)),
    typeText: (text, call) => action("typeText", () => desktop.typeText(text, call)),
    pressKeys: (keys, call) => action(`pressKeys ${keys.join("+")}`, () => desktop.pressKeys(keys, call)),
    pointer: (gesture, call) => action(`pointer ${gesture.do}`, () => desktop.pointer(gesture, call)),
    window: (id, what, call) => action(`window ${what.do}`, () => desktop.window(id, what, call)),
    writeClipboard: (text, call) => action("writeClipboard", () => desktop.writeClipboard(text, call)),
    ...(desktop.wholeClipboard
      ? { wholeClipboard: killingClipboard(desktop.wholeClipboard, look, action) }
      : {}),
    releaseInput: (call) => action("releaseInput", () => desktop.releaseInput(call)),
  };
}

type Passing = <T>(what: string, call: () => Promise<T>) => Promise<T>;

function killingClipboard(clipboard: WholeClipboard, look: Passing, action: Passing): WholeClipboard {
  return {
    keep: (limits, call) => look("keepClipboard", () => clipboard.keep(limits, call)),
    restore: (items, call) => action("restoreClipboard", () => clipboard.restore(items, call)),
  };
}
