import { closest } from "../../base/closest.ts";
import { defined } from "../../base/defined.ts";
import type { PrivateDesktop } from "../../session/private-desktop.ts";
import type { DesktopRecord } from "../../session/reap.ts";
import { type Arguments, type Command, type OptionSpec } from "../command.ts";
import { usage } from "../arguments.ts";
import { DESKTOP_OPTIONS, settingsOf } from "../desktop-options.ts";
import { endAbandoned } from "../end-abandoned.ts";
import type { Io } from "../io.ts";
import { interrupts } from "../signals.ts";
import { table } from "../../report/layout.ts";
import { duration } from "../../report/style.ts";

const SETTINGS: readonly OptionSpec[] = DESKTOP_OPTIONS.map((option) => ({
  ...option,
  description: `start: ${option.description}`,
}));

/** `backstep session start|list|stop`. */
export const session: Command = {
  name: "session",
  summary: "Start, list and stop private desktops that keep running",
  details: [
    "start: starts a private desktop and leaves it running; prints its id and the environment to run programs on it.",
    "list:  all your private desktops, and whether each is running, kept, abandoned, in doubt or dead.",
    "stop:  ends a desktop by its id, or with --all every desktop that is not in use.",
  ],
  positionals: [
    { name: "verb", description: "start, list or stop", required: true, choices: ["start", "list", "stop"] },
    { name: "id", description: "stop: the desktop to end", required: false },
  ],
  options: [
    ...SETTINGS,
    {
      name: "all",
      kind: "boolean",
      description: "stop: every desktop that no running process uses and no killed run needs",
    },
    { name: "force", kind: "boolean", description: "stop: also desktops in use or in doubt" },
  ],
  examples: [
    "backstep session start --size 1920x1080",
    "backstep session start --locale de_DE.UTF-8 --theme dark --scale 2 --size 2560x1600",
    "backstep session list",
    "backstep launch gedit --session k7f2m9",
    "backstep tree --session k7f2m9 --app gedit",
    "backstep session stop k7f2m9",
  ],
  async run(args, io) {
    const [verb, id] = args.positionals;
    if (verb !== "stop") {
      if (id !== undefined) throw usage(session, `"${id}" is one argument too many`);
      for (const name of ["all", "force"]) {
        if (args.given(name)) throw usage(session, `--${name} is for stop`);
      }
    }
    const misplaced = verb === "start" ? undefined : SETTINGS.find(({ name }) => args.given(name));
    if (misplaced !== undefined) throw usage(session, `--${misplaced.name} is for start`);
    if (verb === "start") return await start(args, io);
    if (verb === "list") return await list(io);
    if (verb === "stop") return await stop(id, args, io);
    const [near] = closest(verb ?? "", ["start", "list", "stop"]);
    throw usage(
      session,
      `"${verb}" is no verb of it`,
      near === undefined ? "It is start, list or stop." : `Did you mean ${near}?`,
    );
  },
};

/** The variables by which a program finds a desktop, as a shell takes them. */
function reachedBy(environment: Readonly<Record<string, string>>): string {
  const names = ["WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "HOME"];
  return names.flatMap((name) => environment[name] ? [`${name}=${environment[name]}`] : []).join(" ");
}

async function start(args: Arguments, io: Io): Promise<number> {
  const { startPrivateDesktop } = await import("../../session/private-desktop.ts");
  await endAbandoned(io);
  const settings = settingsOf(session, args);
  const asked = interrupts(() => {});
  const options = { keep: true, ...defined({ settings }) };
  let desktop: PrivateDesktop;
  try {
    desktop = await startPrivateDesktop(options, { signal: asked.stop });
    try {
      await desktop.managed;
      asked.stop.throwIfAborted();
    } catch (error) {
      await desktop.stop();
      throw error;
    }
  } finally {
    asked.release();
  }
  const { id, display, sessionBus, took } = desktop;
  const { environment } = desktop;
  io.json({ id, display, sessionBus, environment, took_ms: Math.round(took) });
  io.text(
    `${io.style.bold(id)}  ${display}, ready in ${Math.round(took)} ms\n\n` +
      `Drive it:   backstep tree --session ${id} --app <name>\n` +
      `Run on it:  ${reachedBy(environment)} <program>\n` +
      `End it:     backstep session stop ${id}\n`,
  );
  return 0;
}

async function list(io: Io): Promise<number> {
  const records = await desktops();
  io.json({ desktops: records.map(recordJson) });
  io.text(
    records.length === 0
      ? "No private desktops.\n"
      : recordLines(records).map((line) => `${line}\n`).join(""),
  );
  return 0;
}

async function desktops(): Promise<DesktopRecord[]> {
  const { listDesktops } = await import("../../session/reap.ts");
  const { neededDesktops } = await import("../../engine/journal/needed-desktops.ts");
  const { stateFolder } = await import("../../session/lease.ts");
  return listDesktops({ needed: neededDesktops(stateFolder()) });
}

/** A desktop as JSON. */
export function recordJson({ lease, status, journal }: DesktopRecord) {
  const { id, display, created, kept, folder } = lease;
  return {
    id,
    status,
    display,
    created,
    kept,
    folder,
    owner: lease.owner.pid,
    ...defined({ journal }),
  };
}

/** Desktops as lines: id, status, display, age, and what is to be known beside. */
export function recordLines(records: readonly DesktopRecord[], now = Date.now()): string[] {
  return table(records.map(({ lease, status, journal }) => [
    lease.id,
    status,
    lease.display,
    `${duration(Math.max(0, now - Date.parse(lease.created)))} old`,
    status === "running"
      ? `in use by process ${lease.owner.pid}`
      : status === "in doubt" && journal !== undefined
      ? `open journal ${journal}`
      : "",
  ]));
}

async function stop(id: string | undefined, args: Arguments, io: Io): Promise<number> {
  const { stopDesktop } = await import("../../session/reap.ts");
  const all = args.boolean("all");
  if (all === (id !== undefined)) throw usage(session, "stop takes an id, or --all");
  const ids = id !== undefined
    ? [id]
    : (await desktops()).filter(({ status }) =>
      args.boolean("force") || status !== "running" && status !== "in doubt"
    ).map((d) => d.lease.id);
  for (const each of ids) {
    await stopDesktop(each, { evenRunning: args.boolean("force") });
    io.text(`stopped ${each}\n`);
  }
  if (ids.length === 0) io.text("Nothing to stop.\n");
  io.json({ stopped: ids });
  return 0;
}
