import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { bootId, identify, isAlive } from "./processes.ts";
import { DesktopSettingsSchema } from "./settings/settings.ts";

const Identity = z.object({ pid: z.number().int().positive(), start: z.number().int() });

const LeaseSchema = z.object({
  version: z.literal(1),
  id: z.string().regex(/^[a-z0-9]{4,32}$/),
  /** Who answers for the desktop: ends it, or leaves it behind. */
  owner: Identity.extend({ command: z.string() }),
  /** The boot that all pids and start times belong to. */
  boot: z.string(),
  /** Until it is set, the parts are being started. */
  ready: z.boolean(),
  parts: z.array(Identity.extend({ name: z.string() })),
  display: z.string(),
  sessionBus: z.string(),
  accessibilityBus: z.string(),
  folder: z.string(),
  /** ISO 8601. */
  created: z.string(),
  /** It is to stay after its owner. */
  kept: z.boolean(),
  /** What it was asked to be like. */
  settings: DesktopSettingsSchema.optional(),
  /** What that adds to the environment of what runs on it. */
  environment: z.record(z.string(), z.string()).optional(),
});

/** The written record of a private desktop: who owns it, what it is made of, where it is. */
export type Lease = Readonly<z.infer<typeof LeaseSchema>>;

/**
 * What is to be said of a desktop.
 * - "running": its owner is alive.
 * - "kept": its owner is gone and wanted it to stay.
 * - "in doubt": its owner is gone and a run that was on it has not ended: `recover` may need it.
 * - "abandoned": its owner is gone, and nobody wants it any more.
 * - "dead": its parts are gone, or the machine was booted since.
 */
export type DesktopStatus = "running" | "kept" | "in doubt" | "abandoned" | "dead";

/** The private desktops that runs which have not ended may need, by id, each with the folder of the run: their journals say so. */
export type NeededDesktops = ReadonlyMap<string, string>;

/** The folder of the program's state: BACKSTEP_STATE, or `backstep` in XDG_STATE_HOME, or in ~/.local/state. */
export function stateFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  if (environment["BACKSTEP_STATE"]) return environment["BACKSTEP_STATE"];
  const base = environment["XDG_STATE_HOME"] || join(environment["HOME"] || homedir(), ".local/state");
  return join(base, "backstep");
}

/** The leases in a state folder. */
export class Leases {
  readonly folder: string;

  constructor(state: string = stateFolder()) {
    this.folder = join(state, "desktops");
  }

  /** Writes a lease whole, or not at all. Throws `io`. */
  write(lease: Lease): void {
    const file = this.#file(lease.id);
    const draft = `${file}.${process.pid}.tmp`;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      writeFileSync(draft, `${JSON.stringify(lease, null, 2)}\n`, { mode: 0o600 });
      renameSync(draft, file);
    } catch (cause) {
      throw inaccessible(`write the lease of desktop ${lease.id}`, cause);
    }
  }

  /** The lease of a desktop; undefined when there is none, or its text is none. Throws `io`. */
  read(id: string): Lease | undefined {
    if (!/^[a-z0-9]+$/.test(id)) return undefined;
    let text: string;
    try {
      text = readFileSync(this.#file(id), "utf8");
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw inaccessible(`read the lease of desktop ${id}`, error);
    }
    return parseLease(text);
  }

  /** Every lease, oldest first. Throws `io`. */
  all(): Lease[] {
    let names: string[];
    try {
      names = readdirSync(this.folder);
    } catch (error) {
      if (isAbsent(error)) return [];
      throw inaccessible("list the private desktops", error);
    }
    return names.filter((name) => name.endsWith(".json"))
      .map((name) => this.read(name.slice(0, -".json".length)))
      .filter((lease) => lease !== undefined)
      .sort((a, b) => a.created.localeCompare(b.created));
  }

  /** Throws `io`. */
  remove(id: string): void {
    try {
      rmSync(this.#file(id), { force: true });
    } catch (cause) {
      throw inaccessible(`remove the lease of desktop ${id}`, cause);
    }
  }

  #file(id: string): string {
    return join(this.folder, `${id}.json`);
  }
}

/** A lease from its file's text; undefined when it is none (a later version, or damaged). */
export function parseLease(text: string): Lease | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined; // damaged: it names no process that could be signalled in good faith
  }
  const parsed = LeaseSchema.safeParse(json);
  return parsed.success ? parsed.data : undefined;
}

/** What is to be said of a desktop now. */
export function statusOf(lease: Lease, needed: NeededDesktops = new Map()): DesktopStatus {
  const sameBoot = lease.boot === bootId();
  if (sameBoot && isAlive(lease.owner)) return "running";
  if (needed.has(lease.id)) return "in doubt";
  if (!sameBoot || lease.ready && !lease.parts.every(isAlive)) return "dead";
  return lease.kept ? "kept" : "abandoned";
}

/** This process, as the owner of a desktop. */
export function thisOwner(): Lease["owner"] {
  const identity = identify(process.pid) ?? { pid: process.pid, start: 0 };
  return { ...identity, command: process.argv.slice(1).join(" ").slice(0, 200) };
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function inaccessible(doing: string, cause: unknown): BackstepError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new BackstepError("io", `Cannot ${doing}: ${why}`, {
    cause,
    hint: "Set BACKSTEP_STATE to a writable folder.",
  });
}
