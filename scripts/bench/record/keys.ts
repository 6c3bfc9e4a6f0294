import { catalogue } from "../../../src/catalogue.ts";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Deadline, pause } from "../../../src/base/call.ts";
import { recordInput } from "../../../src/desktop/mode.ts";
import { Recorder } from "../../../src/record/recorder.ts";
import { openSession } from "../../../src/session/open-session.ts";
import type { Session } from "../../../src/session/session.ts";
import { Peer } from "./peer.ts";
import { type Sample, sampleOf } from "./sample.ts";

const ENTRY = fileURLToPath(new URL("entry.py", import.meta.url));
/** Rounds with the recorder off and on, by turns, and keys of one. */
const ROUNDS = 10;
const KEYS = 60;
/** Microseconds between two keys: somebody who types fast. */
const GAP = 40_000;
const F12 = 0xffc9, LETTER = 0x61;
/** Milliseconds in which the last key arrives, and between looks. */
const LATE = 5_000;
const LOOK = 10;

/** From sending a key until the application has its text, in microseconds. */
export interface KeyRow {
  readonly off: Sample;
  readonly on: Sample;
  /** How much later the middle one is with the recorder. */
  readonly delay_us: number;
}

/** Keys into a GTK 3 entry that stamps its changes. */
export async function keys(): Promise<KeyRow> {
  const folder = mkdtempSync(join(tmpdir(), "bs-keys-"));
  const session = await openSession({ kind: "isolated" });
  try {
    const file = join(folder, "stamps");
    await session.launcher.launch("/usr/bin/python3", { args: ["-B", ENTRY, file] });
    await using sender = await Peer.start(session, "send");
    await focus(session, sender);
    const taken: Record<"off" | "on", number[]> = { off: [], on: [] };
    let from = 0;
    const round = async () => {
      await sender.tell(`keys 1 1000 ${F12}`);
      const sent = await sender.tell(`keys ${KEYS} ${GAP} ${LETTER}`);
      const stamps = await stampsOf(file, from, KEYS);
      from += KEYS;
      return stamps.map((at, n) => at - (sent[n] ?? NaN));
    };
    for (let n = 0; n <= ROUNDS; n++) {
      const off = await round();
      const inputs = await recordInput(session.desktop);
      const recorder = await Recorder.start(session, inputs, { name: "keys", operations: catalogue });
      let on: number[];
      try {
        on = await Promise.race([round(), recorder.failed]);
      } finally {
        await recorder.stop();
      }
      if (n > 0) taken.off.push(...off), taken.on.push(...on);
    }
    const [off, on] = [sampleOf(taken.off), sampleOf(taken.on)];
    return { off, on, delay_us: on.p50 - off.p50 };
  } finally {
    await session.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function focus(session: Session, sender: Peer): Promise<void> {
  const deadline = Deadline.after(LATE);
  for (;;) {
    const window = (await session.desktop.windows()).find(({ title }) => title === "Entry");
    if (window !== undefined) {
      const { x, y, width, height } = window.rect;
      await sender.tell(`move ${Math.round(x + width / 2)} ${Math.round(y + height / 2)}`);
      await sender.tell("buttons 2 40000");
      return;
    }
    if (deadline.passed) throw new Error("the entry did not come");
    await pause(LOOK);
  }
}

async function stampsOf(file: string, from: number, count: number): Promise<number[]> {
  const deadline = Deadline.after(LATE);
  for (;;) {
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
    if (lines.length >= from + count) return lines.slice(from, from + count).map(Number);
    if (deadline.passed) throw new Error(`${lines.length - from} of ${count} keys arrived`);
    await pause(LOOK);
  }
}
