import type { Json } from "../../../base/error.ts";
import { defined } from "../../../base/defined.ts";

/** Happenings that are kept of one application. */
const MOST = 200;
/** Milliseconds in which the same thing of the same element counts as one happening that goes on. */
const GOES_ON = 1_000;

/** What kinds of happenings are told of. */
export type HappeningType =
  | "window_opened"
  | "window_closed"
  | "dialog_appeared"
  | "title_changed"
  | "focus_changed"
  | "value_changed"
  | "menu_opened"
  | "notification_appeared"
  | "structure_changed";

/** Something that happened in an application. */
export interface Happening {
  readonly type: HappeningType;
  /** Of the window that it is about. */
  readonly title?: string;
  /** "AXTextField 'File name'". */
  readonly element?: string;
  /** What the title was before. */
  readonly before?: string;
}

interface Kept extends Happening {
  /** Object path of the window; is told to nobody. */
  readonly path: string | undefined;
  time: number;
  count: number;
  pattern: string | undefined;
}

/** The last happenings of one application. */
export class Ring {
  readonly #kept: Kept[] = [];

  /** Notes it; `path` is that of the window that it is about. What goes on is noted as one, with a count. */
  note(happening: Happening, path?: string, now = Date.now()): void {
    const { type, element } = happening;
    if (type === "value_changed" || type === "structure_changed") {
      const last = this.#kept.findLast((one) => one.type === type && one.element === element);
      if (last !== undefined && now - last.time < GOES_ON) {
        last.time = now;
        last.count++;
        this.#kept.splice(this.#kept.indexOf(last), 1);
        this.#kept.push(last);
        return;
      }
    }
    this.#kept.push({ ...happening, path, time: now, count: 1, pattern: undefined });
    if (this.#kept.length > MOST) this.#kept.shift();
  }

  /** Paths of the dialogs of which it is not known what they are for. */
  get unknownDialogs(): readonly string[] {
    const unknown = this.#kept.filter(({ type, pattern }) =>
      type === "dialog_appeared" && pattern === undefined
    );
    return [...new Set(unknown.flatMap(({ path }) => path ?? []))];
  }

  /** What the newest dialog at this path is for. */
  learn(path: string, pattern: string): void {
    const last = this.#kept.findLast((one) => one.type === "dialog_appeared" && one.path === path);
    if (last !== undefined) last.pattern = pattern;
  }

  /** The oldest first. */
  toJSON(): readonly { readonly [key: string]: Json }[] {
    return this.#kept.map(({ type, title, element, before, time, count, pattern }) => ({
      type,
      ...defined({ title, before, element, pattern }),
      ...(count === 1 ? {} : { count }),
      timestamp: new Date(time).toISOString(),
    }));
  }
}
