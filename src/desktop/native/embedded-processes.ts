import type { ElementRef } from "../element.ts";
import { embeddedPath } from "../embedded.ts";
import { Role } from "../roles.ts";
import type { Columns, StringTable } from "../snapshot.ts";
import { State } from "../states.ts";

type Address = Pick<ElementRef, "bus" | "path">;

const ROOTED = -1;

/** A page: the first row that stands for it as a whole, and the row whose states say whether it shows. */
interface Page {
  readonly top: number;
  readonly around: number;
}
const VISIBILITY = [State.enabled, State.sensitive, State.showing, State.visible]
  .reduce((bits, state) => (bits | 1 << state) >>> 0, 0);
/** Where each path of a list of relations begins. */
const PATHS = /(?<=[: ])\//g;
const decoder = new TextDecoder(), encoder = new TextEncoder();

/** The processes that are embedded in windows of others: WebKitGTK's, one for each page. See `embedded.ts`. */
export class EmbeddedProcesses {
  /** By the bus name of such a process: the application that shows it. */
  readonly #embedders = new Map<string, string>();
  /** Those of which a part was ever another's. */
  readonly #applications = new Set<string>();
  /** Of each application, by the path of what stands for a page as a whole: that of what embeds it. */
  readonly #frames = new Map<string, Map<string, string>>();

  /** Rows of other processes than that of their application become its own. */
  adopt(columns: Columns, application: string): Columns {
    const { bus, path, relations, strings } = columns;
    const own = bus[0] ?? 0;
    if (bus.every((number) => number === own) && stringOf(strings, own) === application) return columns;
    this.#applications.add(application);
    const more = new MoreStrings(strings);
    const names = new Map<number, string>();
    for (const number of new Set(bus)) names.set(number, stringOf(strings, number));
    const pages: Page[] = [];
    const isOther = (row: number) => names.get(bus[row] ?? 0) !== application;
    const paths = path.slice(), others = relations?.slice();
    for (let row = 0; row < columns.count; row++) {
      if (!isOther(row)) continue;
      const name = names.get(bus[row] ?? 0) ?? "";
      this.#embedders.set(name, application);
      paths[row] = more.add(embeddedPath({ bus: name, path: stringOf(strings, path[row] ?? 0) }));
      if (others !== undefined) {
        const lines = stringOf(strings, others[row] ?? 0);
        if (lines !== "") others[row] = more.add(lines.replace(PATHS, `${name}/`));
      }
      const parent = columns.parent[row] ?? ROOTED;
      if (parent === ROOTED) continue;
      if (!isOther(parent)) pages.push({ top: row, around: columns.parent[parent] ?? ROOTED });
      // A frame in a page is a page of its own.
      else if (columns.role[row] === Role.scrollPane) pages.push({ top: row, around: parent });
    }
    const frames = isOther(0) ? this.#frames.get(application) : new Map<string, string>();
    for (const page of pages) {
      if (isSeen(columns, page.top)) continue;
      for (const [row, socket] of asAround(columns, page)) {
        frames?.set(more.text(paths[row] ?? 0), more.text(paths[socket] ?? 0));
      }
    }
    if (frames !== undefined) this.#frames.set(application, frames);
    const shown = more.add(application);
    return {
      ...columns,
      bus: new Uint32Array(columns.count).fill(shown),
      path: paths,
      ...(others ? { relations: others } : {}),
      strings: more.table(),
    };
  }

  /** The address of an element that was told by itself, as its application has it. */
  address({ bus, path }: Address): Address {
    const embedder = this.#embedders.get(bus);
    return embedder === undefined ? { bus, path } : { bus: embedder, path: embeddedPath({ bus, path }) };
  }

  /** What embeds the page that a path of an application stands for as a whole; undefined: it stands for no such page. */
  frameOf(application: string, path: string): string | undefined {
    return this.#frames.get(application)?.get(path);
  }

  /** The page that an element of an application embeds, its document; undefined: it embeds none. */
  pageIn(application: string, path: string): Address | undefined {
    let page: Address | undefined;
    for (const [whole, frame] of this.#frames.get(application) ?? []) {
      if (frame === path) page = { bus: application, path: whole };
    }
    return page;
  }

  /** Does another process answer for a part of this application? */
  isIn(application: string): boolean {
    return this.#applications.has(application);
  }

  /** An application left. */
  forget(application: string): void {
    this.#applications.delete(application);
    this.#frames.delete(application);
    for (const [bus, embedder] of this.#embedders) if (embedder === application) this.#embedders.delete(bus);
  }
}

/**
 * What stands for a page as a whole, from its top on: it tells no states, nor does what embeds it in its window; and what WebKitGTK
 * tells of its place is where all of it would lie. It shows as what is around it does, and lies where what embeds it lies. In place;
 * the rows, each with that of what embeds it.
 */
function asAround(
  { parent, states, rect, role }: Columns,
  { top, around }: Page,
): [row: number, socket: number][] {
  const socket = parent[top] ?? ROOTED;
  if (socket === ROOTED || around === ROOTED) return [];
  const shown = (states[2 * around] ?? 0) & VISIBILITY;
  const whole = [top];
  for (let row = top; role[row] !== Role.documentWeb && parent[row + 1] === row; row++) whole.push(row + 1);
  for (const row of [socket, ...whole]) states[2 * row] = ((states[2 * row] ?? 0) | shown) >>> 0;
  if (rect.length > 0) { for (const row of whole) rect.copyWithin(4 * row, 4 * socket, 4 * socket + 4); }
  return whole.map((row) => [row, socket]);
}

/** Does it say itself that it is visible? What stands for a page as a whole never does. */
function isSeen({ states }: Columns, row: number): boolean {
  return ((states[2 * row] ?? 0) & (1 << State.visible)) !== 0;
}

function stringOf({ offsets, arena }: StringTable, number: number): string {
  return decoder.decode(arena.subarray(offsets[number] ?? 0, offsets[number + 1] ?? 0));
}

/** A table of strings with more at its end. */
class MoreStrings {
  readonly #first: StringTable;
  readonly #added: Uint8Array[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(first: StringTable) {
    this.#first = first;
  }

  /** A string of the table, first or added. */
  text(number: number): string {
    const at = number - this.#first.offsets.length + 1;
    return at < 0 ? stringOf(this.#first, number) : decoder.decode(this.#added[at]);
  }

  /** The number of a string that is added. */
  add(text: string): number {
    const existing = this.#numbers.get(text);
    if (existing !== undefined) return existing;
    const number = this.#first.offsets.length - 1 + this.#added.length;
    this.#added.push(encoder.encode(text));
    this.#numbers.set(text, number);
    return number;
  }

  table(): StringTable {
    const { offsets, arena } = this.#first;
    const ends = new Uint32Array(offsets.length + this.#added.length);
    ends.set(offsets);
    let end = offsets.at(-1) ?? 0;
    this.#added.forEach((bytes, k) => ends[offsets.length + k] = end += bytes.length);
    const all = new Uint8Array(end);
    all.set(arena.subarray(0, offsets.at(-1) ?? 0));
    this.#added.forEach((bytes, k) => all.set(bytes, ends[offsets.length + k - 1] ?? 0));
    return { offsets: ends, arena: all };
  }
}
