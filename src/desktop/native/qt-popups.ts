import type { Application } from "../element.ts";
import { Role } from "../roles.ts";
import { type Columns, NO_STRING, Snapshot, type StringTable } from "../snapshot.ts";
import { isQt } from "../toolkits.ts";

/** Popups of one application that may be open. */
const MOST = 16;

/**
 * Qt keeps context menus out of its tree: whoever asks a window for its children is told of none. That one opens is reported, and
 * it answers when it is asked by itself. It is told as the last child of its application for as long as it shows.
 */
export class QtPopups {
  /** By bus name: the paths of what was reported to show. */
  readonly #shown = new Map<string, Set<string>>();

  /** An event came. */
  reported(bus: string, path: string, kind: string, on: boolean): void {
    if (kind !== "object:state-changed:showing") return;
    const shown = this.#shown.get(bus) ?? new Set();
    shown.delete(path);
    if (on) shown.add(path);
    const [oldest] = shown.size > MOST ? shown : [];
    if (oldest !== undefined) shown.delete(oldest);
    this.#shown.set(bus, shown);
  }

  /** Was something reported to show that may be such a menu? */
  mayHave(application: Application): boolean {
    return isQt(application) && (this.#shown.get(application.bus)?.size ?? 0) > 0;
  }

  /** The whole tree of an application with its open context menus, each read by `read`; undefined: it is gone. */
  async added(tree: Snapshot, read: (path: string) => Promise<Snapshot | undefined>): Promise<Snapshot> {
    const { application } = tree.origin;
    const shown = this.#shown.get(application.bus) ?? new Set();
    let whole = tree;
    for (const path of [...shown]) {
      const isThere = whole.rowOf({ bus: application.bus, path }) >= 0;
      const popup = isThere ? undefined : await read(path);
      if (popup !== undefined && isOpenMenu(popup)) whole = withChild(whole, popup);
      // A menu of a bar is in the tree, and what is no menu is none later.
      else shown.delete(path);
    }
    return whole;
  }

  /** The application left. */
  forget(bus: string): void {
    this.#shown.delete(bus);
  }
}

function isOpenMenu(popup: Snapshot): boolean {
  return popup.size > 0 && popup.role(0) === Role.popupMenu && popup.has(0, "showing");
}

/** A tree with another one as the last child of its root, which was asked for the same fields at least. */
export function withChild(tree: Snapshot, child: Snapshot): Snapshot {
  const a = tree.columns, b = child.columns;
  const strings = a.strings.offsets.length - 1;
  const moved = (column: Uint32Array) =>
    column.map((number) => number === NO_STRING ? number : number + strings);
  const texts = (one: Uint32Array, other: Uint32Array) => joined(Uint32Array, one, moved(other));
  const parents = b.parent.map((row) => row < 0 ? 0 : row + a.count);
  const columns: Columns = {
    count: a.count + b.count,
    role: joined(Uint16Array, a.role, b.role),
    states: joined(Uint32Array, a.states, b.states),
    parent: joined(Int32Array, a.parent, parents),
    rect: joined(Int32Array, a.rect, b.rect),
    interfaces: joined(Uint32Array, a.interfaces, b.interfaces),
    bus: texts(a.bus, b.bus),
    path: texts(a.path, b.path),
    name: texts(a.name, b.name),
    description: texts(a.description, b.description),
    id: texts(a.id, b.id),
    text: texts(a.text, b.text),
    caret: joined(Int32Array, a.caret, b.caret),
    actions: texts(a.actions, b.actions),
    attributes: texts(a.attributes, b.attributes),
    ...(a.relations && b.relations ? { relations: texts(a.relations, b.relations) } : {}),
    ...(a.keys && b.keys ? { keys: texts(a.keys, b.keys) } : {}),
    ...(a.textStyle && b.textStyle ? { textStyle: texts(a.textStyle, b.textStyle) } : {}),
    ...(a.textRect && b.textRect ? { textRect: joined(Int32Array, a.textRect, b.textRect) } : {}),
    selected: texts(a.selected, b.selected),
    children: joined(Int32Array, a.children, b.children),
    value: joined(Float64Array, a.value, b.value),
    ...(a.hash && b.hash ? { hash: joined(BigUint64Array, a.hash, b.hash) } : {}),
    strings: together(a.strings, b.strings),
  };
  return new Snapshot(columns, tree.origin);
}

function joined<C extends { set(from: C, at: number): void; readonly length: number }>(
  kind: new (length: number) => C,
  one: C,
  other: C,
): C {
  // What is kept has no places, for one.
  if (one.length === 0) return one;
  const both = new kind(one.length + other.length);
  both.set(one, 0);
  both.set(other, one.length);
  return both;
}

function together(one: StringTable, other: StringTable): StringTable {
  const ends = other.offsets.subarray(1).map((end) => end + one.arena.length);
  return {
    offsets: joined(Uint32Array, one.offsets, ends),
    arena: joined(Uint8Array, one.arena, other.arena),
  };
}
