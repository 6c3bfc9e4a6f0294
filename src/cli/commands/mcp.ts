import { closest } from "../../base/closest.ts";
import { usage } from "../arguments.ts";
import { type Command, ON_A_DESKTOP } from "../command.ts";
import { CLIENT_NAMES } from "./mcp/client-names.ts";
import { SETTING_OPTIONS } from "./mcp/setting-options.ts";

const VERBS = ["serve", "install", "doctor"];
/** Options that one verb takes; `--session` and `--mode` are both verbs'. */
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
  summary: "Serve a desktop to AI models over the Model Context Protocol, and set their programs up for it",
  details: [
    "serve:   serves one client on standard input and output, or many over HTTP. A client starts it by itself; " +
    "standard error is its log.",
    "install: writes the configuration with which a client starts it. Everything else in the file stays; the file as " +
    "it was is kept beside it.",
    "doctor:  says what is configured and from where, and what would stop the server.",
  ],
  positionals: [
    { name: "verb", description: "serve, install or doctor", required: true, choices: VERBS },
    { name: "port", description: "serve: the port, after --http", required: false },
  ],
  options: [
    ...ON_A_DESKTOP,
    {
      name: "toolsets",
      kind: "string",
      value: "<list>",
      description: "Offer these groups of tools only, as connect,find,observe; default: all",
    },
    {
      name: "stdio",
      kind: "boolean",
      description: "serve: on standard input and output, which is the default",
    },
    {
      name: "http",
      kind: "boolean",
      description: "serve: over Streamable HTTP, on port 8741 of this machine unless you say otherwise",
    },
    { name: "port", kind: "number", value: "<n>", description: "serve: the port of --http and --sse" },
    {
      name: "bind",
      kind: "string",
      value: "<address>",
      description:
        "serve: the address to listen on; default 127.0.0.1. Any other needs AXTERMINATOR_HTTP_TOKEN or OAuth",
    },
    {
      name: "sse",
      kind: "boolean",
      description: "serve: also for clients of the protocol of 2024-11-05, at /sse",
    },
    {
      name: "app",
      kind: "string",
      value: "<id>",
      description: "serve: launch this application first, on a desktop that begins empty",
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
      description:
        "install: for all that you do, or for the folder that you are in; default: what the client knows",
    },
    {
      name: "name",
      kind: "string",
      value: "<name>",
      description: "install: what the client calls the server; default backstep",
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
