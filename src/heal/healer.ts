import { resolve } from "node:path";
import { Deadline } from "../base/call.ts";
import { BackstepError, toBackstepError } from "../base/error.ts";
import type { Act } from "../contract/gate.ts";
import type { SnapshotField } from "../desktop/desktop.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { meant } from "../desktop/locator/mod.ts";
import { fieldsOfRead, find, readSelector } from "../desktop/selector/mod.ts";
import type {
  Candidate,
  Healing,
  HealingStep,
  NoCandidate,
  Suggestion,
  Trial,
  Whereabouts,
} from "../engine/run/healing.ts";
import type { StepChange } from "../engine/run/step-change.ts";
import type { Mask } from "../engine/secrets/mask.ts";
import { applicationFor } from "../operations/application.ts";
import { evidenceOf } from "./evidence.ts";
import { isNegative, locatorsOf, type StepLocator } from "./locators.ts";
import { writePatch } from "./patch/file.ts";
import { proofOf } from "./proof.ts";
import { propose } from "./propose.ts";
import { type Entry, EvidenceStore, plain } from "./store.ts";

/** Milliseconds for one look beside a step. */
const LOOK = 2_000;
/** What labels are told by: a call an element each. */
const LABELS: readonly SnapshotField[] = ["extents", "relations", "attributes"];

/** What a healer is given. */
export interface HealerOptions {
  /** Where what is found is kept, and patches are written. */
  readonly state: string;
  /** The run's id. */
  readonly run: string;
  /** Candidates are tried, and patches written. */
  readonly proves: boolean;
  /** Told what cannot be kept. */
  readonly note: (message: string) => void;
}

/** Keeps what the locators of a run find, and says what one that finds nothing may have meant. */
export class Healer implements Healing {
  readonly proves: boolean;
  readonly #options: HealerOptions;
  readonly #store: EvidenceStore;
  /** By file: what steps found in this run. */
  readonly #found = new Map<string, Entry[]>();

  constructor(options: HealerOptions) {
    this.proves = options.proves;
    this.#options = options;
    this.#store = new EvidenceStore(options.state);
  }

  async found(step: HealingStep, act: Act): Promise<void> {
    if (isNegative(step.input)) return;
    for (const locator of locatorsOf(step.input)) {
      const { path } = step;
      const file = resolve(step.place.file);
      // What is only looked at is looked for once more for this: once is enough while its locator stays.
      const looks = act.operation.hints.readOnly;
      if (looks && this.#store.find(file, path, locator.selector)?.path === path) continue;
      const element = await evidenceAt(locator, act);
      if (element === undefined) continue;
      const entries = this.#entriesOf(step).filter((one) =>
        one.path !== path || one.selector !== locator.selector
      );
      entries.push({ path, selector: locator.selector, at: new Date().toISOString(), element });
      this.#found.set(step.place.file, entries);
    }
  }

  passed(step: HealingStep, change: StepChange | undefined): void {
    if (change === undefined) return;
    const { effect, opened, changed } = change;
    for (const entry of this.#entriesOf(step)) {
      if (entry.path === step.path) {
        entry.change = { effect, opened, changed: changed.map((one) => ({ ...one })) };
      }
    }
  }

  async candidate(step: HealingStep, where: Whereabouts): Promise<Candidate | NoCandidate | undefined> {
    try {
      for (const locator of locatorsOf(step.input)) {
        const found = await this.#candidateFor(locator, step, where);
        if (found !== undefined) return found;
      }
    } catch (thrown) {
      const { code, message } = toBackstepError(thrown);
      if (code === "cancelled") throw thrown;
      // The step says why it failed; that nothing can be said beside it is no other failure.
      this.#options.note(`Nothing can be suggested for step ${step.path}: ${message}`);
    }
    return undefined;
  }

  async #candidateFor(
    { property, selector, app }: StepLocator,
    step: HealingStep,
    { session, app: usual, deadline }: Whereabouts,
  ): Promise<Candidate | NoCandidate | undefined> {
    const entry = this.#store.find(resolve(step.place.file), step.path, selector);
    if (entry === undefined) return undefined;
    const { desktop } = session;
    const application = await applicationFor({ session, desktop, deadline, app: usual }, app);
    const read = readSelector(selector);
    const fields = [...new Set<SnapshotField>(["id", ...LABELS, ...fieldsOfRead(read)])];
    const snapshot = await desktop.snapshot(application, { ...deadline.call(), fields });
    // Another locator of the step found nothing, or it has come by now.
    if (find(read, snapshot).rows.length > 0) return undefined;
    const proposal = propose(entry.element, snapshot, { negative: isNegative(step.input) });
    if (!proposal.found) return { refused: proposal.refused, reason: proposal.reason };
    const { row, selector: to, score, margin, reasons } = proposal;
    const [only, ...more] = find(readSelector(to), snapshot).rows;
    if (only !== row || more.length > 0) {
      return { refused: "no-locator", reason: "its locator finds something else, too" };
    }
    return { property, from: selector, to, score, margin, reasons };
  }

  judge(step: HealingStep, candidate: Candidate, trial: Trial, mask: Mask): Suggestion {
    const recorded = this.#store.find(resolve(step.place.file), step.path, candidate.from)?.change;
    const proof = proofOf(recorded, trial, step.input);
    if (proof.verdict === "refuted") return { ...candidate, proof };
    try {
      const { state, run } = this.#options;
      return { ...candidate, proof, patch: writePatch(mask.apply(candidate), proof, step, { state, run }) };
    } catch (thrown) {
      if (!(thrown instanceof BackstepError)) throw thrown;
      return { ...candidate, proof: { ...proof, reason: `${proof.reason}; ${thrown.message}` } };
    }
  }

  finished(passed: boolean, mask: Mask): void {
    if (!passed) return;
    for (const [file, entries] of this.#found) {
      // What is hidden of a locator can be found by nobody.
      const findable = entries.filter(({ selector }) => mask.text(selector) === selector);
      try {
        this.#store.keep(resolve(file), mask.apply(findable));
      } catch (thrown) {
        this.#options.note(toBackstepError(thrown).message);
      }
    }
    this.#found.clear();
  }

  #entriesOf({ place }: HealingStep): Entry[] {
    return this.#found.get(place.file) ?? [];
  }
}

/** What is known of the one element that a locator of an act stands for; undefined: it is not one, or does not answer. */
async function evidenceAt(locator: StepLocator, act: Act): Promise<Entry["element"] | undefined> {
  const read = readSelector(locator.selector);
  const foundIn = (snapshot: Snapshot) => {
    const [row, ...others] = meant(snapshot, find(read, snapshot).rows);
    return others.length > 0 ? undefined : row;
  };
  const evidence = (snapshot: Snapshot, row: number) =>
    plain(evidenceOf(snapshot, row, snapshot.name(row) === ""));
  // What is acted on was found already: nothing is asked again.
  const spot = act.resolved.spots.find(({ snapshot, row }) => foundIn(snapshot) === row);
  if (spot !== undefined) return evidence(spot.snapshot, spot.row);
  if (act.resolved.spots.length > 0) return undefined;
  const deadline = Deadline.after(LOOK, act.context.deadline.signal);
  try {
    const application = await applicationFor({ ...act.context, deadline }, locator.app);
    const fields = [...new Set<SnapshotField>(["id", "extents", ...fieldsOfRead(read)])];
    const snapshot = await act.context.desktop.snapshot(application, {
      ...deadline.call(),
      source: "mirror",
      fields,
    });
    const row = foundIn(snapshot);
    return row === undefined ? undefined : evidence(snapshot, row);
  } catch (thrown) {
    if (!(thrown instanceof BackstepError) || thrown.code === "cancelled") throw thrown;
    // An application that is gone, or does not answer: the step itself says what is wrong with that.
    return undefined;
  }
}
