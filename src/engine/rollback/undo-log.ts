import type { StepVerdict } from "../../contract/events.ts";
import type { Effect } from "../../contract/effect.ts";
import type { Invocation } from "../../contract/operation.ts";
import type { Image, Participant, Surface } from "../../contract/participant.ts";
import type { WrittenImage, WrittenSurface } from "../journal/records/action.ts";
import type { LeftStanding } from "../model/left-standing.ts";
import type { Scope } from "../model/scope.ts";
import type { Undo } from "../model/step.ts";
import type { TreeSnapshot } from "../model/tree-snapshot.ts";
import { TreesBefore } from "./trees-before.ts";

/** One participant of one action: how it was before, and how the action left it. */
export interface BeforeImage {
  readonly participant: Participant;
  before: Image;
  /** Undefined until the action's outcome is read, and where it could not be. */
  after: Image | undefined;
  /** The step by which its window, dialog or menu went. */
  gone?: string;
  /** Earlier actions, by the numbers of their intents, before which it was not there. */
  readonly absent?: readonly number[];
  /** As an earlier action found it that enrolled something beside it: it may have changed it. */
  readonly earlier?: Image;
}

/** The newest before-image of each participant that may change after an action's answer, by the participant's key. */
export interface LateImages {
  readonly late: Map<string, BeforeImage>;
}

/** The author's undo. */
export interface DeclaredUndo {
  readonly declared: Undo;
  readonly scope: Scope;
  readonly app: string | undefined;
  /** What stood before the step, where no guard is declared. */
  readonly before: string | undefined;
  /** What the step left standing, where no guard is declared; undefined when it could not be read. */
  left: LeftStanding | undefined;
}

/** One action that may have to be undone. It is entered before it is done. */
export interface UndoEntry {
  readonly path: string;
  readonly name: string;
  readonly operation: string;
  /** The tool that it was called as, in the raw form. */
  readonly tool?: string;
  readonly effect: Effect;
  readonly beforeImages: readonly BeforeImage[];
  /** The author's undo, with the scope it is filled in from. */
  readonly undo: DeclaredUndo | undefined;
  /** The opposite action, known after the action. */
  inverse: Invocation | undefined;
  /** Nothing leads back past it… */
  readonly barrier: boolean;
  /** …unless it counts as declared, as in the raw `tool:` form: then the rollback passes it, and names it. */
  readonly passable: boolean;
  /** How many steps had passed before it, in the run's history. */
  readonly history: number;
  /** Number of its intent's line in the journal. */
  readonly intent: number;
  /** Of an observed action: the windows that stood before it, and those that it left. */
  readonly opened:
    | { readonly app: string | undefined; readonly before: string; left: LeftStanding | undefined }
    | undefined;
  /** "done", "failed", or "unknown": it may have landed although no answer came. */
  outcome: "pending" | "done" | "failed" | "unknown";
  /** What a rollback that was cut off has dealt with already, by what it called it. */
  readonly undone?: ReadonlyMap<string, StepVerdict>;
}

/** Nothing leads back past it, unless it is known not to have happened. */
export function isIrreversible(entry: UndoEntry): boolean {
  return entry.barrier && entry.outcome !== "failed";
}

/** Where a savepoint is: so many entries of its undo log, and so many steps of the run, are before it. */
export interface Mark {
  readonly at: number;
  readonly history: number;
  /** The application as it was here, where the desktop may have to be rebuilt. */
  readonly tree: TreeSnapshot | undefined;
}

/**
 * What has been done and not yet settled, oldest first. A transaction has an undo log of its own; when it commits, its
 * entries move into the one around it.
 */
export class UndoLog {
  readonly entries: UndoEntry[] = [];
  /** Of the transaction around this one; undefined: there is none that a savepoint may be in. */
  readonly parent: UndoLog | undefined;
  /** How many steps of the run had passed when it began. */
  readonly history: number;
  /** The transaction that it belongs to, "" for the file; undefined: what is in it is never rolled back. */
  readonly owner: string | undefined;
  /** What stood before its actions. */
  readonly trees: TreesBefore = new TreesBefore();
  readonly #marks = new Map<string, Mark>();
  /** What of the first `#listed` entries is drawn in something: each step asks, and the log of a long run is long. */
  #drawn: { readonly entry: UndoEntry; readonly image: BeforeImage }[] = [];
  #listed = 0;
  #last: UndoEntry | undefined;

  constructor(history = 0, parent?: UndoLog, owner?: string) {
    this.history = history;
    this.parent = parent;
    this.owner = owner;
  }

  /** What is drawn in a window, a dialog or a menu, oldest first. */
  get drawn(): readonly { readonly entry: UndoEntry; readonly image: BeforeImage }[] {
    // What was listed is no longer where it was.
    if (this.entries[this.#listed - 1] !== this.#last) [this.#drawn, this.#listed] = [[], 0];
    for (const entry of this.entries.slice(this.#listed)) {
      for (const image of entry.beforeImages) {
        if (image.participant.surface !== undefined) this.#drawn.push({ entry, image });
      }
    }
    this.#listed = this.entries.length;
    this.#last = this.entries.at(-1);
    return this.#drawn;
  }

  /** Takes over what an inner transaction did, and its savepoints. */
  absorb(inner: UndoLog): void {
    for (const [name, mark] of inner.#marks) {
      this.#marks.set(name, { ...mark, at: this.entries.length + mark.at });
    }
    this.entries.push(...inner.entries);
    this.trees.absorb(inner.trees);
  }

  /** Actions of this and those around it before which nothing of a participant was there, by the numbers of their intents. */
  lacking(participant: Participant): number[] {
    return [...this.parent?.lacking(participant) ?? [], ...this.trees.lacking(participant)];
  }

  /** Sets a savepoint here; the same name again moves it. */
  mark(savepoint: string, here: Omit<Mark, "at">): void {
    this.#marks.set(savepoint, { at: this.entries.length, ...here });
  }

  /** Where a savepoint is; undefined: this undo log has none of this name. */
  markOf(savepoint: string): Mark | undefined {
    return this.#marks.get(savepoint);
  }

  /** Forgets what came after the first `from` entries, savepoints too: it has been rolled back, and is not again. */
  cut(from: number): UndoEntry[] {
    for (const [name, { at }] of this.#marks) if (at > from) this.#marks.delete(name);
    this.trees.cut(this.entries[from]?.intent ?? Infinity);
    return this.entries.splice(from);
  }

  /** Each participant once, with its image at entry `from` or later, and the entry that enrolled it first. */
  savepoint(from = 0): Map<string, { readonly beforeImage: BeforeImage; readonly index: number }> {
    const first = new Map<string, { readonly beforeImage: BeforeImage; readonly index: number }>();
    const found = new Map<string, Image>();
    for (const [index, entry] of this.entries.entries()) {
      if (index < from) continue;
      for (const beforeImage of entry.beforeImages) {
        const { key, beside = [] } = beforeImage.participant;
        const earlier = found.get(key);
        if (!first.has(key)) {
          first.set(key, { beforeImage: earlier ? { ...beforeImage, earlier } : beforeImage, index });
        }
        for (const [other, image] of beside) if (!found.has(other)) found.set(other, image);
      }
    }
    return first;
  }
}

/** What a participant is drawn in, as the journal encrypts it. */
export function surfaceJson({ application, element, word }: Surface): WrittenSurface {
  const { bus, path, fingerprint: { role, name, id } } = element;
  return {
    application: application.id ?? application.name,
    pid: application.pid,
    bus,
    path,
    word,
    role,
    name,
    id,
  };
}

/** An image as the journal encrypts it. */
export function imageJson(image: Image): WrittenImage {
  return {
    properties: image.properties,
    ...(image.incidental ? { incidental: image.incidental } : {}),
    ...(image.unrestorable ? { unrestorable: image.unrestorable } : {}),
    ...(image.secure ? { secure: true } : {}),
  };
}
