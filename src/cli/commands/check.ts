import { existsSync } from "node:fs";
import process from "node:process";
import { type BackstepError, toBackstepError } from "../../base/error.ts";
import type { PartName } from "../../session/programs.ts";
import type { Arguments, Command } from "../command.ts";
import type { Io } from "../io.ts";
import { recordJson, recordLine } from "./session.ts";

/** One thing that was looked at. */
interface Finding {
  readonly name: string;
  readonly ok: boolean;
  /** A missing one of these makes a private desktop impossible. */
  readonly needed: boolean;
  readonly says: string;
  readonly fix?: string;
}

/** `backstep check`: the doctor. */
export const check: Command = {
  name: "check",
  summary: "Say which desktops can be driven here, and what to install where not",
  details: [
    "Also lists the private desktops on this machine and ends those that nobody answers for any more. A desktop whose " +
    "run was killed half-way stays, since taking that run back may need it.",
  ],
  positionals: [],
  options: [{
    name: "quick",
    kind: "boolean",
    description: "Do not start a private desktop to see whether it works",
  }],
  run: doctor,
};

async function doctor(args: Arguments, io: Io): Promise<number> {
  const findings = [
    await attempt("native core", true, nativeCore),
    await part("xvfb", "Xvfb"),
    await part("bus", "dbus-daemon"),
    await part("accessibility", "AT-SPI"),
    await part("openbox", "openbox"),
    schemas(),
  ];
  const able = findings.every((f) => f.ok || !f.needed);
  if (able && !args.boolean("quick")) findings.push(await attempt("private desktop", true, privateDesktop));
  findings.push(await attempt("your desktop", false, ownDesktop));

  const { listDesktops, reapAbandoned } = await import("../../session/reap.ts");
  const { isOpenJournal } = await import("../../engine/journal.ts");
  const reaped = await reapAbandoned({ isOpenJournal });
  const desktops = listDesktops({ isOpenJournal });
  const isolated = findings.every((f) => f.ok || !f.needed);
  const attach = findings.some((f) => f.name === "your desktop" && f.ok);

  io.json({
    sessions: { isolated, attach, simulated: true },
    findings,
    desktops: desktops.map(recordJson),
    reaped: reaped.map((lease) => lease.id),
  });
  const { style } = io;
  for (const finding of findings) {
    const mark = finding.ok ? style.good("✓") : finding.needed ? style.bad("✗") : style.warn("–");
    io.text(`${mark} ${finding.name.padEnd(16)} ${finding.says}\n`);
    if (finding.fix !== undefined) io.text(`  ${" ".repeat(16)} ${style.accent(finding.fix)}\n`);
  }
  const word = (yes: boolean) => yes ? style.good("yes") : style.bad("no");
  io.text(`\n--session isolated ${word(isolated)} · attach ${word(attach)} · simulated ${word(true)}\n`);
  if (reaped.length > 0) {
    io.text(`\nEnded ${reaped.length} abandoned: ${reaped.map((l) => l.id).join(", ")}\n`);
  }
  if (desktops.length > 0) {
    io.text(`\n${style.bold("Private desktops")}\n${desktops.map((d) => `  ${recordLine(d)}\n`).join("")}`);
    if (desktops.some((d) => d.status === "in doubt")) {
      io.text("  End one for good: backstep session stop <id>\n");
    }
  }
  return isolated || attach ? 0 : 1;
}

/** Runs one look; what it throws is what is wrong. */
async function attempt(
  name: string,
  needed: boolean,
  look: () => string | Promise<string>,
): Promise<Finding> {
  try {
    return { name, ok: true, needed, says: await look() };
  } catch (thrown) {
    const error: BackstepError = toBackstepError(thrown);
    return {
      name,
      ok: false,
      needed,
      says: error.message,
      ...(error.hint === undefined ? {} : { fix: error.hint }),
    };
  }
}

function part(name: PartName, shown: string): Promise<Finding> {
  return attempt(shown, true, async () => {
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

async function privateDesktop(): Promise<string> {
  const { startPrivateDesktop } = await import("../../session/private-desktop.ts");
  const desktop = await startPrivateDesktop();
  try {
    await desktop.managed;
    return `started on ${desktop.display} in ${Math.round(desktop.took)} ms`;
  } finally {
    await desktop.stop();
  }
}

async function ownDesktop(): Promise<string> {
  const { attachToUser } = await import("../../session/attach.ts");
  const found = await attachToUser({ timeout: 3_000 });
  return `accessibility bus ${found.accessibilityBus}${
    found.display === "" ? ", no X display" : `, display ${found.display}`
  }`;
}
