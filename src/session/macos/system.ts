import { execFile } from "node:child_process";
import process from "node:process";
import { BackstepError } from "../../base/error.ts";
import { cancelled, type Deadline } from "../../base/call.ts";
import type { CatalogueApplication } from "../catalogue-application.ts";
import { bundlesOf } from "./bundles.ts";
import { openFailure } from "./open-failure.ts";

/** A process with a user interface, as Launch Services know it. */
export interface MacProcess {
  readonly pid: number;
  /** "com.apple.TextEdit"; "" where it has none. */
  readonly bundleId: string;
  /** What people call it. */
  readonly name: string;
  /** Hidden by its own command. */
  readonly hidden: boolean;
}

/** What macOS itself is asked beside the native core: who runs, who is installed, starting and ending. */
export interface MacSystem {
  processes(deadline: Deadline): Promise<readonly MacProcess[]>;
  installed(): readonly CatalogueApplication[];
  /** Starts it, or shows it where it runs; `args` start another instance. */
  open(
    path: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
    deadline: Deadline,
  ): Promise<void>;
  /** Asks it to end, as its menu does: it may ask about unsaved work. False: there is no such process. */
  terminate(pid: number, deadline: Deadline): Promise<boolean>;
}

const RUNNING = `
ObjC.import("AppKit");
const list = $.NSWorkspace.sharedWorkspace.runningApplications.js;
JSON.stringify(list.filter((a) => a.activationPolicy === 0).map((a) => ({
  pid: a.processIdentifier, bundleId: a.bundleIdentifier.js ?? "", name: a.localizedName.js ?? "", hidden: a.isHidden,
})));`;
const TERMINATE = `
ObjC.import("AppKit");
function run([pid]) {
  const app = $.NSRunningApplication.runningApplicationWithProcessIdentifier(Number(pid));
  return String(!app.isNil() && app.terminate);
}`;

/** The real one: by programs that every macOS has. JavaScript for Automation speaks to AppKit, and so needs no grant. */
export const macSystem: MacSystem = {
  async processes(deadline) {
    const found: unknown = JSON.parse(await run("osascript", ["-l", "JavaScript", "-e", RUNNING], deadline));
    return Array.isArray(found) ? found.flatMap(processOf) : [];
  },
  installed: () => bundlesOf(process.env),
  async open(path, args, environment, deadline) {
    const variables = Object.entries(environment).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
    const more = args.length === 0 ? [] : ["-n", "--args", ...args];
    try {
      await run("open", [...variables, "-a", path, ...more], deadline);
    } catch (thrown) {
      throw openFailure(path, thrown);
    }
  },
  async terminate(pid, deadline) {
    return (await run("osascript", ["-l", "JavaScript", "-e", TERMINATE, String(pid)], deadline)).trim() ===
      "true";
  },
};

function processOf(one: unknown): MacProcess[] {
  if (typeof one !== "object" || one === null) return [];
  const pid = "pid" in one ? one.pid : undefined, bundleId = "bundleId" in one ? one.bundleId : undefined;
  const name = "name" in one ? one.name : undefined, hidden = "hidden" in one ? one.hidden : undefined;
  if (typeof pid !== "number" || typeof bundleId !== "string" || typeof name !== "string") return [];
  return [{ pid, bundleId, name, hidden: hidden === true }];
}

const MOST = 16 * 1024 * 1024;

/** What a program wrote; it ends with the deadline. */
function run(program: string, args: readonly string[], deadline: Deadline): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      timeout: Math.max(1, Math.ceil(deadline.remaining())),
      maxBuffer: MOST,
      ...(deadline.signal ? { signal: deadline.signal } : {}),
    };
    execFile(program, [...args], options, (error, out, err) => {
      if (error === null) return resolve(out);
      if (deadline.signal?.aborted) return reject(cancelled(`run ${program}`, deadline.signal.reason));
      if (error.killed === true) {
        return reject(new BackstepError("timeout", `Cannot run ${program}: it did not end in time`));
      }
      const said = err.trim() || error.message;
      const failed = new BackstepError("missing", `Cannot run ${program}: ${said.slice(0, 500)}`, {
        cause: error,
        details: { program, ...(typeof error.code === "number" ? { exit: error.code } : {}) },
      });
      reject(failed);
    });
  });
}
