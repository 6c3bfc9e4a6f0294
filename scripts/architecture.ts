/** What each folder of the code is for. A folder without a line here fails `deno task ok`, and so does a line without one. */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const FOLDERS: Readonly<Record<string, string>> = {
  "native": "the accessibility core in C: a shared library without callbacks",
  "native/include": "its one header",
  "native/linux":
    "AT-SPI over a D-Bus codec of its own; X11 and Wayland: input, pictures, clipboard; X11: windows",
  "native/macos":
    "the core of macOS: AX, CoreGraphics and the pasteboard, asked on a lane for each application",
  "native/macos/apple": "our own declarations of Apple's C interfaces",
  "native/macos/tbd": "what Apple's libraries export of it, to link with",
  "native/src": "what every platform shares: requests, replies, trees as columns, tickets",
  "native/tests": "tests, fuzzers and scripted peers of the core",
  "native/watcher": "a process that lets go of held keys when its owner dies",

  "scripts": "tasks: checks, generated pages, benchmarks, experiments",
  "scripts/act": "the W3C's test cases: which rules match, and the browser that shows them",
  "scripts/action-names": "measures what the named actions of toolkits do",
  "scripts/attack": "random nasty applications under random workflows, judged by their own account",
  "scripts/attack/laws": "what must hold in each of them",
  "scripts/bench": "benchmarks, with their peers in the same run",
  "scripts/bench/fleet": "the queue of a fleet: jobs a second, idleness, a long history",
  "scripts/bench/record": "what recording a person costs, beside a bare X client",
  "scripts/bench/step": "what each act costs, beside Playwright and pyatspi on the same application",
  "scripts/boundaries": "the layers of the code, its imports and its circles",
  "scripts/crash": "a run killed at each journal write, platform call and artefact, then recovered",
  "scripts/fleet-items":
    "work items of a fleet, some rejected and some failing at random, judged by exports and windows",
  "scripts/fleet-chaos": "the fleet under faults: its machines, what is done to them, the judge",
  "scripts/edits": "random edits of a file while `dev` runs it, and the forms that they are judged by",
  "scripts/apple": "declarations of Apple's interfaces beside Debian's crates and a table",
  "scripts/histories":
    "random workflows with fault injection on the simulated desktop, judged by its own log",
  "scripts/histories/macos": "the same over the macOS core, on the stand-in of Apple's frameworks",
  "scripts/histories/real": "the same histories on real applications",
  "scripts/matrix": "every route to a control that destroys, in every security mode",
  "scripts/npm": "the project as JavaScript: emitting, packing, its tests on Node and Bun",
  "scripts/npm/consumer": "a program of a library author that is compiled beside the installed package",
  "scripts/npm/node": "`Deno.test` over `node:test`, and a reporter for it",
  "scripts/recordings": "random acts of a person, recorded, judged by the application's account and replayed",
  "scripts/release": "what a release changes in the clone",
  "scripts/soak": "what the MCP server holds after many sessions",
  "scripts/test": "which test files run beside each other, and how long each may take",
  "scripts/travel": "desktops with a form for jumps between the steps of a run",
  "scripts/tutorial": "follows a tutorial in a real terminal, and draws what that showed",
  "scripts/words": "the words of the project: forbidden names and phrases, wrapping of Markdown",

  "src": "the packages; imports run downwards only, in the order of `scripts/boundaries.ts`",
  "src/base": "errors, deadlines, JSON, small object helpers, regular expressions in linear time",
  "src/checks": "what is judged over snapshots and frames, without doing anything",
  "src/checks/audit": "the accessibility audit: scores, suppressions, contrast from pixels",
  "src/checks/audit/rules": "its rules, one file a rule",
  "src/checks/tree": "trees in a readable notation: parsing, matching, differences",
  "src/checks/visual": "visual differences: pixels, what is perceived, clusters, explanations",
  "src/cli": "the command line: arguments, help, output, consent",
  "src/cli/commands": "its commands, one file a command",
  "src/cli/commands/test": "`test`: its command line and configuration, `--show-config`",
  "src/cli/commands/fleet": "`fleet`: its verbs, one file a verb",
  "src/cli/commands/mcp": "`mcp serve`, `install`, `doctor` and `config`",
  "src/cli/dev": "`dev` and `--debug`: watching files, lines that are typed, breakpoints",
  "src/cli/record": "what `record` does beside recording: its keys and lines, its list, running up to a step",
  "src/contract": "what an operation, an effect, a participant and a run event are; the gate",
  "src/desktop": "the model: snapshots, elements, roles, states, the Desktop interface",
  "src/desktop/actions": "how each action is done on which toolkit",
  "src/desktop/locator": "waiting for an element and explaining why there is none",
  "src/desktop/native": "the desktop through the native core",
  "src/desktop/ranking": "locators of an element, ranked by how long they will last",
  "src/desktop/selector": "selectors: parsing and matching",
  "src/desktop/simulated": "a deterministic desktop in memory with fault injection",
  "src/desktop/simulated/applications": "its applications",
  "src/engine": "running workflows as transactions",
  "src/engine/evidence": "screenshots and trees of each step, encrypted beside the journal",
  "src/engine/journal": "the journal: writing, reading, encryption, locks, artefacts",
  "src/engine/journal/records": "each kind of journal record: its fields, and its names on disk",
  "src/engine/interactive": "runs whose desktop stays: going back to a step, on from there, forks",
  "src/engine/model": "steps, templates, budgets, scopes, tree snapshots",
  "src/engine/plan": "what a workflow would do, and whether a run does that",
  "src/engine/recovery": "runs that were killed, and undo and redo of finished ones",
  "src/engine/rollback": "undoing actions, reading back, verdicts",
  "src/engine/run": "running steps: flow, transactions, savepoints, interference, interrupts",
  "src/engine/secrets": "masking secrets and what applications made of them",
  "src/ffi": "the native core's symbol table, its adapters for Deno and Node, and the safe handle",
  "src/fleet": "runs on several machines over a queue in PostgreSQL",
  "src/fleet/database": "connections: the URL, TLS, bounds, errors",
  "src/fleet/embedded": "a PostgreSQL for one machine, run as an ordinary user",
  "src/fleet/evidence": "journals and evidence of runs in the database, encrypted, in pieces",
  "src/fleet/items": "work items: loading, their states and outcomes, doing them again, exports",
  "src/fleet/jobs":
    "what a job is made of: its files by their hashes, and the project that a worker makes of them",
  "src/fleet/queue": "jobs through pg-boss: queues by labels, leases, claims, settling",
  "src/fleet/report": "one report of what many machines did; searching runs",
  "src/fleet/schema": "the tables and their migrations",
  "src/fleet/watch": "following a run, its summary, the state of runs and workers",
  "src/fleet/worker": "taking jobs and running them: lives, claims, events, recovery",
  "src/heal":
    "what an element that a locator finds no more has become, and patches of the files that name it",
  "src/heal/patch": "one string of a workflow file or program replaced, as a unified diff",
  "src/inspect": "the inspector's page: a server on the loopback, what pages see of a desktop and do on it",
  "src/inspect/element": "one element: its facts, what can be done to it, what a selector finds",
  "src/inspect/live": "trees and pictures, read while somebody looks",
  "src/inspect/page": "its script and style sheet",
  "src/intelligence": "what kind of interface a snapshot shows, its state, what could come next",
  "src/intelligence/_trees": "recorded trees for its tests",
  "src/intelligence/patterns": "the patterns, one file a pattern",
  "src/mcp": "the server for the Model Context Protocol",
  "src/mcp/conformance": "the tools and prompts that the conformance suites call",
  "src/mcp/elicitation": "asking the person at the client, and reading the answer",
  "src/mcp/prompts": "the prompts, one file a prompt",
  "src/mcp/resources": "reading and listing resources",
  "src/mcp/resources/axterminator": "`axterminator://`: status, applications, trees, screenshots",
  "src/mcp/resources/macos": "`macos://`: windows, menus, elements by path",
  "src/mcp/resources/recording": "`axterminator://recording`: what a person does, as steps",
  "src/mcp/resources/subscriptions": "changes of resources, by events and polls",
  "src/mcp/resources/wm":
    "`niri://`: outputs, workspaces, windows, layers and keyboard layouts of the window manager",
  "src/mcp/sampling": "asking the client's model",
  "src/mcp/sdk": "the one place that knows the protocol's SDK",
  "src/mcp/sdk/http": "Streamable HTTP and the older SSE over the SDK",
  "src/mcp/security": "the security policy around every call: modes, consent, limits, audit",
  "src/mcp/server": "requests to results: tools, pages, progress, tasks",
  "src/mcp/session": "what one client has: connections, references, queue, recorded acts",
  "src/mcp/tools": "what the server does for a tool beyond its view: pages, caches, questions",
  "src/mcp/transport": "what carries messages: lines of stdio, HTTP, who may come in",
  "src/mcp/transport/auth": "bearer tokens and OAuth 2.1",
  "src/mcp/transport/http": "HTTP below the SDK: limits, slow bodies, the proxy in front, streams",
  "src/mcp/transport/http/serve": "the server of the runtime: `Deno.serve` or `node:http`",
  "src/operations": "what can be done, one file an operation",
  "src/participants": "what can be protected and restored, one file a kind",
  "src/policy": "what is allowed: settings, modes, lists of applications, rates, the audit log",
  "src/policy/judgement": "what an act will hit, and whether that destroys something",
  "src/record": "what a person does as steps; writing them, and comparing what a replay found",
  "src/record/output": "step lists to workflow files, programs and ax_workflow, and back",
  "src/record/replay": "what a run finds at each step, kept beside its file, and what differs in a replay",
  "src/report": "run events to lines and lists",
  "src/report/html": "one offline HTML file of a run or of tests",
  "src/report/html/page": "its script and style sheet",
  "src/report/tests": "reporters of test runs: list, JSON, JUnit, GitHub, blobs",
  "src/script": "workflows that are programs, and runs whose calls come one by one",
  "src/session": "private desktops and their leases, attaching, launching and quitting applications",
  "src/session/macos": "the desktop of macOS: attaching, launching, terminating",
  "src/session/wayland":
    "the compositor of a private Wayland desktop: sway without hardware, as an ordinary user",
  "src/session/settings": "size, monitors, scale, locale, theme and services of a private desktop",
  "src/testing": "running workflow files as tests: workers, the queue, flaky files",
  "src/testing/changed": "what git says has changed, and what a workflow is made of",
  "src/testing/config": "`backstep.config.yaml`: its schema, finding and reading it",
  "src/testing/register": "`Deno.test` or `node:test`",
  "src/tools": "the tools of the published specifications, one file a tool, in one list",
  "src/tools/action": "tools that act on elements and keys",
  "src/tools/assert": "tools that check: text, trees, pictures",
  "src/tools/compose": "several tools as one transaction, and undo",
  "src/tools/connect": "tools that connect to applications and list them",
  "src/tools/context": "tools that tell about the session",
  "src/tools/explore": "the interface explorer",
  "src/tools/find": "tools that find elements",
  "src/tools/launch": "tools that launch, quit and list applications",
  "src/tools/observe": "tools that read: trees, values, screenshots",
  "src/tools/script": "tools that run scripts",
  "src/tools/wm": "tools that act on windows and workspaces through a window manager",
  "src/vision": "finding what is described in a picture: vision models, texts in it",
  "src/wm": "window managers: sway, i3 and niri over their own IPC, others over EWMH",
  "src/wm/ewmh": "X11 window managers that keep to EWMH: what they tell, what they are asked for",
  "src/workflow": "workflow files to steps, with a place for every diagnostic",
  "src/x11": "the X11 protocol over its socket: connections, authority, requests",

  "tests": "tests that need a desktop, a server or several packages at once",
  "tests/cli": "shapes of the command line's JSON",
  "tests/fixtures": "applications and pages that tests drive",
  "tests/fleet": "the fleet on a PostgreSQL of its own",
  "tests/images": "pairs of images for visual differences",
  "tests/input": "input that a test sends from outside",
  "tests/mcp": "clients of the MCP server",
  "tests/patterns": "recording the trees of `src/intelligence`",
  "tests/session": "processes that tests of sessions start",
  "tests/wayland": "clicks and typing on Wayland, and what of it is wanted",
  "tests/untuned": "workflows on applications that nobody tuned for",
};

/** Folders whose own folders need no line: data, one for each case. */
const WHOLE: ReadonlySet<string> = new Set([
  "native/tests",
  "tests/fixtures",
  "tests/images",
  "tests/untuned",
]);

/** Every folder of the code in git that needs a line. */
function realFolders(): string[] {
  const cwd = resolve(import.meta.dirname ?? ".", "..");
  const args = ["ls-files", "-co", "--exclude-standard", "native", "scripts", "src", "tests"];
  const { stdout } = spawnSync("git", args, { cwd, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const folders = new Set<string>();
  for (const file of stdout.split("\n")) {
    const parts = file.split("/").slice(0, -1);
    for (let depth = 1; depth <= parts.length; depth++) {
      const folder = parts.slice(0, depth).join("/");
      folders.add(folder);
      if (WHOLE.has(folder)) break;
    }
  }
  return [...folders].sort();
}

/** The folders without a line, and the lines without a folder, as sentences. */
export function faultsOf(
  real: readonly string[],
  lines: Readonly<Record<string, string>> = FOLDERS,
): string[] {
  const there = new Set(real);
  return [
    ...real.filter((one) => lines[one] === undefined).map((one) =>
      `${one}/ has no line in scripts/architecture.ts: say what it is for`
    ),
    ...Object.keys(lines).filter((one) => !there.has(one)).map((one) =>
      `${one}/ is not there: remove its line from scripts/architecture.ts`
    ),
  ];
}

/** The page, made from the folders that are there. Throws what is missing. */
export function architectureReference(): string {
  const folders = realFolders();
  const faults = faultsOf(folders);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  const rows = folders.map((folder) => {
    const depth = folder.split("/").length - 1;
    return `${"  ".repeat(depth)}- \`${folder}/\`: ${FOLDERS[folder]}`;
  });
  return `<!-- Made by \`deno task schema\` from scripts/architecture.ts. -->

# Folders

What each folder is for. How the parts work together: [the explanation](../explanation/architecture.md). Which package
may import which: \`scripts/boundaries.ts\`.

${rows.join("\n")}
`;
}
