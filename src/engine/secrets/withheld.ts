import type { Deadline } from "../../base/call.ts";
import { type Json, toBackstepError } from "../../base/error.ts";
import { equalJson } from "../../contract/participant.ts";
import type { Application, Desktop, ElementRef, Reading, Window } from "../../desktop/desktop.ts";
import { Role } from "../../desktop/roles.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import type { JournalRecord } from "../journal/records/mod.ts";
import { settled } from "../model/settle.ts";
import type { Template } from "../model/step.ts";
import { placeholders } from "../model/template.ts";
import type { Hidden } from "./hidden.ts";
import type { Mask } from "./mask.ts";

/** Milliseconds for looking at the applications before a secret goes in, and for what it set off. */
const LOOK = 5_000, QUIET = 100;
/** Characters of an element's text that are compared. */
const MOST_TEXT = 100_000;

const WINDOWS: ReadonlySet<number> = new Set([Role.frame, Role.window, Role.dialog]);

/** What an element shows. */
interface Shown {
  readonly name?: string;
  readonly text?: string | undefined;
  readonly description?: string;
  readonly value?: string | undefined;
}

type Place = Pick<ElementRef, "bus" | "path">;

/**
 * What a run never shows: the fields that received a secret, and what changed at once when they did. An application may turn
 * a secret round or show its end, which no search for the secret finds; so what these elements are read to show is learnt by
 * the mask at the moment it is read, and is hidden wherever it is told.
 */
export class Withheld {
  readonly #mask: Mask;
  readonly #hidden: Hidden;
  /** Paths of elements that are withheld, by their application's bus. */
  readonly #elements = new Map<string, Set<string>>();
  /** Processes of which a window's title is withheld. */
  readonly #titles = new Set<number>();
  /** What applications showed before they knew of a secret: none of it was made of one. */
  readonly #ordinary = new Set<string>();
  /** What they showed before the last secret, by bus and path; what differs from it is withheld. */
  #before: ReadonlyMap<string, ReadonlyMap<string, Shown>> | undefined;
  /** Applications that could not be read before a secret went in: all that they show may be made of it. */
  readonly #unread = new Set<string>();
  /** It is not even known which these are. */
  #unknown = false;
  #focused: Place[] = [];
  #found: Place[] = [];

  constructor(mask: Mask, hidden: Hidden) {
    this.#mask = mask;
    this.#hidden = hidden;
  }

  /** There are secrets. */
  get active(): boolean {
    return !this.#mask.empty;
  }

  /** Does a step's input hold a secret? Short ones are told by the template alone. */
  holdsSecret(template: Template, input: Json): boolean {
    if (!this.active) return false;
    for (const { path: [root] } of placeholders(template)) if (root === "secrets") return true;
    return !equalJson(this.#mask.json(input), input);
  }

  /** A secret is about to go in: remembers what the applications show. */
  async before(
    desktop: Desktop,
    applications: readonly Application[] | "unknown",
    deadline: Deadline,
  ): Promise<void> {
    const limit = deadline.within(LOOK);
    const all = new Map<string, ReadonlyMap<string, Shown>>();
    this.#focused = [];
    if (applications === "unknown") return this.#cannotTell();
    for (const application of applications) {
      try {
        const snapshot = await look(desktop, application, limit);
        const seen = new Map<string, Shown>();
        for (let row = 0; row < snapshot.size; row++) seen.set(snapshot.path(row), shownBy(snapshot, row));
        all.set(application.bus, seen);
        this.#focused.push(...focusedIn(snapshot));
        for (const shown of seen.values()) for (const text of textsOf(shown)) this.#ordinary.add(text);
      } catch (thrown) {
        if (toBackstepError(thrown).code !== "app_gone") this.#unread.add(application.bus);
      }
    }
    this.#before = all;
  }

  /** It has gone in: what changed is withheld from now on, and what had the keyboard where it was typed. */
  async after(
    desktop: Desktop,
    applications: readonly Application[] | "unknown",
    deadline: Deadline,
    typed: boolean,
  ): Promise<void> {
    const limit = deadline.within(LOOK);
    if (applications === "unknown") return this.#cannotTell();
    if (typed) { for (const one of this.#focused) this.withhold(one); }
    await settled(desktop, QUIET, limit);
    for (const application of applications) {
      try {
        const snapshot = await look(desktop, application, limit); // what is seen is compared there
        if (typed) { for (const one of focusedIn(snapshot)) this.withhold(one); }
      } catch (thrown) {
        if (toBackstepError(thrown).code !== "app_gone") this.#unread.add(application.bus);
      }
    }
  }

  /** Another step is about to act: what changes from here on is not the secret's doing. */
  over(): void {
    this.#before = undefined;
  }

  /** A secret goes into it: from now on nothing that it shows is told. */
  received(element: Place): void {
    this.withhold(element);
    this.#hidden.received(element);
  }

  /** From now on nothing that it shows is told. */
  withhold({ bus, path }: Place): void {
    const paths = this.#elements.get(bus) ?? new Set();
    if (paths.has(path)) return;
    this.#elements.set(bus, paths.add(path));
    this.#found.push({ bus, path });
  }

  /** What has come since this was last asked, for the journal. */
  take(): readonly Place[] {
    return this.#found.splice(0);
  }

  /** The same of a run that another process had begun. */
  restore(records: readonly JournalRecord[]): void {
    for (const record of records) {
      if (record.kind !== "withheld") continue;
      for (const [bus, path] of record.elements) this.withhold({ bus, path });
    }
    this.#found = [];
  }

  /** A snapshot is handed on to whoever asked. */
  saw(snapshot: Snapshot): void {
    const { application } = snapshot.origin;
    const { bus } = application;
    const before = this.#before?.get(bus);
    const unread = this.#unknown || this.#unread.has(bus);
    if (before === undefined && !unread && !this.#elements.has(bus)) return;
    for (let row = 0; row < snapshot.size; row++) {
      const path = snapshot.path(row);
      const existing = unread || this.#elements.get(bus)?.has(path) === true;
      if (!existing && before === undefined) continue;
      const shown = shownBy(snapshot, row);
      if (!existing && !this.#differs(before?.get(path), shown)) continue;
      this.#mirror({ bus, path }, shown, before?.get(path));
      if (WINDOWS.has(snapshot.role(row))) this.#titles.add(application.pid);
    }
  }

  /** One element was read. */
  read(element: ElementRef, reading: Reading): void {
    const { name, text, description, value } = reading;
    const shown = { name, text, description, value: value?.current.toString() };
    const before = this.#before?.get(element.bus);
    const existing = this.#unknown || this.#unread.has(element.bus) ||
      this.#elements.get(element.bus)?.has(element.path) === true;
    if (!existing && (before === undefined || !this.#differs(before.get(element.path), shown))) return;
    this.#mirror(element, shown, before?.get(element.path));
  }

  /** Titles of windows were read. */
  titles(windows: readonly Window[]): void {
    for (const { pid, title } of windows) if (this.#titles.has(pid)) this.#learn(title);
  }

  #cannotTell(): void {
    this.#unknown = true;
    this.#before = undefined;
  }

  #mirror(element: Place, shown: Shown, was: Shown | undefined): void {
    this.withhold(element);
    this.#hidden.mirrors(element);
    for (const key of ["name", "text", "description", "value"] as const) {
      const [now, then] = [shown[key], was?.[key]];
      if (now === undefined || now === "") continue;
      this.#learn(now);
      if (then !== undefined && then !== "" && now !== then) this.#learn(newPart(then, now));
    }
  }

  #differs(was: Shown | undefined, now: Shown): boolean {
    return (["name", "text", "description", "value"] as const).some((key) => {
      const text = now[key];
      // A part of what was there is a text that was cut, or nothing new.
      return text !== undefined && text !== "" && was?.[key]?.includes(text) !== true;
    });
  }

  #learn(text: string): void {
    if (!this.#ordinary.has(text)) this.#mask.learn(text);
  }
}

function focusedIn(snapshot: Snapshot): Place[] {
  const found: Place[] = [];
  for (let row = 0; row < snapshot.size; row++) {
    if (snapshot.has(row, "focused")) found.push(snapshot.element(row));
  }
  return found;
}

async function look(desktop: Desktop, application: Application, deadline: Deadline): Promise<Snapshot> {
  return await desktop.snapshot(application, {
    ...deadline.call(),
    fields: ["text", "value"],
    maxText: MOST_TEXT,
    source: "application",
  });
}

function shownBy(snapshot: Snapshot, row: number): Shown {
  return {
    name: snapshot.name(row),
    text: snapshot.text(row),
    description: snapshot.description(row),
    value: snapshot.value(row)?.current.toString(),
  };
}

function textsOf({ name, text, description, value }: Shown): string[] {
  return [name, text, description, value].flatMap((one) => one === undefined || one === "" ? [] : [one]);
}

/** What stands between what both begin and end with: a label's last four digits. */
function newPart(was: string, now: string): string {
  const most = Math.min(was.length, now.length);
  let begin = 0;
  while (begin < most && was[begin] === now[begin]) begin++;
  let end = 0;
  while (end < most - begin && was[was.length - 1 - end] === now[now.length - 1 - end]) end++;
  return now.slice(begin, now.length - end);
}
