import { toBackstepError } from "../../../base/error.ts";
import { defined } from "../../../base/defined.ts";
import type { OpenHost } from "../../../mcp/server/host.ts";
import { checkGuarded, type HttpOptions, serveHttp } from "../../../mcp/sdk/http/http.ts";
import { makeServer } from "../../../mcp/sdk/server.ts";
import type { LogLevel } from "../../../mcp/server/wire.ts";
import type { Settings } from "../../../policy/settings.ts";
import { type Setting, SETTINGS } from "../../../policy/table.ts";
import { oneLine } from "../../../report/style.ts";
import { usage } from "../../arguments.ts";
import type { Arguments } from "../../command.ts";
import type { Io } from "../../io.ts";

type HttpSettings = Omit<HttpOptions, "makeServer">;

const COMMAND = { name: "mcp serve" };

/** How to serve over HTTP, as it is configured. Throws `usage` for what cannot be. */
export function httpSettings(args: Arguments, settings: Settings): HttpSettings {
  const given = (setting: Setting<string>) => settings.get(setting) || undefined;
  const token = given(SETTINGS.token);
  const issuer = given(SETTINGS.issuer);
  const jwksUri = given(SETTINGS.jwksUri);
  const resource = given(SETTINGS.resource);
  if (issuer === undefined && (jwksUri !== undefined || resource !== undefined)) {
    throw usage(COMMAND, "BACKSTEP_HTTP_OAUTH_ISSUER is missing beside the other settings of OAuth");
  }
  const http = {
    port: portOf(args.positionals[1]) ?? settings.get(SETTINGS.port),
    bind: settings.get(SETTINGS.bind),
    sse: args.boolean("sse"),
    json: settings.get(SETTINGS.jsonAnswers),
    allowedHosts: settings.get(SETTINGS.allowedHosts),
    allowedOrigins: settings.get(SETTINGS.allowedOrigins),
    limits: {
      sessions: settings.get(SETTINGS.httpSessions),
      idleMs: settings.get(SETTINGS.httpIdle) * 1_000,
    },
    ...defined({ token }),
    ...(issuer === undefined ? {} : {
      oauth: {
        issuer,
        ...defined({ jwksUri, resource }),
        tokenTypes: settings.get(SETTINGS.tokenTypes),
      },
    }),
  };
  checkGuarded(http);
  return http;
}

/** Serves a host's sessions until `stop` fires; then calls in flight have a moment to finish. */
export async function serveOnHttp(
  host: OpenHost,
  settings: HttpSettings,
  io: Io,
  logLevel: LogLevel,
  stop: AbortSignal,
): Promise<void> {
  const fault = (thrown: unknown) => io.note(oneLine(`backstep mcp: ${toBackstepError(thrown).message}`));
  const http = await serveHttp({
    ...settings,
    ...sessionsOf(host, { logLevel, onError: fault }),
    failed: fault,
    refused: ({ status, method, path, message }) =>
      io.note(oneLine(`backstep mcp: ${status} ${method} ${path.slice(0, 100)}: ${message}`)),
  });
  try {
    io.note(`backstep mcp: serving at ${http.url}`);
    if (!stop.aborted) {
      await new Promise<void>((resolve) => stop.addEventListener("abort", () => resolve(), { once: true }));
    }
  } finally {
    await http.close();
  }
}

/** What HTTP serves of a host: a session of its own for each client, and what acts. */
export function sessionsOf(
  host: OpenHost,
  options: { readonly logLevel?: LogLevel; readonly onError?: (thrown: unknown) => void } = {},
): Pick<HttpOptions, "makeServer" | "acts" | "actsAt"> {
  return {
    makeServer: (label) => {
      const session = host.open(label);
      const server = makeServer(host, session, options);
      return Promise.resolve({
        connect: (transport) => server.connect(transport),
        close: async () => {
          await server.close();
          await session.close();
        },
      });
    },
    acts: (name) =>
      host.tools.find(({ definition }) => definition.name === name)?.definition.annotations.readOnlyHint !==
        true,
    actsAt: (uri) => host.resources.some((family) => family.acts?.(uri) ?? false),
  };
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw usage(COMMAND, `"${text}" is no port`, "It is a number from 0 to 65535.");
}
