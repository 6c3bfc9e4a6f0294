import { accessSync, constants, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { BackstepError } from "../../base/error.ts";
import type { Lease } from "../../session/lease.ts";
import type { Grant } from "../../session/macos/grants.ts";
import { platformOf } from "../../base/platform.ts";
import type { PartName } from "../../session/programs.ts";
import type { Arguments, Command } from "../command.ts";
import { oldDeno } from "../deno-version.ts";
import { attempt, type Finding, findingLines } from "../findings.ts";
import type { Io } from "../io.ts";
import { interrupts } from "../signals.ts";
import { isOnWayland, ownWayland } from "../own-wayland.ts";
import { recordJson, recordLines } from "./session.ts";

/** `backstep check`: the doctor. */
export const check: Command = {
  name: "check",
  summary: "Say which desktops can be used here, and what must be installed for the others",
  details: [
    "Also lists the private desktops on this machine and ends abandoned ones. The desktop of a killed " +
    "run stays until `recover` has finished the run, or `session stop` ends it.",
  ],
  positionals: [],
  options: [{
    name: "quick",
    kind: "boolean",
    description: "Do not start a private desktop to test it",
  }],
  examples: ["backstep check", "backstep check --format json | jq .sessions"],
  run: doctor,
};

/** Milliseconds that a private desktop gets to show that it works. */
const START = 10_000;

async function doctor(args: Arguments, io: Io): Promise<number> {
  const asked = interrupts(() => {});
  try {
    const findings = await lookAround(!args.boolean("quick"), asked.stop);
    const { listDesktops, reapAbandoned } = await import("../../session/reap.ts");
    const { neededDesktops } = await import("../../engine/journal/needed-desktops.ts");
    const { stateFolder } = await import("../../session/lease.ts");
    const needed = neededDesktops(stateFolder());
    let reaped: readonly Lease[] = [];
    const swept = await attempt("abandoned desktops", false, async () => {
      reaped = await reapAbandoned({ needed });
      return "ended";
    });
    if (!swept.ok) findings.push(swept);
    const desktops = listDesktops({ needed });
    const isolated = findings.every((f) => f.ok || !f.needed);
    const attach = findings.some((f) => f.name === OWN && f.ok);
    io.json({
      sessions: { isolated, attach, simulated: true },
      findings,
      desktops: desktops.map(recordJson),
      reaped: reaped.map((lease) => lease.id),
    });
    io.text([
      ...findingLines(findings, io.style),
      ...sessionLines({ isolated, attach, simulated: true }, io),
      ...(reaped.length === 0 ? [] : ["", `Ended abandoned desktops: ${reaped.map((l) => l.id).join(", ")}`]),
      ...(desktops.length === 0
        ? []
        : ["", io.style.bold("Private desktops"), ...recordLines(desktops).map((line) => `  ${line}`)]),
      ...(desktops.some((d) => d.status === "in doubt")
        ? ["  A run was killed half-way there. End its desktop for good: backstep session stop <id>"]
        : []),
      "",
    ].join("\n"));
    return isolated || attach ? 0 : 1;
  } finally {
    asked.release();
  }
}

const OWN = "your desktop", OWN_WAYLAND = "your Wayland session";

async function lookAround(start: boolean, signal: AbortSignal): Promise<Finding[]> {
  const old = oldDeno(process.versions["deno"]);
  const findings = [await attempt("native core", true, nativeCore), ...(old ? [old] : [])];
  if (platformOf() === "macos") return [...findings, ...await macGrants(signal)];
  // Elsewhere there is no core, and what it would need says nothing.
  if (process.platform !== "linux") return findings;
  findings.push(
    await attempt("backstep-watcher", false, watcher),
    await part("xvfb", "Xvfb"),
    await part("bus", "dbus-daemon"),
    await part("accessibility", "AT-SPI"),
    await part("openbox", "openbox"),
    await part("sway", "sway (for --display wayland)", false),
    schemas(),
  );
  const able = findings.every((f) => f.ok || !f.needed);
  if (able && start) findings.push(await attempt("private desktop", true, () => privateDesktop(signal)));
  findings.push(await attempt(OWN, false, () => ownDesktop(signal)));
  if (isOnWayland(process.env)) {
    findings.push(await attempt(OWN_WAYLAND, false, () => ownWayland(process.env, signal)));
  }
  return findings;
}

/** What macOS grants this program: the person's own desktop is the only one there. */
async function macGrants(signal: AbortSignal): Promise<Finding[]> {
  const { grantsOf } = await import("../../session/macos/grants.ts");
  let grants: readonly Grant[] = [];
  const own = await attempt(OWN, false, async () => {
    grants = await grantsOf({ timeout: START, signal });
    const lacking = grants.find((one) => one.missing !== undefined);
    if (lacking?.missing) {
      throw new BackstepError("no_desktop", lacking.missing.says, { hint: lacking.missing.fix });
    }
    return "macOS, in the background by default";
  });
  const each = grants.map(({ name, missing }): Finding =>
    missing === undefined
      ? { name, ok: true, needed: false, says: "granted" }
      : { name, ok: false, needed: false, ...missing }
  );
  const isolated: Finding = {
    name: "private desktop",
    ok: false,
    needed: true,
    says: "macOS has none",
    fix: "Use your own desktop (--session attach), or one in memory (--session simulated).",
  };
  return [...each, own, isolated];
}

function sessionLines(
  able: { isolated: boolean; attach: boolean; simulated: boolean },
  { style }: Io,
): string[] {
  const words = Object.entries(able).map(([kind, yes]) =>
    `${kind} ${yes ? style.good("yes") : style.bad("no")}`
  );
  return ["", `--session  ${words.join(" · ")}`];
}

function part(name: PartName, shown: string, needed = true): Promise<Finding> {
  return attempt(shown, needed, async () => {
    const { programOf } = await import("../../session/programs.ts");
    return programOf(name, process.env.PATH ?? "");
  });
}

async function nativeCore(): Promise<string> {
  const { defaultLibraryPath, LIBRARY_VARIABLE, loadLibrary } = await import("../../ffi/library.ts");
  const library = await loadLibrary();
  const version = library.abi();
  library.unload();
  return `${process.env[LIBRARY_VARIABLE] ?? defaultLibraryPath()}, version ${version}`;
}

/** The program beside the core that works on when a session is over. */
async function watcher(): Promise<string> {
  const { defaultLibraryPath, LIBRARY_VARIABLE } = await import("../../ffi/library.ts");
  const { fromSource } = await import("../../ffi/prebuilt.ts");
  const program = join(dirname(process.env[LIBRARY_VARIABLE] ?? defaultLibraryPath()), "backstep-watcher");
  try {
    accessSync(program, constants.X_OK);
  } catch (cause) {
    const lacking = "keys that a killed session held stay down, and what a command copied goes when it ends";
    const message = `${program} is missing, or may not be executed: ${lacking}`;
    throw new BackstepError("missing", message, { cause, hint: `Build it: ${fromSource()}` });
  }
  return program;
}

/** The accessibility bus launcher dies without the schemas that hold its switch. */
function schemas(): Finding {
  const folders = (process.env.XDG_DATA_DIRS || "/usr/local/share:/usr/share").split(":");
  const found = folders.map((f) => `${f}/glib-2.0/schemas/gschemas.compiled`).find((f) => existsSync(f));
  return found !== undefined ? { name: "GSettings schemas", ok: true, needed: true, says: found } : {
    name: "GSettings schemas",
    ok: false,
    needed: true,
    says: "not found; the accessibility bus cannot start without them",
    fix: "apt-get install gsettings-desktop-schemas libglib2.0-bin",
  };
}

async function privateDesktop(signal: AbortSignal): Promise<string> {
  const { startPrivateDesktop } = await import("../../session/private-desktop.ts");
  const desktop = await startPrivateDesktop({}, { signal, timeout: START });
  try {
    await desktop.managed;
    return `started on ${desktop.display} in ${Math.round(desktop.took)} ms`;
  } finally {
    await desktop.stop();
  }
}

async function ownDesktop(signal: AbortSignal): Promise<string> {
  const { attachToUser } = await import("../../session/attach.ts");
  const found = await attachToUser({ signal, timeout: 3_000 });
  return `accessibility bus ${found.accessibilityBus}${
    found.display === "" ? ", no X display" : `, display ${found.display}`
  }`;
}
