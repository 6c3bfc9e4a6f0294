import { closest } from "../../base/closest.ts";
import { usage } from "../arguments.ts";
import type { Command } from "../command.ts";
import { ON_ONE_DESKTOP } from "../desktop-options.ts";
import { CLIENT_NAMES } from "./mcp/client-names.ts";
import { SETTING_OPTIONS } from "./mcp/setting-options.ts";

const VERBS = ["serve", "install", "doctor"];
/** Options that one verb takes; `--session`, `--mode` and `--display` are every verb's. */
const OF: { readonly [verb: string]: readonly string[] } = {
  serve: ["stdio", "http", "port", "bind", "sse", "app", "conformance"],
  install: ["client", "dry-run", "scope", "name"],
  doctor: [],
};
/** Settings that have options of their own. */
const ADDRESS: ReadonlySet<string> = new Set(["port", "bind"]);
const SETTINGS = SETTING_OPTIONS.map(({ name }) => name);

/** `backstep mcp serve|install|doctor`. */
export const mcp: Command = {
  name: "mcp",
  summary: "Serve a desktop to AI models over the Model Context Protocol, and set up their clients",
  details: [
    "serve:   serves one client on standard input and output, or many over HTTP. Usually a client " +
    "starts it. Standard error is its log.",
    "install: writes the configuration with which a client starts the server. Everything else in the " +
    "file stays, and the old file is kept beside it.",
    "doctor:  shows every setting and where it comes from, and what would stop the server.",
  ],
  positionals: [
    { name: "verb", description: "serve, install or doctor", required: true, choices: VERBS },
    { name: "port", description: "serve: the port, after --http", required: false },
  ],
  options: [
    ...ON_ONE_DESKTOP,
    {
      name: "toolsets",
      kind: "string",
      value: "<list>",
      description: "Offer only these groups of tools, such as connect,find,observe; default: all",
    },
    {
      name: "stdio",
      kind: "boolean",
      description: "serve: use standard input and output (default)",
    },
    {
      name: "http",
      kind: "boolean",
      description: "serve: use Streamable HTTP; default: port 8741 on 127.0.0.1",
    },
    { name: "port", kind: "number", value: "<n>", description: "serve: the port of --http and --sse" },
    {
      name: "bind",
      kind: "string",
      value: "<address>",
      description:
        "serve: the address to listen on; default 127.0.0.1. Other addresses need AXTERMINATOR_HTTP_TOKEN or OAuth",
    },
    {
      name: "sse",
      kind: "boolean",
      description: "serve: also serve clients of the protocol revision 2024-11-05, at /sse",
    },
    {
      name: "app",
      kind: "string",
      value: "<id>",
      description: "serve: first launch this application, on a new desktop",
    },
    {
      name: "conformance",
      kind: "boolean",
      description:
        "serve: also offer the tools, resources and prompts that the protocol's conformance suites call",
    },
    {
      name: "client",
      kind: "string",
      value: "<name>",
      suggests: CLIENT_NAMES,
      description: `install: which client: ${CLIENT_NAMES.join(", ")}`,
    },
    {
      name: "scope",
      kind: "string",
      value: "<scope>",
      choices: ["user", "project"],
      description: "install: user (all folders) or project (this folder); default: what the client supports",
    },
    {
      name: "name",
      kind: "string",
      value: "<name>",
      description: "install: the name of the server in the client; default backstep",
    },
    ...SETTING_OPTIONS,
    { name: "dry-run", kind: "boolean", description: "install: show what would change, and write nothing" },
  ],
  examples: [
    "backstep mcp serve --session isolated --app org.gnome.gedit",
    "backstep mcp serve --http 9000",
    "backstep mcp install --client claude-desktop --session attach --dry-run",
    "backstep mcp install --client claude-code --session isolated",
  ],
  async run(args, io) {
    const [verb = "", port] = args.positionals;
    if (!VERBS.includes(verb)) {
      const [near] = closest(verb, VERBS);
      throw usage(
        mcp,
        `"${verb}" is no verb of it`,
        near === undefined
          ? `It is ${VERBS.slice(0, -1).join(", ")} or ${VERBS.at(-1)}.`
          : `Did you mean ${near}?`,
      );
    }
    for (const [other, names] of Object.entries(OF)) {
      const foreign = other === verb
        ? undefined
        : names.find((name) => args.given(name) && !(verb === "doctor" && ADDRESS.has(name)));
      if (foreign !== undefined) throw usage(mcp, `--${foreign} is for ${other}`);
    }
    const set = verb === "install" ? SETTINGS.find((name) => args.given(name)) : undefined;
    if (set !== undefined) throw usage(mcp, `--${set} is for serve and doctor`);
    if (port !== undefined && !(verb === "serve" && args.given("http") && !args.given("port"))) {
      throw usage(mcp, `"${port}" is one argument too many`);
    }
    if (verb === "serve") return await (await import("./mcp/serve.ts")).serve(args, io);
    if (verb === "doctor") return await (await import("./mcp-doctor.ts")).doctor(args, io);
    return await (await import("./mcp/install.ts")).install(args, io);
  },
};
