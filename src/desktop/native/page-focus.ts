import type { Deadline } from "../../base/call.ts";
import { isEmbedded } from "../embedded.ts";
import type { Application } from "../element.ts";
import { outermost } from "../own-window.ts";
import type { Snapshot } from "../snapshot.ts";
import { State } from "../states.ts";
import type { PlaceReply } from "./refreshed.ts";

/** Asks where elements of an application lie, and for their states. */
type Ask = (paths: readonly string[], application: Application, deadline: Deadline) => Promise<PlaceReply[]>;

const FOCUSED = (1 << State.focused) >>> 0;

/**
 * An embedded page says which of its elements has the focus in it, whether or not the window around it gives the page the keys: a
 * field of the page and a button beside it both say that they have it. The keys go to what the window says; so does the state here.
 */
export class PageFocus {
  readonly #ask: Ask;
  /** By its bus name: the last tree of an application with something embedded in it. */
  readonly #trees = new Map<string, Snapshot>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** A tree of an application with something embedded that was just read. In place: no element of a page has the focus in a window where something beside it has. */
  learn(tree: Snapshot): void {
    const { states, count } = tree.columns;
    let embeds = false;
    const taken = new Set<number>();
    for (let row = 1; row < count; row++) {
      const embedded = isEmbedded({ path: tree.path(row) });
      embeds ||= embedded;
      if (!embedded && tree.has(row, "focused")) taken.add(outermost({ snapshot: tree, row }));
    }
    if (!embeds) return void this.#trees.delete(tree.origin.application.bus);
    this.#trees.set(tree.origin.application.bus, tree);
    for (let row = 1; taken.size > 0 && row < count; row++) {
      if (!tree.has(row, "focused") || !isEmbedded({ path: tree.path(row) })) continue;
      if (taken.has(outermost({ snapshot: tree, row }))) {
        states[2 * row] = ((states[2 * row] ?? 0) & ~FOCUSED) >>> 0;
      }
    }
  }

  /** What an element of a page says of its states, given what the window around it says now. */
  async corrected(low: number, path: string, application: Application, deadline: Deadline): Promise<number> {
    const tree = this.#trees.get(application.bus);
    if ((low & FOCUSED) === 0 || tree === undefined || !isEmbedded({ path })) return low;
    const row = tree.rowOf({ bus: application.bus, path });
    if (row < 0) return low;
    const window = outermost({ snapshot: tree, row });
    const beside: string[] = [];
    for (let other = window + 1; other < tree.end(window); other++) {
      const its = tree.path(other);
      if (!isEmbedded({ path: its }) && tree.has(other, "focusable")) beside.push(its);
    }
    const replies = beside.length === 0 ? [] : await this.#ask(beside, application, deadline);
    const taken = replies.some(({ states }) => ((states?.statesLow ?? 0) & FOCUSED) !== 0);
    return taken ? (low & ~FOCUSED) >>> 0 : low;
  }

  /** The application left. */
  forget(bus: string): void {
    this.#trees.delete(bus);
  }
}
