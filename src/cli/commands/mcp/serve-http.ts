import { toBackstepError } from "../../../base/error.ts";
import type { OpenHost } from "../../../mcp/host.ts";
import { checkGuarded, HTTP_BIND, HTTP_PORT, type HttpOptions, serveHttp } from "../../../mcp/sdk/http.ts";
import { makeServer } from "../../../mcp/sdk/server.ts";
import type { LogLevel } from "../../../mcp/wire.ts";
import { oneLine } from "../../../report/style.ts";
import { usage } from "../../arguments.ts";
import type { Arguments } from "../../command.ts";
import type { Io } from "../../io.ts";

type HttpSettings = Omit<HttpOptions, "makeServer">;
type Environment = { readonly [name: string]: string | undefined };

const COMMAND = { name: "mcp serve" };

/** How to serve over HTTP: as options say, else the environment. Throws `usage` for what cannot be. */
export function httpSettings(args: Arguments, env: Environment): HttpSettings {
  const positional = args.positionals[1];
  const port = args.given("port") ? args.number("port") : portOf(positional ?? named(env, "HTTP_PORT"));
  const token = named(env, "HTTP_TOKEN");
  const issuer = named(env, "HTTP_OAUTH_ISSUER");
  const jwksUri = named(env, "HTTP_OAUTH_JWKS_URI");
  const resource = named(env, "HTTP_RESOURCE");
  if (issuer === undefined && (jwksUri !== undefined || resource !== undefined)) {
    throw usage(COMMAND, "BACKSTEP_HTTP_OAUTH_ISSUER is missing beside the other settings of OAuth");
  }
  const settings = {
    port: port ?? HTTP_PORT,
    bind: args.string("bind") ?? named(env, "HTTP_BIND") ?? HTTP_BIND,
    sse: args.boolean("sse"),
    allowedHosts: words(named(env, "HTTP_ALLOWED_HOSTS")),
    allowedOrigins: words(named(env, "HTTP_ALLOWED_ORIGINS")),
    ...(token === undefined ? {} : { token }),
    ...(issuer === undefined ? {} : {
      oauth: {
        issuer,
        ...(jwksUri === undefined ? {} : { jwksUri }),
        ...(resource === undefined ? {} : { resource }),
      },
    }),
  };
  checkGuarded(settings);
  return settings;
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

/** What HTTP serves of a host: a session of its own for each client, and which tools act. */
export function sessionsOf(
  host: OpenHost,
  options: { readonly logLevel?: LogLevel; readonly onError?: (thrown: unknown) => void } = {},
): Pick<HttpOptions, "makeServer" | "acts"> {
  return {
    makeServer: (id) => {
      const session = host.open(id);
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
  };
}

/** A setting of the environment, under our name or the published one; an empty one is none. */
function named(env: Environment, name: string): string | undefined {
  return env[`BACKSTEP_${name}`] || env[`AXTERMINATOR_${name}`] || undefined;
}

function words(list: string | undefined): readonly string[] {
  return (list ?? "").split(",").map((word) => word.trim()).filter((word) => word !== "");
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw usage(COMMAND, `"${text}" is no port`, "It is a number from 0 to 65535.");
}
