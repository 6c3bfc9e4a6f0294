import { equal, match, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Deadline, pause } from "../src/base/call.ts";
import type { Json } from "../src/base/error.ts";
import { isMap } from "../src/base/json.ts";
import { INITIALIZE } from "./mcp/_stdio.ts";
import { type Place, type Running, withPlace } from "./cli/program.ts";
import { oneJson } from "./cli/shapes.ts";

const APP = "gtk3-widget-factory";
const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
/** Characters of an id that nobody finds by chance: a part of it must not be written down either. */
const PART = 10;

/** Everything that a client of the server and a person at the machine get to see, by where it stands. */
class Outputs {
  readonly #all = new Map<string, string>();

  add(where: string, text: string): void {
    this.#all.set(where, `${this.#all.get(where) ?? ""}${text}`);
  }

  /** Every file below, its name too. */
  addFiles(folder: string): void {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const path = join(folder, name);
      this.add(path, name);
      if (statSync(path, { throwIfNoEntry: false })?.isFile()) this.add(path, readFileSync(path, "latin1"));
    }
  }

  /** Where any part of an id stands. */
  with(id: string): string[] {
    const parts = Array.from({ length: id.length - PART + 1 }, (_, at) => id.slice(at, at + PART));
    return [...this.#all].filter(([, text]) => parts.some((part) => text.includes(part))).map(([where]) =>
      where
    );
  }

  has(text: string): boolean {
    return [...this.#all.values()].some((one) => one.includes(text));
  }
}

/** A client that speaks by hand, and keeps all that it is told. */
class Client {
  readonly #url: string;
  readonly #outputs: Outputs;
  id = "";
  #next = 1;

  constructor(url: string, outputs: Outputs) {
    this.#url = url;
    this.#outputs = outputs;
  }

  async ask(method: string, params: Json): Promise<string> {
    const response = await fetch(this.#url, {
      method: "POST",
      headers: { ...HEADERS, ...(this.id ? { "mcp-session-id": this.id } : {}) },
      body: JSON.stringify({ jsonrpc: "2.0", id: this.#next++, method, params }),
    });
    this.id ||= response.headers.get("mcp-session-id") ?? "";
    const text = await response.text();
    this.#outputs.add(`answer to ${method}`, text);
    return text;
  }

  call(name: string, args: Json, more: { readonly [key: string]: Json } = {}): Promise<string> {
    return this.ask("tools/call", { name, arguments: args, ...more });
  }
}

async function addressOf(server: Running): Promise<string> {
  const { stderr } = server.child;
  ok(stderr);
  for (let said = "";;) {
    const [more]: unknown[] = await Promise.race([
      once(stderr, "data"),
      server.finished.then(() => [undefined]),
    ]);
    ok(more !== undefined, `it ended: ${said}`);
    said += String(more);
    const found = /serving at (\S+)/.exec(said)?.[1];
    if (found !== undefined) return found;
  }
}

async function json(place: Place, words: readonly string[]): Promise<Json> {
  const { code, out, err } = await place.run([...words, "--format", "json"]);
  equal(code, 0, `${words.join(" ")}: ${out}${err}`);
  const reported: Json = JSON.parse(JSON.stringify(oneJson(out)));
  return reported;
}

/** Whatever a client may do that leaves something behind. */
async function useMuch(client: Client, base: string): Promise<void> {
  await client.ask("initialize", INITIALIZE);
  ok(client.id.length > 40);
  await client.ask("logging/setLevel", { level: "debug" });
  await client.call("ax_connect", { app: APP });
  await client.call("ax_set_value", { app: APP, query: "spinbutton:enabled", value: "42" });
  await client.call("ax_set_value", { app: APP, query: "nobody has this", value: "1", timeout_ms: 100 });
  await client.call("ax_get_tree", { app: APP, max_depth: 2 });
  const task = await client.call("ax_list_windows", { app: APP }, { task: { ttl: 60_000 } });
  ok(task.includes("taskId") || task.includes("error"), task);
  await client.ask("tasks/list", {});
  for (const uri of ["axterminator://system/status", "axterminator://apps", "axterminator://clipboard"]) {
    await client.ask("resources/read", { uri });
  }
  await client.ask("resources/read", { uri: "axterminator://nothing" });
  await client.ask("no/such/method", {});
  // What is refused is told to whoever runs the server.
  for (const path of [`/${client.id}`, `/messages?sessionId=${client.id}`, `/mcp?session=${client.id}`]) {
    await (await fetch(new URL(path, base), { method: "PUT", headers: { "mcp-session-id": client.id } }))
      .text();
  }
}

Deno.test("the id of a session stands in no log, no journal, no answer and no file; what stands there lets an administrator find it", () =>
  withPlace(async (place) => {
    const started = await json(place, ["session", "start"]);
    ok(isMap(started));
    const desktop = String(started["id"]);
    const outputs = new Outputs();
    const audit = join(place.state, "audit.jsonl");
    try {
      await json(place, ["launch", APP, "--session", desktop]);
      const serve = ["mcp", "serve", "--http", "0", "--session", desktop, "--log-level", "debug"];
      const server = place.start(serve, { env: { BACKSTEP_AUDIT_LOG: audit } });
      const url = await addressOf(server);
      const client = new Client(url, outputs);
      await useMuch(client, url);
      // A step that waits while the server is killed: its journal stays.
      const set = { app: APP, query: "spinbutton:enabled", value: "75" };
      const cut = client.call("ax_workflow", {
        name: "cut off",
        steps: [{ tool: "ax_set_value", args: set }, {
          tool: "ax_set_value",
          args: { ...set, value: "76" },
          wait_after_ms: 60_000,
        }],
      });
      const finished = cut.catch((error: unknown) => outputs.add("failure of the client", String(error)));
      const deadline = Deadline.after(20_000);
      while (!readFileSync(audit, "utf8").includes("ax_workflow")) {
        ok(!deadline.passed, "the workflow is not written down");
        await pause(20);
      }
      server.child.kill("SIGKILL");
      const { out, err } = await server.finished;
      await finished;
      outputs.add("standard output", out);
      outputs.add("standard error", err);
      ok(place.runs().length > 0, "there is a journal");
      outputs.addFiles(place.folder);
      outputs.add("recover", JSON.stringify(await json(place, ["recover"])));
      match(err, /404 PUT another path/);

      equal(outputs.with(client.id).join(), "");
      const label = createHash("sha256").update(client.id).digest("hex").slice(0, 16);
      ok(readFileSync(audit, "utf8").includes(`"session_id":"${label}"`), readFileSync(audit, "utf8"));
      ok(outputs.has(`MCP session ${label}`), "the journal is of that session");
    } finally {
      await place.run(["session", "stop", desktop, "--force"]);
    }
  }));
