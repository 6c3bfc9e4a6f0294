import { type BackstepError, toBackstepError } from "../../../base/error.ts";
import { VERSION } from "../../../base/version.ts";
import { defined } from "../../../base/defined.ts";
import { serveStdio } from "../../../mcp/sdk/stdio.ts";
import type { Host, OpenHost } from "../../../mcp/server/host.ts";
import type { McpSession } from "../../../mcp/server/call.ts";
import type { Toolset } from "../../../tools/tool.ts";
import type { Settings } from "../../../policy/settings.ts";
import { SETTINGS } from "../../../policy/table.ts";
import type { Session } from "../../../session/session.ts";
import { oneLine } from "../../../report/style.ts";
import { usage } from "../../arguments.ts";
import type { Arguments } from "../../command.ts";
import type { Io } from "../../io.ts";
import { settingsOf as desktopSettingsOf } from "../../desktop-options.ts";
import { interrupts } from "../../signals.ts";
import { modeOf, withSession } from "../../with-session.ts";
import { toolsetsOf } from "./serve-options.ts";

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
  const { settingsOf } = await import("./configure.ts");
  const settings = settingsOf(args);
  return http ? await onHttp(args, io, toolsets, settings) : await onStdio(args, io, toolsets, settings);
}

async function onStdio(
  args: Arguments,
  io: Io,
  toolsets: readonly Toolset[] | undefined,
  settings: Settings,
): Promise<number> {
  const logLevel = settings.get(SETTINGS.logLevel);
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
      // Clients kill what has not ended four seconds after them; what was done to a private desktop ends with it.
      ...(["isolated", "simulated"].includes(args.string("session") ?? "attach") ? { grace: 2_500 } : {}),
      stop: asked.stop,
      onError: fault,
      open(gone) {
        const opened = Promise.withResolvers<{ host: Host; session: McpSession }>();
        desktop = withHost(args, io, gone, toolsets, settings, async (host) => {
          opened.resolve({ host, session: host.open("stdio") });
          await over.promise;
        }, fault);
        desktop.catch((error: unknown) => {
          if (!gone.aborted) fault(error);
          opened.reject(error);
        });
        return opened.promise;
      },
    });
  } finally {
    over.resolve();
    // Why it could not be opened has been told.
    await desktop?.catch(() => {});
    asked.release();
  }
  return 0;
}

/** Serves many clients over HTTP until an interrupt. */
async function onHttp(
  args: Arguments,
  io: Io,
  toolsets: readonly Toolset[] | undefined,
  settings: Settings,
): Promise<number> {
  const logLevel = settings.get(SETTINGS.logLevel);
  const { serveOnHttp, httpSettings } = await import("./serve-http.ts");
  const asked = interrupts(() => {});
  try {
    // What cannot be is said before a desktop is opened for it.
    const http = httpSettings(args, settings);
    await withHost(
      args,
      io,
      asked.stop,
      toolsets,
      settings,
      (host) => serveOnHttp(host, http, io, logLevel, asked.stop),
    );
  } catch (error) {
    if (!asked.stop.aborted) throw error;
  } finally {
    asked.release();
  }
  return 0;
}

/**
 * Opens the desktop and a host on it, and closes both after the action. With `absent` a desktop that cannot be had is told
 * there, and the host stands on none: its tools say why they can do nothing.
 */
async function withHost(
  args: Arguments,
  io: Io,
  signal: AbortSignal,
  toolsets: readonly Toolset[] | undefined,
  settings: Settings,
  action: (host: OpenHost) => Promise<void>,
  absent?: (error: BackstepError) => void,
): Promise<void> {
  const app = args.string("app");
  const choice = {
    session: args.string("session") ?? "attach",
    ...modeOf(args),
    ...defined({ app, settings: desktopSettingsOf(COMMAND, args) }),
    signal,
    announced: false,
  };
  let opened = false;
  const serve = async (desktop: Session) => {
    opened = true;
    const { makeHost } = await import("../../../mcp/make-host.ts");
    const extra = args.boolean("conformance")
      ? { extra: (await import("../../../mcp/conformance/all.ts")).conformance }
      : {};
    const { guardOf } = await import("./guard-of.ts");
    const guarded = guardOf(desktop, settings, io);
    const host = makeHost({
      ...guarded.options,
      version: VERSION,
      caches: {
        trees: settings.get(SETTINGS.treeCacheMs),
        screenshots: settings.get(SETTINGS.screenshotDebounceMs),
      },
      ...defined({ toolsets }),
      ...extra,
    });
    try {
      await action(host);
    } finally {
      await host.close();
      guarded.close();
    }
  };
  try {
    await withSession(choice, io, serve);
  } catch (thrown) {
    const error = toBackstepError(thrown);
    if (opened || absent === undefined || error.code !== "no_desktop") throw thrown;
    absent(error);
    const { absentSession } = await import("../../../session/absent.ts");
    await serve(absentSession(error));
  }
}
