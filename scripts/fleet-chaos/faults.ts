import { z } from "zod";
import { Deadline, pause } from "../../src/base/call.ts";
import type { EmbeddedPostgres } from "../../src/fleet/embedded/postgres.ts";
import type { Database } from "../../src/fleet/database/database.ts";
import { patiently } from "../../src/fleet/database/database.ts";
import { identify, signalProcess, whenGone } from "../../src/session/processes.ts";
import type { Machine } from "./machine.ts";

/** Milliseconds of a lease: the least that pg-boss has. */
export const LEASE = 10_000;
/** Milliseconds that a worker stays frozen, and that a machine stays dead: longer than its lease. */
const LONG = LEASE + 6_000;

/** What is done to the fleet, with how often of a hundred. */
const KINDS = [
  ["kill the machine", 46],
  ["kill the worker", 12],
  ["kill its desktops", 10],
  ["freeze the machine beyond its lease", 8],
  ["freeze the machine shortly", 8],
  ["cut connections", 8],
  ["kill PostgreSQL", 4],
  ["restart PostgreSQL", 4],
] as const;
type Kind = typeof KINDS[number][0];

const Delivered = z.object({ id: z.string(), token: z.number() });

/** What the faults are done to. */
export interface Target {
  readonly machines: readonly Machine[];
  readonly postgres: EmbeddedPostgres;
  readonly database: Database;
  readonly random: () => number;
  /** Resolves with the name of a worker that has just claimed an action; undefined: none did in that time. */
  readonly claimed: (within: number) => Promise<string | undefined>;
  readonly over: AbortSignal;
  readonly log: (line: string) => void;
}

/** Does faults, one after another, and counts them. */
export class Faults {
  readonly counts = new Map<string, number>();
  /** Milliseconds from the death of a machine that stayed dead until others were given what it had. */
  readonly redeliveries: number[] = [];
  kills = 0;
  readonly #target: Target;
  readonly #later: Promise<void>[] = [];
  readonly #dead = new Set<Machine>();

  constructor(target: Target) {
    this.#target = target;
  }

  /** Waits until everything that was killed or frozen runs again. */
  async settle(): Promise<void> {
    await Promise.all(this.#later);
  }

  /** Does the next one. */
  async next(): Promise<void> {
    const { random, claimed, machines } = this.#target;
    const kind = this.#choose(random() * 100);
    // Of ten faults nine come right after a claim: between that and its action, as often as chance has it.
    const name = random() < 0.9 ? await claimed(3_000) : undefined;
    const living = machines.filter((one) => one.runs && !this.#dead.has(one));
    const machine = living.find((one) => one.name === name) ?? living[Math.floor(random() * living.length)];
    if (!machine) return;
    await this.#do(kind, machine);
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  #choose(at: number): Kind {
    let sum = 0;
    for (const [kind, share] of KINDS) {
      sum += share;
      if (at < sum) return kind;
    }
    return KINDS[0][0];
  }

  async #do(kind: Kind, machine: Machine): Promise<void> {
    const { postgres, database, random, over } = this.#target;
    switch (kind) {
      case "kill the machine":
        this.kills++;
        machine.signal("all", "SIGKILL");
        return await this.#again(machine);
      case "kill the worker":
        this.kills++;
        machine.signal("own", "SIGKILL");
        return await this.#again(machine);
      case "kill its desktops":
        this.kills++;
        return machine.signal("children", "SIGKILL");
      case "freeze the machine beyond its lease":
      case "freeze the machine shortly": {
        const long = kind !== "freeze the machine shortly";
        this.#dead.add(machine);
        machine.signal("all", "SIGSTOP");
        const thaw = async () => {
          await pause(long ? LONG : 500 + random() * 2_000, over).catch(() => {
            // All is over: it wakes at once.
          });
          machine.signal("all", "SIGCONT");
          this.#dead.delete(machine);
        };
        this.#later.push(thaw());
        return;
      }
      case "cut connections":
        await patiently(() =>
          database.run(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where application_name like 'backstep worker%' and random() < 0.6`,
          ), { within: 30_000 });
        return;
      case "kill PostgreSQL": {
        const server = identify(postgres.pid ?? 0);
        if (server) {
          signalProcess(server, "SIGKILL");
          await whenGone([server], Deadline.after(10_000));
        }
        return await this.#restart();
      }
      case "restart PostgreSQL":
        await postgres.stop();
        return await this.#restart();
    }
  }

  /** Its orphans hold what it held for a moment: it starts once they are gone. */
  async #restart(): Promise<void> {
    const { postgres } = this.#target;
    for (let tries = 1;; tries++) {
      try {
        await postgres.start();
        return;
      } catch (thrown) {
        if (tries === 20) throw thrown;
        await pause(250);
      }
    }
  }

  /** Kills one machine and nothing else, and measures when others have its jobs: milliseconds. */
  async measure(): Promise<readonly number[]> {
    const { machines, claimed } = this.#target;
    await this.settle();
    const before = this.redeliveries.length;
    const name = await claimed(10_000);
    const machine = machines.find((one) => one.name === name);
    if (!machine) return [];
    const died = performance.now();
    machine.signal("all", "SIGKILL");
    this.kills++;
    await machine.gone();
    await this.#watch(machine, died);
    machine.start();
    return this.redeliveries.splice(before);
  }

  /** Starts a machine that was killed again: at once, or after so long that others must have its jobs. */
  async #again(machine: Machine): Promise<void> {
    const { random, over } = this.#target;
    const died = performance.now();
    await machine.gone();
    // One at a time stays away: somebody must be there to be given its jobs.
    if (random() < 0.75 || over.aborted || this.#dead.size > 0) return machine.start();
    this.#dead.add(machine);
    const back = async () => {
      await this.#watch(machine, died);
      const left = Math.max(0, LONG - (performance.now() - died));
      await pause(left, over).catch(() => {
        // All is over: it comes back at once.
      });
      machine.start();
      this.#dead.delete(machine);
    };
    this.#later.push(back());
  }

  /** Measures how long it takes until others have what a dead machine had. */
  async #watch(machine: Machine, died: number): Promise<void> {
    const { database, over, log } = this.#target;
    try {
      const held = await patiently(() =>
        database.rows(
          Delivered,
          `select attempt.id, token from attempt join worker on worker.id = attempt.worker
           where worker.name = $1 and worker.state <> 'ended' and attempt.state = 'active'`,
          [machine.name],
        ), { within: 30_000, signal: over });
      for (let left = held; left.length > 0 && performance.now() - died < 3 * LONG;) {
        await pause(100, over);
        const now = await patiently(
          () =>
            database.rows(Delivered, "select id, token from attempt where id = any($1::uuid[])", [
              left.map(({ id }) => id),
            ]),
          { within: 30_000, signal: over },
        );
        const moved = left.filter(({ id, token }) => now.some((one) => one.id === id && one.token !== token));
        for (const _ of moved) this.redeliveries.push(performance.now() - died);
        left = left.filter((one) => !moved.includes(one));
      }
    } catch (thrown) {
      if (!over.aborted) log(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
}
