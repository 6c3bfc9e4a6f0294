import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { pause } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import { VERSION } from "../../base/version.ts";
import type { TestEvent } from "../../report/reporter.ts";
import { Worker as CrewWorker } from "../../testing/crew-worker.ts";
import { makeSuiteState } from "../../testing/suite-state.ts";
import { JOBS_ADDED, RUN_CHANGED, WORKER_CHANGED } from "../channels.ts";
import { mayPass } from "../database/database-error.ts";
import { patiently } from "../database/database.ts";
import { listen } from "../database/listen.ts";
import type { FleetPlace } from "../database/place.ts";
import type { FleetKey } from "../evidence/fleet-key.ts";
import { pruneProjects } from "../jobs/project.ts";
import { type OpenFleet, openFleet } from "../open-fleet.ts";
import { MONITOR } from "../queue/boss.ts";
import { giveBack } from "../queue/finish.ts";
import { take } from "../queue/take.ts";
import { redeliver, sweep, tidy } from "../sweep.ts";
import { buryEarlier, Life } from "./life.ts";
import { recoverRuns } from "./recover-runs.ts";
import { runAttempt } from "./run-attempt.ts";

/** Milliseconds between two looks for a job, where nobody tells of one. */
export const POLL = 500;
/** Milliseconds for what a worker writes of itself, and for its database to come back at its start. */
const OWN = 60_000;
/** Milliseconds between two rounds of removing what is old. */
const TIDY = 600_000;

/** What a worker is made with. */
export interface FleetWorkerOptions {
  readonly place: FleetPlace;
  /** Names it on its machine: what it left when it died is found by that. */
  readonly name: string;
  /** All of its labels: see `findLabels`. */
  readonly labels: readonly string[];
  /** How many jobs it does at a time. */
  readonly desktops: number;
  /** The state folder; what it needs of its own lies in `fleet` below it. */
  readonly state: string;
  /** Told each line of its log. */
  readonly log: (line: string) => void;
  /** Encrypts the keys of what is kept of runs; undefined: the fleet has none, and nobody can open it. */
  readonly key?: FleetKey | undefined;
  /** Fires: take no more, and end when what runs is done. */
  readonly drain: AbortSignal;
  /** Fires: roll back what runs, give it to others, and end. */
  readonly stop: AbortSignal;
  /** Ends once nothing is to be done; for tests. Default: it waits for more. */
  readonly once?: boolean;
}

/** Works until it is told to end. Throws where it cannot begin: `usage`, `io`, `refused`, `invalid`. */
export async function runFleetWorker(options: FleetWorkerOptions): Promise<void> {
  const { place, name, state, log, labels, desktops } = options;
  const own = join(state, "fleet", name);
  const failed = (error: unknown) => log(toBackstepError(error).message);
  const fleet = await openFleet(place, {
    name: `backstep worker ${name}`,
    works: true,
    connections: Math.min(20, 4 + desktops),
    failed,
  });
  try {
    const projects = join(own, "projects");
    pruneProjects(projects);
    const buried = await buryEarlier(join(own, "lives"), {
      recover: async (folder) => {
        if (existsSync(folder)) await recoverRuns(folder, log);
      },
      note: log,
    });
    for (const one of buried) {
      await patiently(() => bury(fleet, one.id, log), { within: OWN, failed });
      one.forget();
    }
    const life = new Life(join(own, "lives"), () => makeSuiteState(own));
    await fleet.database.run(
      `insert into worker (id, name, host, pid, labels, desktops, version) values ($1, $2, $3, $4, $5, $6, $7)`,
      [life.id, name, life.host, process.pid, labels, desktops, VERSION],
    );
    log(`worker ${name} on ${life.host}: ${desktops} desktops, labels ${labels.join(", ")}`);
    try {
      await new Working(options, fleet, life, projects).work();
    } finally {
      await patiently(() => leaveLife(fleet, life.id), { within: OWN, failed });
      life.close();
    }
  } finally {
    await fleet.close();
  }
}

const Delivery = z.object({ attempt: z.string(), queue: z.string(), token: z.number() });

/** Nothing of an earlier life can act any more: what it had is given to others at once. */
async function bury(fleet: OpenFleet, id: string, log: (line: string) => void): Promise<void> {
  await leaveLife(fleet, id);
  const held = await fleet.database.rows(
    Delivery,
    "select id as attempt, queue, token from attempt where worker = $1 and state = 'active'",
    [id],
  );
  for (const one of held) {
    if (await giveBack(fleet, one, "its worker ended")) {
      log(`given back: ${one.attempt}, which an earlier life had`);
    }
  }
}

async function leaveLife({ database }: OpenFleet, id: string): Promise<void> {
  await database.run("update worker set state = 'ended', finished_at = now() where id = $1", [id]);
}

/** A worker at work: its desktops, each with one job at a time. */
class Working {
  readonly #options: FleetWorkerOptions;
  readonly #fleet: OpenFleet;
  readonly #life: Life;
  readonly #projects: string;
  /** Fires: take no more. */
  readonly #draining = new AbortController();
  readonly #crews: CrewWorker[] = [];
  readonly #cancels = new Map<string, Set<() => void>>();
  #wake = Promise.withResolvers<void>();
  #busy = 0;

  constructor(options: FleetWorkerOptions, fleet: OpenFleet, life: Life, projects: string) {
    this.#options = options;
    this.#fleet = fleet;
    this.#life = life;
    this.#projects = projects;
  }

  async work(): Promise<void> {
    const { place, name, drain, stop, desktops } = this.#options;
    const draining = () => this.#drain();
    drain.addEventListener("abort", draining);
    stop.addEventListener("abort", draining);
    if (drain.aborted || stop.aborted) this.#drain();
    const over = new AbortController();
    const channels = [JOBS_ADDED, RUN_CHANGED, WORKER_CHANGED];
    const listener = await listen(place, `backstep worker ${name}`, channels, (channel, payload) => {
      if (channel === JOBS_ADDED) this.#awake();
      else void this.#look(channel, payload);
    });
    const tending = this.#tend(over.signal);
    try {
      await Promise.all(Array.from({ length: desktops }, (_, index) => this.#slot(index + 1)));
    } finally {
      over.abort();
      await tending;
      await listener.close();
      drain.removeEventListener("abort", draining);
      stop.removeEventListener("abort", draining);
      await Promise.all(this.#crews.map((crew) => crew.end()));
    }
  }

  #drain(): void {
    this.#draining.abort();
    this.#awake();
  }

  #awake(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  /** What others ask for, read from the tables: what was told may have been missed. */
  async #look(channel: string, payload: string): Promise<void> {
    const { database } = this.#fleet;
    try {
      if (channel === WORKER_CHANGED || payload === "") {
        const [own] = await database.rows(
          z.object({ state: z.string() }),
          "select state from worker where id = $1",
          [
            this.#life.id,
          ],
        );
        if (own?.state === "draining") this.#drain();
      }
      if (this.#cancels.size === 0) return;
      const cancelled = await database.rows(
        z.object({ id: z.string() }),
        "select id from run where state = 'cancelled' and id = any($1::text[])",
        [[...this.#cancels.keys()]],
      );
      for (const { id } of cancelled) for (const then of this.#cancels.get(id) ?? []) then();
    } catch (thrown) {
      this.#options.log(toBackstepError(thrown).message);
    }
  }

  /** Says that it is alive, looks after what nobody else does, and removes what is old. */
  async #tend(over: AbortSignal): Promise<void> {
    const { log } = this.#options;
    let tidied = performance.now();
    let tended = -Infinity;
    while (!over.aborted) {
      try {
        await redeliver(this.#fleet);
        if (performance.now() - tended < MONITOR * 1_000) continue;
        tended = performance.now();
        await this.#fleet.database.run("update worker set seen_at = now() where id = $1", [this.#life.id]);
        await this.#look(WORKER_CHANGED, "");
        await sweep(this.#fleet);
        if (performance.now() - tidied > TIDY) {
          await tidy(this.#fleet);
          tidied = performance.now();
        }
      } catch (thrown) {
        log(toBackstepError(thrown).message);
      } finally {
        await pause(POLL, over).catch(() => {
          // It is over: that is what ends the loop.
        });
      }
    }
  }

  /** One desktop: takes a job, does it, and takes the next one. */
  async #slot(slot: number): Promise<void> {
    const { labels, stop, log, once } = this.#options;
    let heard: (event: TestEvent) => void = () => {};
    const crew = new CrewWorker(slot, {
      job: { vars: {} },
      state: this.#life.state,
      listener: (event) => heard(event),
      // Whoever comes after this life must find the process.
      started: () => this.#owns(),
    });
    this.#crews.push(crew);
    while (!this.#draining.signal.aborted) {
      try {
        const woken = this.#wake.promise;
        const taken = await take(this.#fleet, { worker: this.#life.id, slot, labels });
        if (!taken) {
          if (once && this.#busy === 0) return;
          await Promise.race([woken, pause(POLL)]);
          continue;
        }
        this.#busy++;
        try {
          await runAttempt(taken, {
            fleet: this.#fleet,
            projects: this.#projects,
            key: this.#options.key,
            crew: (listener) => {
              heard = listener;
              return crew;
            },
            failed: (error) => log(toBackstepError(error).message),
            log,
            stop,
            onCancel: (run, then) => this.#onCancel(run, then),
          });
          if (stop.aborted) await giveBack(this.#fleet, taken, "its worker was stopped");
        } finally {
          this.#busy--;
          heard = () => {};
        }
      } catch (thrown) {
        log(toBackstepError(thrown).message);
        // Not reached now: the lease of what it had runs out, and somebody takes it.
        if (!mayPass(thrown)) await pause(POLL);
        else await pause(POLL * 2);
      }
    }
  }

  #owns(): void {
    this.#life.owns(this.#crews.flatMap((crew) => crew.pid ?? []));
  }

  #onCancel(run: string, then: () => void): () => void {
    const all = this.#cancels.get(run) ?? new Set();
    all.add(then);
    this.#cancels.set(run, all);
    return () => {
      all.delete(then);
      if (all.size === 0) this.#cancels.delete(run);
    };
  }
}
