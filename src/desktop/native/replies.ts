import { malformed, Reply } from "../../ffi/reply.ts";
import type { Drawn, Frame, Window } from "../desktop.ts";
import type { Application, Reading } from "../element.ts";
import type { Snapshot } from "../snapshot.ts";

/** What the core says of a new connection. */
export interface Connection {
  readonly accessibility: boolean;
  readonly display: boolean;
  /** Our own name on the accessibility bus. */
  readonly busName: string;
  /** Of the screen, in pixels. */
  readonly width: number;
  readonly height: number;
}

export function decodeConnection(reply: Uint8Array): Connection {
  const r = new Reply(reply);
  const have = r.u32();
  const connection = {
    accessibility: (have & 1) !== 0,
    display: (have & 2) !== 0,
    busName: r.str(),
    width: r.i32(),
    height: r.i32(),
  };
  r.end();
  return connection;
}

export function decodeApplications(reply: Uint8Array): Application[] {
  const r = new Reply(reply);
  const applications: Application[] = [];
  for (let left = r.count(24); left > 0; left--) {
    const bus = r.str();
    r.str(); // the root's path: an empty path means the root everywhere
    applications.push({ bus, name: r.str(), pid: r.u32(), toolkit: r.str(), toolkitVersion: r.str() });
  }
  r.end();
  return applications;
}

/** A window with what only the coordinates need. */
export interface NativeWindow extends Window {
  /** Decorations and shadows that the client draws inside its own window. */
  readonly frame: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  };
  /** Its application does not know where it lies, and tells places from its own corner: so it is on Wayland. */
  readonly local?: boolean;
}

/** Bottom to top, popups last: the order in which the core lists them. */
export function decodeWindows(reply: Uint8Array): NativeWindow[] {
  const r = new Reply(reply);
  const windows: NativeWindow[] = [];
  for (let left = r.count(52); left > 0; left--) {
    const id = r.u32(), pid = r.u32();
    const rect = { x: r.i32(), y: r.i32(), width: r.i32(), height: r.i32() };
    const flags = r.u32();
    const frame = { left: r.i32(), right: r.i32(), top: r.i32(), bottom: r.i32() };
    const title = r.str(), windowClass = r.str();
    const active = (flags & 1) !== 0, minimised = (flags & 2) !== 0, popup = (flags & 4) !== 0;
    const tooltip = (flags & 8) !== 0, elsewhere = (flags & 16) !== 0, modal = (flags & 32) !== 0;
    windows.push({
      id,
      pid,
      rect,
      title,
      windowClass,
      active,
      minimised,
      popup,
      tooltip,
      frame,
      ...(elsewhere ? { elsewhere } : {}),
      ...(modal ? { modal } : {}),
    });
  }
  r.end();
  return windows;
}

/** How a picture came, by the core's number; 16 more for a window's own pixels. */
const routes = ["socket", "memory", "kept"] as const;
const OWN_PIXELS = 16;

export function decodeFrame(reply: Uint8Array): Frame {
  const r = new Reply(reply);
  const width = r.u32(), height = r.u32(), how = r.u32(), scale = r.u32() / 1000;
  const route = routes[how % OWN_PIXELS];
  if (route === undefined) throw malformed(`a picture that came by ${how}`);
  if (width * height * 4 !== r.left) {
    throw malformed(`a picture of ${width} by ${height} pixels in ${r.left} bytes`);
  }
  const rgba = r.bytes(r.left);
  return { width, height, rgba, route, covered: how >= OWN_PIXELS, ...(scale === 1 ? {} : { scale }) };
}

/** What `BACKSTEP_OP_DRAWN` answered. */
export function decodeDrawn(reply: Uint8Array): Drawn {
  const r = new Reply(reply);
  const still = r.u32();
  const area = { x: r.i32(), y: r.i32(), width: r.i32(), height: r.i32() };
  r.end();
  return { still, area: area.width > 0 ? area : undefined };
}

export function decodeAddress(reply: Uint8Array): { bus: string; path: string } | undefined {
  const r = new Reply(reply);
  const bus = r.str(), path = r.str();
  r.end();
  return bus === "" || path === "" ? undefined : { bus, path };
}

/** Elements of an application, in the order in which they were told. */
export function decodeAddresses(reply: Uint8Array): { bus: string; path: string }[] {
  const r = new Reply(reply);
  const addresses = Array.from({ length: r.count(8) }, () => ({ bus: r.str(), path: r.str() }));
  r.end();
  return addresses;
}

/** The one row of a reading, as an object. */
export function readingOf(row: Snapshot): Reading {
  const { columns, origin } = row;
  const start = columns.caret[1] ?? -1, end = columns.caret[2] ?? -1;
  return {
    role: row.role(0),
    name: row.name(0),
    description: row.description(0),
    id: row.id(0),
    statesLow: row.statesLow(0),
    statesHigh: row.statesHigh(0),
    interfaces: columns.interfaces[0] ?? 0,
    rect: row.rect(0),
    text: row.text(0),
    textCut: origin.cut.includes("text"),
    caret: row.caret(0),
    textSelection: start >= 0 && end > start ? [start, end] : undefined,
    value: row.value(0),
    selectedChildren: row.selected(0),
    actions: row.actions(0),
    attributes: row.attributes(0),
    childCount: columns.children[0] ?? -1,
  };
}
