import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import process from "node:process";
import { closest } from "../../../base/closest.ts";
import { BackstepError } from "../../../base/error.ts";
import { defined } from "../../../base/defined.ts";
import { isDeno } from "../../../base/runtime.ts";
import { usage } from "../../arguments.ts";
import type { Arguments } from "../../command.ts";
import { settingsOf as desktopSettingsOf } from "../../desktop-options.ts";
import type { Io } from "../../io.ts";
import { CLIENT_NAMES } from "./client-names.ts";
import { clientNamed, type Homes, type McpClientProgram } from "./clients.ts";
import { intoJson, intoToml, isServerName, type ServerEntry, tomlEntry } from "./entry.ts";
import { toolsetsOf } from "./serve-options.ts";
import { difference, readConfig, replaceConfig } from "./write-config.ts";

const COMMAND = { name: "mcp install" };

/** What a server needs to find the desktop that somebody works on; clients hand on little by themselves. */
const DESKTOP = [
  "DISPLAY",
  "XAUTHORITY",
  "WAYLAND_DISPLAY",
  "DBUS_SESSION_BUS_ADDRESS",
  "XDG_RUNTIME_DIR",
  "XDG_CURRENT_DESKTOP",
  "SWAYSOCK",
  "I3SOCK",
  "NIRI_SOCKET",
];

/** `backstep mcp install`. */
export function install(args: Arguments, io: Io): Promise<number> {
  const wanted = args.string("client");
  if (wanted === undefined) {
    throw usage(COMMAND, "--client is missing", `It is one of ${CLIENT_NAMES.join(", ")}.`);
  }
  const found = clientNamed(wanted);
  if (found === undefined) {
    const near = closest(wanted, CLIENT_NAMES);
    throw usage(
      COMMAND,
      `there is no client "${wanted}" among those that it knows`,
      near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `They are ${CLIENT_NAMES.join(", ")}.`,
    );
  }
  const { client } = found;
  const name = args.string("name") ?? "backstep";
  if (!isServerName(name)) throw usage(COMMAND, `--name is letters, digits, "-" and "_", not "${name}"`);
  const homes = { home: homedir(), project: process.cwd(), platform: process.platform, env: process.env };
  const file = fileOf(client, args.string("scope"), homes);
  const entry = entryOf(args, homes);
  const before = readConfig(file);
  const after = changed(client, file, before, name, entry);
  const dry = args.boolean("dry-run");
  const same = after === before;
  const backup = dry || same ? undefined : replaceConfig(file, before, after);
  io.json({
    client: found.name,
    file,
    entry,
    changed: !same,
    written: !dry && !same,
    ...defined({ backup }),
  });
  const lines = same
    ? [`${file} says so already.`]
    : dry
    ? [`${file} would become:`, "", ...difference(before, after)]
    : [
      `wrote ${file}${backup === undefined ? "" : `; as it was: ${backup}`}`,
      client.then,
      ...(entry.args.some((word) => word.includes(`${sep}_npx${sep}`))
        ? [
          "It names npm's cache, which npm may empty: install Backstep into a folder, and run this again from there.",
        ]
        : []),
    ];
  io.text(lines.map((line) => `${line}\n`).join(""));
  return Promise.resolve(0);
}

function fileOf(client: McpClientProgram, scope: string | undefined, homes: Homes): string {
  const chosen = scope ?? client.usually;
  const path = chosen === "project" ? client.project : client.user;
  if (path === undefined) {
    throw usage(
      COMMAND,
      `${client.title} has no settings of its own for a ${chosen === "user" ? "person" : "folder"}`,
    );
  }
  return path(homes);
}

/** How this very program is started again, from anywhere, without the network. */
function entryOf(args: Arguments, { env, platform }: Homes): ServerEntry {
  const session = args.string("session") ?? "attach";
  const mode = args.string("mode");
  const { display } = desktopSettingsOf(COMMAND, args) ?? {};
  const toolsets = toolsetsOf(args.string("toolsets"));
  const passed = session === "attach" && platform === "linux"
    ? DESKTOP.flatMap((name) => env[name] ? [[name, env[name]] as const] : [])
    : [];
  return {
    command: process.execPath,
    args: [
      ...program(),
      "mcp",
      "serve",
      "--session",
      session,
      ...(display === undefined ? [] : ["--display", display]),
      ...(mode === undefined ? [] : ["--mode", mode]),
      ...(toolsets === undefined ? [] : ["--toolsets", toolsets.join(",")]),
    ],
    env: Object.fromEntries(passed),
  };
}

/** In the npm package what is started is a link in `node_modules/.bin`: the file itself needs nothing on a PATH. */
function program(): string[] {
  const main = realpathSync(resolve(process.argv[1] ?? "bin.ts"));
  if (!isDeno) return [main];
  // Deno finds deno.json beside the program, wherever the client starts it; the npm package has none.
  const permissions = existsSync(join(dirname(main), "deno.json")) ? ["--cached-only", "-P=mcp"] : ["-A"];
  return ["run", "--quiet", ...permissions, main];
}

function changed(
  client: McpClientProgram,
  file: string,
  before: string,
  name: string,
  entry: ServerEntry,
): string {
  try {
    return client.form === "toml"
      ? intoToml(before, client.key, name, entry)
      : intoJson(before, client.key, name, entry, client.more);
  } catch (error) {
    if (!(error instanceof BackstepError)) throw error;
    const { command, args, env } = entry;
    const own = { ...client.more, command, args, ...(Object.keys(env).length > 0 ? { env } : {}) };
    const snippet = client.form === "toml"
      ? tomlEntry(client.key, name, own)
      : JSON.stringify({ [client.key]: { [name]: own } }, undefined, 2);
    throw new BackstepError(
      "refused",
      `Cannot set ${client.title} up: ${file} stays as it is, since ${
        error.message.replace("Cannot change the file: ", "")
      }`,
      { cause: error, hint: `Put this into it by hand:\n${snippet}`, details: { file, snippet } },
    );
  }
}
