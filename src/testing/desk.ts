import type { Call } from "../base/call.ts";
import type { RunResult } from "../contract/events.ts";
import { openChosen } from "../session/open-chosen.ts";
import type { Session } from "../session/session.ts";
import type { DesktopSettings } from "../session/settings/settings.ts";
import { clearTraces, type Traces, tracesOn } from "../session/traces.ts";

/** The desktop that a file is to have. */
export interface Choice {
  /** "isolated", "attach", "simulated", or the id of a desktop that was kept. */
  readonly session: string;
  readonly mode?: string | undefined;
  /** What a private one is to be like. */
  readonly settings?: DesktopSettings | undefined;
}

interface Held {
  readonly key: string;
  readonly session: Session;
  /** How it was when it was new; undefined: it cannot be told, and it is never used again. */
  readonly fresh: Traces | undefined;
}

/**
 * The one desktop of a worker. It is kept for the next file where nothing is left on it but files, which are taken away; else a new one takes its
 * place, and the old one goes while that is used already.
 */
export class Desk {
  #held: Held | undefined;
  readonly #going = new Set<Promise<void>>();
  readonly #note: (message: string) => void;

  constructor(note: (message: string) => void) {
    this.#note = note;
  }

  /** A desktop for a file: the one that is there when it is clean and of that kind, else a new one. */
  async take(choice: Choice, call: Call): Promise<Session> {
    const key = `${choice.session} ${choice.mode ?? ""} ${JSON.stringify(choice.settings ?? {})}`;
    if (this.#held && this.#held.key !== key) this.#drop();
    if (!this.#held) {
      const session = await openChosen(choice, call);
      this.#held = { key, session, fresh: tracesOn(session) };
    }
    return this.#held.session;
  }

  /** After a file: the desktop stays when nothing is left on it. Answers whether it did. */
  async giveBack(result: RunResult | undefined): Promise<boolean> {
    const held = this.#held;
    if (!held) return false;
    const clean = result !== undefined && leftNothing(result) && held.fresh !== undefined &&
      await clearTraces(held.session, held.fresh);
    if (!clean) this.#drop();
    return clean;
  }

  /** Ends everything that it ever opened. */
  async close(): Promise<void> {
    this.#drop();
    while (this.#going.size > 0) await Promise.all(this.#going);
  }

  #drop(): void {
    const held = this.#held;
    this.#held = undefined;
    if (!held) return;
    const gone = held.session.close().catch((thrown: unknown) => {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      this.#note(`The desktop ${held.session.label} could not be ended: ${why}`);
    }).finally(() => this.#going.delete(gone));
    this.#going.add(gone);
  }
}

/** Did the run undo all that it was to undo, and know what it did? */
function leftNothing({ exit, rollback, interference, changed_afterwards: changed }: RunResult): boolean {
  return (exit === 0 || exit === 1) && interference === undefined && rollback.beside === undefined &&
    changed === undefined &&
    ["none", "restored", "rebuilt"].includes(rollback.verdict);
}
