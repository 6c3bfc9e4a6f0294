import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { Deadline } from "../../base/call.ts";
import type { ProcessIdentity } from "../../base/process-stat.ts";
import { BackstepError } from "../../base/error.ts";
import {
  allProcesses,
  bootId,
  environmentOf,
  identify,
  isAlive,
  signalProcess,
  whenGone,
} from "../../session/processes.ts";
import { endDesktopsOf } from "../../session/traces.ts";

const Identity = z.object({ pid: z.number().int().positive(), start: z.number().int() });
const Record = z.object({
  id: z.string(),
  /** The state folder of its runs. */
  state: z.string(),
  boot: z.string(),
  owner: Identity,
  /** The processes that do its jobs; each leads a group of its own. */
  children: z.array(Identity),
});
type Record = z.infer<typeof Record>;

/** The environment variable by which everything that a life starts says whose it is. */
const LIFE = "BACKSTEP_FLEET_LIFE";
/** Milliseconds that killed processes get to be gone. */
const GONE = 10_000;

/**
 * One life of a worker, as its machine knows it: a file that names its processes, so that the next life can make sure that
 * none of them is left that could still act.
 */
export class Life {
  readonly id: string = randomUUID();
  readonly host: string = hostname();
  /** The state folder of its runs. */
  readonly state: string;
  readonly #file: string;
  #children: readonly z.infer<typeof Identity>[] = [];

  /** `state`: makes the state folder of its runs. */
  constructor(folder: string, state: () => string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.state = state();
    process.env[LIFE] = this.id;
    this.#file = join(folder, `${this.id}.json`);
    this.#write();
  }

  /** Says which processes do its jobs now: written before they are given anything to do. */
  owns(pids: readonly number[]): void {
    this.#children = pids.flatMap((pid) => identify(pid) ?? []);
    this.#write();
  }

  /** It is over, and its processes are gone. */
  close(): void {
    rmSync(this.#file, { force: true });
  }

  #write(): void {
    const owner = identify(process.pid) ?? { pid: process.pid, start: 0 };
    const record: Record = {
      id: this.id,
      state: this.state,
      boot: bootId(),
      owner,
      children: [...this.#children],
    };
    const draft = `${this.#file}.tmp`;
    writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
    renameSync(draft, this.#file);
  }
}

/** A life that is over, and what forgets it. */
export interface Buried {
  readonly id: string;
  /** To be called once everybody knows. */
  forget(): void;
}

/** What is done about an earlier life. */
export interface Burying {
  /** Rolls back the runs that were cut off, on the desktops that are still there. */
  readonly recover: (state: string) => Promise<void>;
  readonly note: (message: string) => void;
}

/**
 * Ends what is left of earlier lives: the processes that did their jobs, with everything that those started; then their runs
 * are recovered, and their desktops ended. Answers the lives of which nothing is left that could act. One whose worker still
 * runs is left alone.
 */
export async function buryEarlier(folder: string, { recover, note }: Burying): Promise<Buried[]> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const buried: Buried[] = [];
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".json"))) {
    const file = join(folder, name);
    const record = readRecord(file);
    if (record === undefined) {
      note(`${file} cannot be read: what its worker was doing stays in doubt`);
      continue;
    }
    const here = record.boot === bootId();
    if (here && isAlive(record.owner)) continue;
    if (here) await endProcesses(record.children);
    await recover(record.state);
    if (here) {
      for (const { pid } of record.children) await endDesktopsOf(pid);
      // What was started apart from all groups still says whose it is.
      await end(allProcesses().filter(({ pid }) => environmentOf(pid, LIFE) === record.id));
    }
    buried.push({ id: record.id, forget: () => rmSync(file, { force: true }) });
  }
  return buried;
}

function readRecord(file: string): Record | undefined {
  try {
    return Record.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (thrown) {
    // Of another version, or torn: said by who asked.
    if (thrown instanceof SyntaxError || thrown instanceof z.ZodError) return undefined;
    throw thrown;
  }
}

async function endProcesses(children: Record["children"]): Promise<void> {
  const found: ProcessIdentity[] = [];
  for (const child of children) {
    // Its group, too, which goes on without the process that led it: what it started may act after it.
    for (const { pid, start } of allProcesses().filter(({ group }) => group === child.pid)) {
      // The pid was given to another process since, which leads a group of its own.
      if (pid === child.pid && start !== child.start) break;
      if (start >= child.start) found.push({ pid, start });
    }
  }
  await end(found);
}

async function end(found: readonly ProcessIdentity[]): Promise<void> {
  const killed = found.filter(({ pid, start }) => signalProcess({ pid, start }, "SIGKILL"));
  if (await whenGone(killed, Deadline.after(GONE))) return;
  const left = killed.filter(isAlive).map(({ pid }) => pid);
  throw new BackstepError(
    "refused",
    `Cannot end what an earlier worker left: ${left.join(", ")} is still there`,
  );
}
