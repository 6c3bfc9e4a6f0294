import process from "node:process";
import { setTimeout } from "node:timers";
import { closest } from "../../../base/closest.ts";
import { BackstepError, toBackstepError } from "../../../base/error.ts";
import { VERSION } from "../../../base/version.ts";
import { serveStdio } from "../../../mcp/sdk/stdio.ts";
import type { Host } from "../../../mcp/host.ts";
import type { McpSession } from "../../../mcp/session.ts";
import { type Toolset, TOOLSETS } from "../../../mcp/tool.ts";
import { LOG_LEVELS, type LogLevel } from "../../../mcp/wire.ts";
import { oneLine } from "../../../report/style.ts";
import { usage } from "../../arguments.ts";
import type { Arguments } from "../../command.ts";
import type { Io } from "../../io.ts";
import { interrupts } from "../../signals.ts";
import { modeOf, withSession } from "../../with-session.ts";

/** Milliseconds that the process may take to end by itself once everything is closed. */
const LINGER = 300;

const COMMAND = { name: "mcp serve" };

/** `backstep mcp serve`. */
export async function serve(args: Arguments, io: Io): Promise<number> {
  const http = args.boolean("http") || args.boolean("sse");
  if (args.boolean("stdio") && http) {
    throw usage(COMMAND, "--stdio is for one client, --http and --sse are for many: choose");
  }
  for (const name of ["port", "bind"]) {
    if (args.given(name) && !http) throw usage(COMMAND, `--${name} is for --http`);
  }
  const toolsets = toolsetsOf(args.string("toolsets"));
  const logLevel = logLevelOf(process.env);
  if (http) throw new BackstepError("unsupported", "Cannot serve over HTTP: it is not there yet");
  const code = await onStdio(args, io, toolsets, logLevel);
  // A handle that somebody forgot must not outlive the client.
  setTimeout(() => process.exit(code), LINGER).unref();
  return code;
}

async function onStdio(
  args: Arguments,
  io: Io,
  toolsets: readonly Toolset[] | undefined,
  logLevel: LogLevel,
): Promise<number> {
  const asked = interrupts(() => {});
  const over = Promise.withResolvers<void>();
  const fault = (error: unknown) => {
    const { message, hint } = toBackstepError(error);
    io.note(oneLine(`backstep mcp: ${message}${hint === undefined ? "" : `. ${hint}`}`));
  };
  let desktop: Promise<void> | undefined;
  try {
    await serveStdio({
      logLevel,
      stop: asked.stop,
      onError: fault,
      open(gone) {
        const opened = Promise.withResolvers<{ host: Host; session: McpSession }>();
        desktop = onDesktop(args, io, gone, toolsets, async (host, session) => {
          opened.resolve({ host, session });
          await over.promise;
        });
        desktop.catch((error: unknown) => {
          if (!gone.aborted) fault(error);
          opened.reject(error);
        });
        return opened.promise;
      },
    });
  } finally {
    over.resolve();
    await desktop?.catch(() => {});
    asked.release();
  }
  return 0;
}

/** Opens the desktop and a host with one session on it, and closes all three after the deed. */
async function onDesktop(
  args: Arguments,
  io: Io,
  signal: AbortSignal,
  toolsets: readonly Toolset[] | undefined,
  deed: (host: Host, session: McpSession) => Promise<void>,
): Promise<void> {
  const app = args.string("app");
  const choice = {
    session: args.string("session") ?? "attach",
    ...modeOf(args),
    ...(app === undefined ? {} : { app }),
    signal,
    announced: false,
  };
  await withSession(choice, io, async (desktop) => {
    const { makeHost } = await import("../../../mcp/make-host.ts");
    const host = makeHost({ desktop, version: VERSION, ...(toolsets === undefined ? {} : { toolsets }) });
    try {
      await deed(host, host.open("stdio"));
    } finally {
      await host.close();
    }
  });
}

function toolsetsOf(list: string | undefined): readonly Toolset[] | undefined {
  if (list === undefined) return undefined;
  const words = list.split(",").map((word) => word.trim()).filter((word) => word !== "");
  if (words.length === 0) {
    throw usage(COMMAND, "--toolsets names no group", `They are ${TOOLSETS.join(", ")}.`);
  }
  return words.map((word) => {
    const toolset = TOOLSETS.find((one) => one === word);
    if (toolset !== undefined) return toolset;
    const [near] = closest(word, TOOLSETS);
    throw usage(
      COMMAND,
      `there is no group of tools "${word}"`,
      near === undefined ? `They are ${TOOLSETS.join(", ")}.` : `Did you mean ${near}?`,
    );
  });
}

/** Which of the two names of a setting is given is told elsewhere; here either will do. */
function logLevelOf(env: { readonly [name: string]: string | undefined }): LogLevel {
  const said = (env["BACKSTEP_LOG_LEVEL"] ?? env["AXTERMINATOR_LOG_LEVEL"] ?? "info").toLowerCase();
  const level = LOG_LEVELS.find((one) => one === said);
  if (level !== undefined) return level;
  throw usage(COMMAND, `AXTERMINATOR_LOG_LEVEL is "${said}"`, `It is one of ${LOG_LEVELS.join(", ")}.`);
}
