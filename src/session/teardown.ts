import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { MARKER } from "./environment.ts";
import { allProcesses, bootId, environmentOf, identify, signalProcess, whenGone } from "./processes.ts";
import type { ProcessIdentity } from "../base/process-stat.ts";

/** What is to be taken down. */
export interface Ruin {
  readonly id: string;
  readonly boot: string;
  readonly folder: string;
  readonly display: string;
  /** What its parts added to the environment of its applications: XWayland's display is in there. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly parts: readonly (ProcessIdentity & { readonly name: string })[];
}

/** Milliseconds that applications, and then each part, get to leave before they are killed. */
const GRACE = { applications: 1_000, part: 500 } as const;

/** Parts go in this order: the accessibility launcher before its bus, or that bus leaks; the display last. */
const ORDER = [["accessibility"], ["openbox", "bus"], ["xvfb", "sway"]] as const;

/**
 * Ends every process of a desktop and removes its folder and socket. Whatever state it is in, and however often
 * it is called: what is gone already is passed over, and no process is signalled that is not this desktop's.
 */
export async function tearDown(ruin: Ruin): Promise<void> {
  if (ruin.boot === bootId()) {
    const parts = new Set(ruin.parts.map((part) => part.pid));
    await end(
      processesOf(ruin).filter((process) => !parts.has(process.pid) && !isPartOfBus(process)),
      GRACE.applications,
    );
    for (const names of ORDER) {
      await end(ruin.parts.filter((part) => names.some((name) => name === part.name)), GRACE.part);
    }
    await endStragglers(ruin);
    removeDisplaySocket(ruin.environment?.["DISPLAY"] ?? ruin.display);
  }
  await removeFolder(ruin.folder);
}

/** Every process of a desktop: by its mark in the environment, or by belonging to a session that one of ours began. */
export function processesOf(
  ruin: Pick<Ruin, "id" | "parts" | "folder">,
): (ProcessIdentity & { command: string })[] {
  const all = allProcesses();
  const leaders = [...ruin.parts, ...launchedOn(ruin.folder)];
  const begun = new Map(leaders.map((leader) => [leader.pid, leader.start]));
  const running = new Map(all.map((stat) => [stat.pid, stat.start]));
  return all.filter((stat) => {
    if (stat.pid === process.pid) return false;
    if (environmentOf(stat.pid, MARKER) === ruin.id) return true;
    const start = begun.get(stat.session);
    // A session's number stays taken while it has members, so that it can only be another's if its leader is.
    return start !== undefined && stat.start >= start && (running.get(stat.session) ?? start) === start;
  });
}

/** The applications that were launched on a desktop, as the launcher noted them in its folder. */
function launchedOn(folder: string): ProcessIdentity[] {
  const notes = join(folder, "apps");
  let names: string[];
  try {
    names = readdirSync(notes);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
  return names.map((name) => /^(\d+)-(\d+)\.json$/.exec(name)).filter((match) => match !== null)
    .map((match) => ({ pid: Number(match[1]), start: Number(match[2]) }));
}

/** The accessibility bus and its registry end with their launcher; ended before it, they would be started again. */
function isPartOfBus(process: { readonly command: string }): boolean {
  return process.command === "dbus-daemon" || process.command.startsWith("at-spi");
}

async function end(identities: readonly ProcessIdentity[], grace: number): Promise<void> {
  const asked = identities.filter((identity) => signalProcess(identity, "SIGTERM"));
  if (await whenGone(asked, Deadline.after(grace))) return;
  const killed = asked.filter((identity) => signalProcess(identity, "SIGKILL"));
  await whenGone(killed, Deadline.after(grace));
}

/** Kills what is left, and what that left in turn. Throws `internal` when something cannot be ended. */
async function endStragglers(ruin: Ruin): Promise<void> {
  const deadline = Deadline.after(2_000);
  for (;;) {
    const left = processesOf(ruin);
    if (left.length === 0) return;
    if (deadline.passed) {
      const names = left.map((process) => `${process.command} (${process.pid})`).join(", ");
      throw new BackstepError(
        "internal",
        `Cannot end the private desktop ${ruin.id}: still running: ${names}`,
        { hint: `End these by hand, then what is left: backstep session stop ${ruin.id}` },
      );
    }
    for (const process of left) signalProcess(process, "SIGKILL");
    await whenGone(left, deadline.within(500));
  }
}

/**
 * A killed Xvfb leaves its socket behind (and, where it picked its number itself, no lock), a killed compositor XWayland's and
 * its lock. They are removed only when nobody listens there: by now the number may be another server's.
 */
function removeDisplaySocket(display: string): void {
  const number = /^:(\d+)$/.exec(display)?.[1];
  if (number === undefined) return;
  const socket = `/tmp/.X11-unix/X${number}`;
  const before = fileId(socket);
  const listening = readFileSync("/proc/net/unix", "utf8").split("\n").some((line) =>
    line.endsWith(` ${socket}`)
  );
  // A server that took the number meanwhile has made another file.
  if (listening || before === undefined || before !== fileId(socket)) return;
  rmSync(socket, { force: true });
  const lock = `/tmp/.X${number}-lock`;
  // wlroots ends it with a NUL.
  const holder = existsSync(lock) ? /\d+/.exec(readFileSync(lock, "utf8"))?.[0] : undefined;
  if (holder !== undefined && identify(Number(holder)) === undefined) rmSync(lock, { force: true });
}

function fileId(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.ctimeNs}`;
}

/** A dying process may still write into the folder while it is being removed: hence more than one try. */
async function removeFolder(folder: string): Promise<void> {
  if (!/^bs-[a-z0-9]+$/.test(basename(folder)) || dirname(folder) === "/") {
    throw new BackstepError("internal", `Cannot remove "${folder}": it is no folder of a private desktop`, {
      hint: "Its lease was changed by hand: remove the file in the folder `desktops` of BACKSTEP_STATE.",
    });
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
