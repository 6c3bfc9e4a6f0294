import type { DesktopRecord } from "../../session/reap.ts";
import { type Arguments, type Command, type OptionSpec } from "../command.ts";
import { usage } from "../arguments.ts";
import type { Io } from "../io.ts";

const SIZE: OptionSpec = {
  name: "size",
  kind: "string",
  value: "<WxH>",
  description: "Size of the screen in pixels (default 1280x800)",
};

/** `backstep session start|list|stop`. */
export const session: Command = {
  name: "session",
  summary: "Start, list and stop private desktops that stay",
  details: [
    "start: starts a private desktop and leaves it running; prints its id and the environment to run programs on it.",
    "list:  every private desktop of yours and whether it is running, kept, abandoned, in doubt or dead.",
    "stop:  ends one by its id, or all that nobody uses with --all.",
  ],
  positionals: [
    { name: "verb", description: "start, list or stop", required: true },
    { name: "id", description: "The desktop to stop", required: false },
  ],
  options: [
    SIZE,
    { name: "all", kind: "boolean", description: "stop: every desktop that no living process uses" },
    { name: "force", kind: "boolean", description: "stop: also while another process uses it" },
  ],
  examples: [
    "backstep session start",
    "backstep tree --session k7f2m9 --app gedit",
    "backstep session stop k7f2m9",
  ],
  async run(args, io) {
    const [verb, id] = args.positionals;
    if (verb === "start") return await start(args, io);
    if (verb === "list") return await list(io);
    if (verb === "stop") return await stop(id, args, io);
    throw usage(session, `"${verb}" is no verb`, "start, list or stop");
  },
};

async function start(args: Arguments, io: Io): Promise<number> {
  const { startPrivateDesktop } = await import("../../session/private-desktop.ts");
  const desktop = await startPrivateDesktop({ keep: true, ...size(args.string("size")) });
  await desktop.managed;
  const { id, display, sessionBus, took } = desktop;
  const { environment } = desktop;
  io.json({ id, display, sessionBus, environment, took_ms: Math.round(took) });
  io.text(
    `${io.style.bold(id)}  ${display}, ready in ${Math.round(took)} ms\n\n` +
      `Drive it:   backstep tree --session ${id} --app <name>\n` +
      `Run on it:  DISPLAY=${display} DBUS_SESSION_BUS_ADDRESS=${sessionBus} HOME=${
        environment["HOME"] ?? ""
      } <program>\n` +
      `End it:     backstep session stop ${id}\n`,
  );
  return 0;
}

function size(text: string | undefined): { width?: number; height?: number } {
  if (text === undefined) return {};
  const match = /^(\d{2,5})x(\d{2,5})$/.exec(text);
  if (!match) throw usage(session, `--size is like 1280x800, not "${text}"`);
  return { width: Number(match[1]), height: Number(match[2]) };
}

async function list(io: Io): Promise<number> {
  const { listDesktops } = await import("../../session/reap.ts");
  const { isOpenJournal } = await import("../../engine/journal.ts");
  const records = listDesktops({ isOpenJournal });
  io.json({ desktops: records.map(recordJson) });
  io.text(
    records.length === 0 ? "No private desktops.\n" : records.map((r) => `${recordLine(r)}\n`).join(""),
  );
  return 0;
}

/** A desktop as JSON. */
export function recordJson({ lease, status }: DesktopRecord) {
  const { id, display, created, kept, folder } = lease;
  return {
    id,
    status,
    display,
    created,
    kept,
    folder,
    owner: lease.owner.pid,
    ...(lease.journal === undefined ? {} : { journal: lease.journal }),
  };
}

/** A desktop as a line. */
export function recordLine({ lease, status }: DesktopRecord): string {
  const of = status === "running" ? ` by process ${lease.owner.pid}` : "";
  const journal = status === "in doubt" && lease.journal !== undefined
    ? `, open journal ${lease.journal}`
    : "";
  return `${lease.id}  ${status}${of}  ${lease.display}  since ${lease.created}${journal}`;
}

async function stop(id: string | undefined, args: Arguments, io: Io): Promise<number> {
  const { listDesktops, stopDesktop } = await import("../../session/reap.ts");
  const all = args.boolean("all");
  if (all === (id !== undefined)) throw usage(session, "stop takes an id, or --all");
  const ids = id !== undefined
    ? [id]
    : listDesktops().filter((d) => d.status !== "running" || args.boolean("force")).map((d) => d.lease.id);
  for (const each of ids) {
    await stopDesktop(each, { evenRunning: args.boolean("force") });
    io.text(`stopped ${each}\n`);
  }
  if (ids.length === 0) io.text("Nothing to stop.\n");
  io.json({ stopped: ids });
  return 0;
}
