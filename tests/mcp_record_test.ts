import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { missingFor } from "../scripts/action-names/stage.ts";
import { PASSWORD, type Plan, plans } from "../scripts/recordings/acts.ts";
import { Injector } from "../scripts/recordings/injector.ts";
import { Person } from "../scripts/recordings/person.ts";
import { outcomeOf } from "../scripts/recordings/replay.ts";
import { RecordStage } from "../scripts/recordings/stage.ts";
import { Client, StdioClientTransport } from "../src/mcp/sdk/_client.ts";
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  McpError,
  ResourceUpdatedNotificationSchema,
} from "../src/mcp/sdk/sdk.ts";
import { serverCommand, within } from "./mcp/_stdio.ts";

const START = "axterminator://recording/start";
const STOP = "axterminator://recording/stop";
const STATUS = "axterminator://recording/status";

const Step = z.looseObject({ tool: z.string(), args: z.looseObject({ app: z.string().optional() }) });
const Stopped = z.looseObject({
  name: z.string(),
  steps: z.array(Step),
  complete: z.boolean(),
  left_out: z.array(
    z.looseObject({ step: z.number(), after: z.number(), operation: z.string(), why: z.string() }),
  ),
  not_sure: z.array(z.unknown()),
  secrets: z.array(z.string()),
  saved: z.string().optional(),
});
const Status = z.looseObject({ recording: z.boolean(), steps: z.number().optional() });

/** A client of the SDK on a server over stdio, and everything that went over the wire to it. */
class Served implements AsyncDisposable {
  readonly client: Client;
  readonly asked: string[] = [];
  /** Addresses of which it was told that they changed. */
  readonly updated: string[] = [];
  /** What the person says when asked; undefined: the client cannot ask. */
  agrees: boolean;
  heard = "";
  readonly #transport: StdioClientTransport;
  #wake = Promise.withResolvers<void>();

  private constructor(stage: RecordStage, options: { agrees?: boolean; args?: string[]; root?: string }) {
    const { agrees, args = [], root } = options;
    this.agrees = agrees ?? false;
    const { command, args: words, env } = serverCommand(
      stage.folder,
      "--session",
      stage.session.id ?? "",
      "--mode",
      "focus",
      ...args,
    );
    this.#transport = new StdioClientTransport({ command, args: words, env, cwd: "/", stderr: "pipe" });
    this.#transport.stderr?.on("data", (chunk) => this.heard += String(chunk));
    this.client = new Client({ name: "test", version: "1" }, {
      capabilities: {
        ...(agrees === undefined ? {} : { elicitation: { form: {} } }),
        ...(root === undefined ? {} : { roots: {} }),
      },
    });
    if (agrees !== undefined) {
      this.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        this.asked.push(params.message);
        return this.agrees ? { action: "accept", content: { confirm: true } } : { action: "decline" };
      });
    }
    if (root !== undefined) {
      this.client.setRequestHandler(
        ListRootsRequestSchema,
        () => ({ roots: [{ uri: pathToFileURL(root).href }] }),
      );
    }
    this.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      this.updated.push(params.uri);
      this.#wake.resolve();
      this.#wake = Promise.withResolvers();
    });
  }

  static async open(
    stage: RecordStage,
    options: { agrees?: boolean; args?: string[]; root?: string },
  ): Promise<Served> {
    const served = new Served(stage, options);
    await served.client.connect(served.#transport);
    const { onmessage } = served.#transport;
    served.#transport.onmessage = (message) => {
      served.heard += JSON.stringify(message);
      onmessage?.(message);
    };
    return served;
  }

  get pid(): number {
    return this.#transport.pid ?? NaN;
  }

  async read(uri: string): Promise<{ json: unknown; texts: string[] }> {
    const { contents } = await this.client.readResource({ uri });
    const texts = contents.flatMap((one) => "text" in one ? [String(one.text)] : []);
    return { json: JSON.parse(texts[0] ?? "null"), texts };
  }

  async refused(uri: string): Promise<McpError> {
    const came = await this.read(uri).then(() => undefined, (error: unknown) => error);
    assert.ok(came instanceof McpError, `${uri} was answered`);
    return came;
  }

  /** Resolves once the status says this, which is looked at whenever the server tells of a change. */
  async until(holds: (status: z.infer<typeof Status>) => boolean): Promise<void> {
    const deadline = performance.now() + 15_000;
    for (;;) {
      const wake = this.#wake.promise;
      const status = Status.parse((await this.read(STATUS)).json);
      if (holds(status)) return;
      await within(deadline - performance.now(), `change of ${JSON.stringify(status)}`, wake);
    }
  }

  async tool(name: string, args: Record<string, unknown>) {
    return CallToolResultSchema.parse(await this.client.callTool({ name, arguments: args }));
  }

  async names(): Promise<string[]> {
    const [{ resources }, { resourceTemplates }] = [
      await this.client.listResources(),
      await this.client.listResourceTemplates(),
    ];
    return [...resources.map(({ uri }) => uri), ...resourceTemplates.map(({ uriTemplate }) => uriTemplate)]
      .filter((one) => one.includes("recording"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

/** Sockets, pipes and other descriptors that a process has open, and its threads. */
function held(pid: number): { sockets: number; threads: number } {
  const fds = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return ""; // closed since it was listed
    }
  });
  return {
    sockets: fds.filter((one) => one.startsWith("socket:")).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
  };
}

function filesWith(folder: string, text: string): string[] {
  const wanted = new TextEncoder().encode(text);
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))
    .filter((file) => existsSync(file) && statSync(file).isFile())
    .filter((file) => readFileSync(file).indexOf(wanted) >= 0);
}

const ignore = missingFor("gtk3") !== undefined;

Deno.test(
  "over MCP a person's acts are recorded, stop answers steps that replay through ax_workflow, and no password",
  { ignore },
  async () => {
    let steps: z.infer<typeof Step>[], wanted: string[];
    {
      await using stage = await RecordStage.open("gtk3");
      await using injector = await Injector.start(stage.session);
      const root = join(stage.folder, "project");
      mkdirSync(root);
      await using served = await Served.open(stage, { agrees: true, root });
      const { client } = served;
      assert.deepEqual(await served.names(), [START, STOP, STATUS, `${STOP}{?save}`]);
      await client.subscribeResource({ uri: STATUS });
      assert.match((await served.refused(STOP)).message, /nothing is recorded/);
      assert.equal(Status.parse((await served.read(START)).json).recording, true);
      assert.match(served.asked.join(), /record what you do/);
      assert.match((await served.refused(START)).message, /under way already/);
      assert.equal(served.asked.length, 1, "of the second nobody is asked");
      const person = new Person(injector);
      const acts: Plan[] = [
        plans.click("button", "Save"),
        plans.click("check", "Bold"),
        plans.fill("Title", "memo book", true),
        plans.fill("Password", PASSWORD, false),
        plans.open("combo", "Size", "Medium"),
        plans.open("menu", "Edit", "Paste"),
        plans.open("dialog", "Ask", "No"),
      ];
      let count = 0;
      for (const plan of acts) {
        await plan.run(person, stage.sight);
        const before = count;
        await served.until(({ steps = 0 }) => (count = steps) > before);
      }
      await served.until(({ steps = 0 }) => steps >= 11);
      assert.ok(served.updated.every((uri) => uri === STATUS) && served.updated.length > 3);
      for (const save of ["../out.yaml", "/tmp/out.yaml", "out.txt"]) {
        assert.equal((await served.refused(`${STOP}?save=${encodeURIComponent(save)}`)).code, -32602, save);
      }
      const { json, texts: [, yaml] } = await served.read(`${STOP}?save=workflows/out.yaml`);
      const stopped = Stopped.parse(json);
      assert.equal(stopped.saved, join(root, "workflows/out.yaml"));
      assert.equal(readFileSync(stopped.saved ?? "", "utf8"), yaml);
      assert.match((await served.refused(`${STOP}?save=workflows/out.yaml`)).message, /exists already/);
      assert.deepEqual(
        Stopped.parse((await served.read(STOP)).json).steps,
        stopped.steps,
        "read again it is the same",
      );
      assert.equal(Status.parse((await served.read(STATUS)).json).recording, false);
      assert.match(yaml ?? "", /value: '\{\{secrets\.PASSWORD\}\}'/);
      assert.deepEqual(stopped.left_out.map(({ step, after, operation }) => [step, after, operation]), [[
        5,
        4,
        "set",
      ]]);
      assert.match(stopped.left_out[0]?.why ?? "", /\{\{secrets\.PASSWORD\}\}/);
      assert.deepEqual([stopped.complete, stopped.secrets, stopped.not_sure], [false, ["PASSWORD"], []]);
      const audit = readFileSync(join(stage.folder, "audit.jsonl"), "utf8").trim().split("\n")
        .map((line) => z.looseObject({ tool: z.string(), result: z.string() }).parse(JSON.parse(line)));
      assert.deepEqual(audit.map(({ tool, result }) => `${tool} ${result}`), [
        `${START} success`,
        `${STOP} success`,
        `${STOP} success`,
      ]);
      // What was typed into another field is found: the search sees what is there.
      assert.ok(served.heard.includes("memo book") && filesWith(stage.folder, "memo book").length >= 2);
      assert.ok(!served.heard.includes(PASSWORD), "a message holds the password");
      assert.deepEqual(filesWith(stage.folder, PASSWORD), []);
      steps = stopped.steps;
      wanted = outcomeOf(stage.account()).filter((line) => !line.startsWith("Password"));
    }
    {
      await using stage = await RecordStage.open("gtk3");
      await using served = await Served.open(stage, { agrees: false });
      await served.tool("ax_connect", { app: stage.application.name });
      // Nothing in it is destructive by its name: it runs, and each act is written down.
      const result = await served.tool("ax_workflow", { name: "replayed", steps });
      assert.notEqual(result.isError, true, JSON.stringify(result.content));
      const deadline = performance.now() + 5_000;
      while (outcomeOf(stage.account()).length < wanted.length && performance.now() < deadline) {
        await stage.snapshot();
      }
      assert.deepEqual(outcomeOf(stage.account()), wanted);
      const audit = readFileSync(join(stage.folder, "audit.jsonl"), "utf8").trim().split("\n");
      assert.ok(audit.length >= 7, `${audit.length} acts are in the audit log`);
    }
    {
      await using stage = await RecordStage.open("gtk3");
      const denied = ["--denied-apps", stage.application.name];
      await using served = await Served.open(stage, { agrees: true, args: denied });
      const result = await served.tool("ax_workflow", { name: "denied", steps });
      assert.equal(result.isError, true, "steps are judged as any others");
      assert.deepEqual(outcomeOf(stage.account()).filter((line) => /Save|Bold/.test(line)), []);
    }
  },
);

Deno.test(
  "over MCP a recording that nobody agreed to does not begin, and one ends with its session and leaves nothing open",
  { ignore },
  async () => {
    await using stage = await RecordStage.open("gtk3");
    await using injector = await Injector.start(stage.session);
    const person = new Person(injector);
    {
      await using served = await Served.open(stage, {});
      assert.equal((await served.refused(START)).code, -32002);
      assert.match((await served.refused(START)).message, /the client cannot ask/);
    }
    {
      await using served = await Served.open(stage, { args: ["--record-unasked", "true"] });
      let first: ReturnType<typeof held> | undefined;
      for (let n = 0; n < 5; n++) {
        assert.equal(Status.parse((await served.read(START)).json).recording, true);
        await plans.click("check", "Bold").run(person, stage.sight);
        assert.equal(Stopped.parse((await served.read(STOP)).json).steps.length, 1);
        // The first one opens the desktop, which stays.
        first ??= held(served.pid);
      }
      const last = held(served.pid);
      // What is counted first may be about to close.
      const more = first && (last.sockets > first.sockets || last.threads > first.threads);
      assert.equal(more, false, `a recording leaves something open: ${JSON.stringify([first, last])}`);
      await served.read(START);
      const { pid } = served;
      await served.client.close();
      assert.ok(!existsSync(`/proc/${pid}/fd`), "the server outlives its client");
    }
    {
      await using served = await Served.open(stage, {
        args: ["--record-unasked", "true", "--security-mode", "safe"],
      });
      assert.match((await served.refused(START)).message, /the client cannot ask/, "safe mode needs a word");
    }
    {
      await using served = await Served.open(stage, { agrees: false });
      assert.match((await served.refused(START)).message, /the person said no/);
      assert.equal(Status.parse((await served.read(STATUS)).json).recording, false);
      served.agrees = true;
      assert.equal(Status.parse((await served.read(START)).json).recording, true);
    }
    {
      await using served = await Served.open(stage, { agrees: true, args: ["--security-mode", "sandboxed"] });
      assert.deepEqual(await served.names(), []);
      for (const uri of [START, STOP, STATUS]) assert.equal((await served.refused(uri)).code, -32002);
      await assert.rejects(served.client.subscribeResource({ uri: STATUS }), McpError);
      assert.deepEqual(served.asked, []);
    }
    {
      const denied = ["--denied-apps", stage.application.name];
      await using served = await Served.open(stage, { agrees: true, args: denied });
      await served.read(START);
      await plans.click("button", "Save").run(person, stage.sight);
      await plans.fill("Title", "hidden", true).run(person, stage.sight);
      assert.deepEqual(
        Stopped.parse((await served.read(STOP)).json).steps,
        [],
        "of what is denied nothing is told",
      );
    }
  },
);
