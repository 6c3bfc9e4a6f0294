import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Json } from "../../src/base/error.ts";
import { isMap } from "../../src/base/json.ts";
import { Client } from "../../src/mcp/sdk/_client.ts";
import {
  CallToolResultSchema,
  type CreateMessageRequest,
  CreateMessageRequestSchema,
  type CreateMessageResult,
  type CreateMessageResultWithTools,
  ElicitationCompleteNotificationSchema,
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "../../src/mcp/sdk/sdk.ts";
import { serverCommand, within } from "./_stdio.ts";

/** What a call came to. */
export interface Came {
  readonly isError: boolean;
  /** The structured content, or the error. */
  readonly reported: { readonly [key: string]: Json };
  readonly text: string;
}

/** A client of the SDK with a person and a model at it, who say what the test has them say. */
export class Guest {
  readonly client: Client;
  readonly asked: ElicitRequest["params"][] = [];
  readonly sampled: CreateMessageRequest["params"][] = [];
  /** Ids of questions by address that are over. */
  readonly completed: string[] = [];
  /** "warning axterminator.security script_not_reviewed" */
  readonly logged: string[] = [];
  /** How often the list of tools was told to be another. */
  changes = 0;
  /** What the person says next; without it every question is cancelled. */
  person: (asked: ElicitRequest["params"]) => ElicitResult | Promise<ElicitResult> = () => ({
    action: "cancel",
  });
  model: (
    asked: CreateMessageRequest["params"],
  ) => Promise<CreateMessageResult | CreateMessageResultWithTools> = () => {
    throw new Error("the model is not to be asked");
  };
  #heard = 0;
  #wake = Promise.withResolvers<void>();

  constructor(can: { readonly asks?: boolean; readonly samples?: boolean }) {
    this.client = new Client({ name: "guest", version: "1" }, {
      capabilities: {
        ...(can.asks ? { elicitation: { form: {}, url: {} } } : {}),
        ...(can.samples ? { sampling: { tools: {} } } : {}),
      },
    });
    if (can.asks) {
      this.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        this.asked.push(params);
        return this.person(params);
      });
    }
    if (can.samples) {
      this.client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
        this.sampled.push(params);
        return this.model(params);
      });
    }
    const note = () => {
      this.#heard++;
      this.#wake.resolve();
      this.#wake = Promise.withResolvers();
    };
    this.client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
      this.completed.push(params.elicitationId);
      note();
    });
    this.client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      const data: unknown = params.data;
      const event = typeof data === "object" && data !== null && "event" in data ? ` ${data.event}` : "";
      this.logged.push(`${params.level} ${params.logger}${event}`);
      note();
    });
    this.client.setNotificationHandler(ResourceUpdatedNotificationSchema, note);
    this.client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      this.changes++;
      note();
    });
  }

  /** Waits until it is so; it is looked at whenever the server tells of something. */
  async until(what: string, so: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = performance.now() + 30_000;
    for (;;) {
      const [heard, wake] = [this.#heard, this.#wake.promise];
      if (await so()) return;
      if (heard === this.#heard) await within(deadline - performance.now(), what, wake);
    }
  }

  /** Calls a tool that succeeds. */
  async tool(name: string, args: { readonly [key: string]: Json } = {}): Promise<Came> {
    const came = await this.attempt(name, args);
    if (came.isError) throw new Error(`${name} ${JSON.stringify(args)}: ${came.text}`);
    return came;
  }

  /** Calls a tool that fails. */
  async fails(name: string, args: { readonly [key: string]: Json } = {}): Promise<Came> {
    const came = await this.attempt(name, args);
    if (!came.isError) throw new Error(`${name} ${JSON.stringify(args)} should fail: ${came.text}`);
    return came;
  }

  async attempt(name: string, args: { readonly [key: string]: Json }): Promise<Came> {
    const result = CallToolResultSchema.parse(await this.client.callTool({ name, arguments: args }));
    const texts = result.content.flatMap((one) => one.type === "text" ? [one.text] : []);
    const isError = result.isError === true;
    const structured = isError ? JSON.parse(texts.at(-1) ?? "").error : result.structuredContent ?? {};
    const reported: Json = JSON.parse(JSON.stringify(structured));
    return { isError, reported: isMap(reported) ? reported : {}, text: texts.join("\n") };
  }

  /** What the person was asked since the last time. */
  questions(): ElicitRequest["params"][] {
    return this.asked.splice(0);
  }
}

/** A server over HTTP, with guests that are closed before it is. */
export async function withGuests(
  state: string,
  options: { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> },
  action: (
    guest: (can: { readonly asks?: boolean; readonly samples?: boolean }) => Promise<Guest>,
  ) => Promise<void>,
): Promise<void> {
  const { command, args, env } = serverCommand(state, "--http", "0", ...options.args);
  const child = spawn(command, args, {
    env: { ...env, ...options.env },
    cwd: state,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const finished = once(child, "exit");
  const guests: Guest[] = [];
  try {
    const url = await within(30_000, "address of the server", addressOf(child, finished));
    await action(async (can) => {
      const guest = new Guest(can);
      await guest.client.connect(new StreamableHTTPClientTransport(new URL(url)));
      guests.push(guest);
      return guest;
    });
  } finally {
    for (const { client } of guests) await client.close();
    child.kill("SIGINT");
    await finished;
    child.stderr?.destroy();
  }
}

function addressOf(child: ChildProcess, finished: Promise<unknown>): Promise<string> {
  const said: string[] = [];
  const address = new Promise<string>((resolve) => {
    if (!child.stderr) return;
    createInterface(child.stderr).on("line", (line) => {
      said.push(line);
      const found = /serving at (\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return Promise.race([
    address,
    finished.then(() => Promise.reject(new Error(`the server has ended: ${said.join("\n")}`))),
  ]);
}
