import type { Deadline } from "../../base/call.ts";
import { type ErrorCode, toBackstepError } from "../../base/error.ts";
import type { Enrolled, StepVerdict } from "../../contract/events.ts";
import { type Difference, differences, type Image, type Participant } from "../../contract/participant.ts";
import type { Desktop } from "../../desktop/desktop.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { settled } from "../model/settle.ts";
import { goneWith } from "./gone.ts";
import type { BeforeImage, UndoEntry, UndoLog } from "./undo-log.ts";
import { Patience } from "./patience.ts";
import { readTogether } from "./read-together.ts";
import { blindTo, isIncidental, type RestoreContext } from "./restore.ts";
import { showsAs } from "./shows-as.ts";

/** How long the desktop must be quiet before the last look, in milliseconds. */
const QUIET = 150;

/** Of the time that a rollback has left, what one wait before a look that comes early may take: one part in so many. */
const EARLY_SHARE = 8;

/** A participant by its key, and how it was when it was enrolled first. */
type First = readonly [key: string, first: { readonly beforeImage: BeforeImage; readonly index: number }];

/** How one participant stands. */
interface Found {
  readonly verdict: StepVerdict;
  readonly drift: Difference[];
  /** Its window or its application is gone. */
  readonly closed: boolean;
}

/** What the look that is taken once more found. */
export interface LaterLook {
  /** What reads otherwise than at the look before. */
  readonly drift: readonly Difference[];
  /** How everything stands now. */
  readonly enrolled: readonly Enrolled[];
}

/** Errors by which an element says that it is no longer there. */
const CLOSED: ReadonlySet<ErrorCode> = new Set(["stale", "app_gone", "app_not_running"]);

/** Reads every enrolled participant once more, after a quiet window, and compares it with the savepoint. */
export class FinalRead {
  readonly drift: Difference[] = [];
  readonly enrolled: Enrolled[] = [];
  /** What the rollback undoes. */
  readonly entries: readonly UndoEntry[];
  /** The first of them, by the number of its intent. */
  readonly #start: number | undefined;
  /** All that is enrolled. */
  readonly #participants: readonly Participant[];
  /** The application as it was at the savepoint, where that was looked at. */
  readonly #savepoint: Snapshot | undefined;
  /** What the look found as before, by its place in `enrolled`: it is looked at once more. */
  readonly #restored = new Map<number, string>();
  readonly #context: RestoreContext;
  readonly #all: Map<string, { readonly beforeImage: BeforeImage; readonly index: number }>;
  /** Looks at what may be closed by the end. */
  readonly #early = new Map<string, Found>();
  /** Those that an action may have touched; of the others nothing needs restoring that cannot be. */
  readonly #touched = new Set<string>();
  /** That these read as before is no proof that they are. */
  readonly #unproved = new Set<string>();

  constructor(undoLog: UndoLog, from: number, context: RestoreContext, savepoint?: Snapshot) {
    this.#context = context;
    this.#savepoint = savepoint;
    this.entries = undoLog.entries.slice(from);
    this.#start = this.entries[0]?.intent;
    this.#all = new Map(
      [...undoLog.savepoint(from)].filter(([, first]) => !isIncidental(first.beforeImage.before)),
    );
    this.#participants = [...this.#all.values()].map(({ beforeImage }) => beforeImage.participant);
    // A rollback that was cut off closed what these were in, after it had looked at them.
    const closed = undoLog.entries.findIndex((entry) =>
      [...entry.undone ?? []].some(([what, verdict]) =>
        verdict === "compensated" || (verdict === "restored" && what.startsWith("process "))
      )
    );
    for (const [key, { index, beforeImage: image }] of this.#all) {
      if (closed < 0 || index <= closed) continue;
      this.#all.delete(key);
      const verdict = undoLog.entries[index]?.undone?.get(image.participant.label);
      if (verdict !== undefined) {
        this.enrolled.push(enrolledAs(image, verdict === "already" ? "restored" : verdict));
      }
    }
    for (const { outcome, beforeImages: images } of undoLog.entries.slice(from)) {
      if (outcome === "failed") continue;
      for (const { participant } of images) this.#touched.add(participant.key);
    }
  }

  /** What reads as before may be older than what was done: it is not known to be restored. */
  unproved(key: string): void {
    this.#unproved.add(key);
  }

  /**
   * Before an action that may close what stands: at those that were enrolled first by entries after `index`. Answers what forgets
   * these looks: what is gone although nothing was closed is not known.
   */
  async before(index: number): Promise<() => void> {
    return await this.#look(this.#enrolledAfter(index));
  }

  /**
   * Before an action is undone before which something was not there, nor at the savepoint: it goes with that, as a field does that
   * a check box shows.
   */
  async beforeItGoes(index: number, { intent }: UndoEntry): Promise<void> {
    const start = this.#start;
    if (start === undefined) return;
    await this.#look(
      this.#enrolledAfter(index).filter(([, { beforeImage: { absent } }]) =>
        absent?.includes(intent) === true && absent.includes(start)
      ),
    );
  }

  #enrolledAfter(index: number): First[] {
    return [...this.#all].filter(([key, first]) => first.index > index && !this.#early.has(key));
  }

  async #look(due: readonly First[]): Promise<() => void> {
    if (due.length > 0) {
      // A share of the time that is left: many such actions must not spend what the rest of the rollback needs.
      const { deadline } = this.#context.patience;
      await this.#rest(deadline.within(deadline.remaining() / EARLY_SHARE));
      await this.#quiet();
    }
    for (const [key, found] of await this.#compareAll(due)) this.#early.set(key, found);
    return () => {
      for (const [key] of due) this.#early.delete(key);
    };
  }

  /** At all of them: what an opposite action did to what had been restored is seen only now. */
  async finish(): Promise<void> {
    if (this.#all.size === 0) return;
    await this.#quiet();
    const looked = await this.#compareAll([...this.#all]);
    for (const [key, { beforeImage: image }] of this.#all) {
      const now = looked.get(key);
      if (!now) continue;
      const seen = now.closed ? this.#early.get(key) ?? now : now;
      const doubt = seen.verdict === "restored" && this.#unproved.has(key);
      const found = doubt ? { ...seen, verdict: "unknown" as const } : seen;
      if (found === now && now.verdict === "restored") this.#restored.set(this.enrolled.length, key);
      this.drift.push(...found.drift);
      this.enrolled.push(enrolledAs(image, found.verdict));
    }
  }

  /** What was found as before, so far. */
  get restored(): BeforeImage[] {
    return [...this.#restored.values()].flatMap((key) => this.#all.get(key)?.beforeImage ?? []);
  }

  /** All that is enrolled but what was found as before. */
  get differing(): Participant[] {
    const restored = new Set(this.#restored.values());
    return this.#participants.filter(({ key }) => !restored.has(key));
  }

  /** What was acted on since is not as it was restored, and need not be. */
  actedOn(keys: ReadonlySet<string>): void {
    for (const [at, key] of this.#restored) if (keys.has(key)) this.#restored.delete(at);
  }

  /**
   * Reads what was found as before once more, a second after the last write: some applications change a value back a moment
   * later. `also` is what earlier rollbacks of the run restored: an application may change it in answer to this one.
   */
  async again(deadline: Deadline, also: readonly BeforeImage[] = []): Promise<LaterLook> {
    const patience = new Patience(deadline);
    const enrolled = [...this.enrolled];
    const drift: Difference[] = [];
    const others = also.filter(({ participant }) => !this.#all.has(participant.key));
    if (this.#restored.size > 0 || others.length > 0) await this.#rest(deadline);
    const own = [...this.#restored].flatMap(([at, key]) => {
      const image = this.#all.get(key)?.beforeImage;
      return image ? [{ at, image }] : [];
    });
    const all: { readonly at?: number; readonly image: BeforeImage }[] = [
      ...own,
      ...others.map((image) => ({ image })),
    ];
    const looked = await this.#together(
      all,
      ({ image }) => image,
      ({ image }, look) => this.#compare(image, false, look, patience),
    );
    for (const [index, now] of looked.entries()) {
      drift.push(...now.drift.map((one): Difference => ({ ...one, afterwards: true })));
      const one = all[index];
      if (one?.at === undefined) continue;
      enrolled[one.at] = enrolledAs(one.image, now.verdict);
      if (now.verdict !== "restored") this.#restored.delete(one.at);
    }
    return { drift, enrolled };
  }

  async #rest(deadline: Deadline): Promise<void> {
    try {
      await this.#context.lastWrite.rest(this.#context.desktop, deadline);
    } catch {
      // Called off, or the desktop is gone: the looks that follow fail too, and each says that it does not know.
    }
  }

  async #quiet(): Promise<void> {
    try {
      await settled(this.#context.desktop, QUIET, this.#context.patience.deadline);
    } catch {
      // Called off, or the desktop is gone: the looks that follow fail too, and each says that it does not know.
    }
  }

  /** How each of these stands now, by its key. */
  async #compareAll(
    all: readonly (readonly [key: string, first: { readonly beforeImage: BeforeImage }])[],
  ): Promise<Map<string, Found>> {
    const found = await this.#together(
      all,
      ([, { beforeImage }]) => beforeImage,
      async ([key, { beforeImage }], look): Promise<[string, Found]> => {
        return [key, await this.#compare(beforeImage, this.#touched.has(key), look, this.#context.patience)];
      },
    );
    return new Map(found);
  }

  #together<T, R>(
    all: readonly T[],
    imageOf: (one: T) => BeforeImage,
    read: (one: T, look: Desktop) => Promise<R>,
  ): Promise<R[]> {
    return readTogether(all, (one) => imageOf(one).participant, this.#context.desktop, read);
  }

  /** As it was at the savepoint is as good as its own step found it: undoing an earlier one may have brought that. */
  #asThere({ participant, earlier }: BeforeImage, now: Image): boolean {
    if (earlier !== undefined && differences("", earlier, now).length === 0) return true;
    return this.#savepoint !== undefined && showsAs(this.#savepoint, participant, now);
  }

  async #compare(
    image: BeforeImage,
    touched: boolean,
    look: Desktop,
    patience: Patience,
  ): Promise<Found> {
    const { participant, before } = image;
    if (await goneWith(image, this.#context.desktop, patience.deadline) !== undefined) {
      return { verdict: "gone", drift: [], closed: false };
    }
    const lost: Difference[] = (touched ? blindTo(before) : []).map((property) => ({
      participant: participant.label,
      property,
      expected: "as before",
      actual: before.unrestorable?.[property] ?? "not restorable",
    }));
    try {
      const now = await patience.with((call) => participant.capture(look, call));
      const found = differences(participant.label, before, now);
      const drift = [...found.length > 0 && this.#asThere(image, now) ? [] : found, ...lost];
      if (drift.length === 0) return { verdict: "restored", drift, closed: false };
      return { verdict: before.unrestorable === undefined ? "failed" : "unrestorable", drift, closed: false };
    } catch (thrown) {
      const { code, message } = toBackstepError(thrown);
      const actual = `not readable: ${message}`;
      const unread = { participant: participant.label, property: "state", expected: "as before", actual };
      return { verdict: "unknown", drift: [unread, ...lost], closed: CLOSED.has(code) };
    }
  }
}

function enrolledAs({ participant: { kind, label }, before }: BeforeImage, verdict: StepVerdict): Enrolled {
  const names = new Set([...Object.keys(before.properties), ...Object.keys(before.unrestorable ?? {})]);
  return { kind, label, properties: [...names].sort(), verdict };
}
