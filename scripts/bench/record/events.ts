import type { InputEvent } from "../../../src/desktop/input-events.ts";
import { recordInput } from "../../../src/desktop/mode.ts";
import { openSession } from "../../../src/session/open-session.ts";
import type { Session } from "../../../src/session/session.ts";
import { CoreDisplay } from "./core-display.ts";
import { MonotonicClock } from "./clock.ts";
import { Peer } from "./peer.ts";
import { type Sample, sampleOf } from "./sample.ts";

/** Rounds of each, by turns, and events of one. */
const ROUNDS = 12;
const EVENTS = 100;
/** Microseconds between two events: whoever listens sleeps meanwhile. */
const GAP = 5_000;
/** Milliseconds that the last one may take. */
const LATE = 2_000;

/** From sending input until something knows of it, in microseconds. */
export interface EventRow {
  readonly what: "button" | "key";
  /** A bare client has read the raw event. */
  readonly bare: Sample;
  /** The core has it: the stamp of its record. */
  readonly core: Sample;
  /** Its record, with its place, is an event of a recording in TypeScript. */
  readonly recorded: Sample;
}

/** Presses and releases of a button, and presses of a key, on an empty private desktop. */
export async function events(): Promise<EventRow[]> {
  const session = await openSession({ kind: "isolated" });
  try {
    await using sender = await Peer.start(session, "send");
    await using bare = await Peer.start(session, "listen");
    using clock = new MonotonicClock();
    const display = await CoreDisplay.connect(session);
    await sender.tell("move 5 5");
    const rows: EventRow[] = [];
    for (const what of ["button", "key"] as const) {
      const send = async () =>
        await sender.tell(what === "button" ? `buttons ${EVENTS} ${GAP}` : `keys ${EVENTS} ${GAP} 97`);
      const taken: Record<"bare" | "core" | "recorded", number[]> = { bare: [], core: [], recorded: [] };
      // The first of each is not counted: everything is loaded then.
      for (let round = 0; round <= ROUNDS; round++) {
        const bareOnes = await ofBare(bare, send);
        const stamps = await ofCore(display, what, send);
        const ours = await ofRecording(session, clock, what, send);
        if (round === 0) continue;
        taken.bare.push(...bareOnes);
        taken.core.push(...stamps);
        taken.recorded.push(...ours);
      }
      rows.push({
        what,
        bare: sampleOf(taken.bare),
        core: sampleOf(taken.core),
        recorded: sampleOf(taken.recorded),
      });
    }
    await display.close();
    return rows;
  } finally {
    await session.close();
  }
}

/** As the core numbers them: a press and a release, a key that types. */
const WHATS = { button: [1, 2], key: [5] };

async function ofBare(bare: Peer, send: () => Promise<number[]>): Promise<number[]> {
  await bare.tell("on");
  const sent = await send();
  const read = await bare.tell("take");
  await bare.tell("off");
  return between(sent, read);
}

/** What the core itself says: the stamps of its records. */
async function ofCore(
  display: CoreDisplay,
  what: EventRow["what"],
  send: () => Promise<number[]>,
): Promise<number[]> {
  const stamps = await display.stamps(WHATS[what], EVENTS, send);
  return between(stamps.sent, stamps.read);
}

async function ofRecording(
  { desktop }: Session,
  clock: MonotonicClock,
  what: EventRow["what"],
  send: () => Promise<number[]>,
): Promise<number[]> {
  const recording = await recordInput(desktop);
  const isIt = (event: InputEvent) => event.what === (what === "button" ? "button" : "text");
  const read: number[] = [];
  const listening = (async () => {
    while (read.length < EVENTS && await recording.next({ timeout: LATE }) !== "timeout") {
      const at = clock.now();
      for (const event of recording.take()) if (isIt(event)) read.push(at);
    }
  })();
  try {
    const sent = await send();
    await listening;
    return between(sent, read);
  } finally {
    await recording.close();
  }
}

function between(sent: readonly number[], read: readonly number[]): number[] {
  if (sent.length !== EVENTS || read.length !== EVENTS) {
    throw new Error(`${sent.length} events were sent, and ${read.length} came`);
  }
  return read.map((at, n) => at - (sent[n] ?? NaN));
}
