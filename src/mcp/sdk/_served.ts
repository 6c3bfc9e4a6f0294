import type { ToolArguments } from "../../tools/tool.ts";
import { openSession } from "../../session/open-session.ts";
import { makeHost } from "../make-host.ts";
import type { Host, OpenHost } from "../server/host.ts";
import type { McpCall, McpSession } from "../server/call.ts";
import type { Prompt } from "../server/prompt.ts";
import type { ResourceProvider } from "../server/resource.ts";
import type { Tool, ToolAnswer } from "../server/tool.ts";
import { Client, InMemoryTransport } from "./_client.ts";
import type { ClientCapabilities, JSONRPCMessage } from "./sdk.ts";
import { makeServer, type McpServer } from "./server.ts";

/** A tool with any arguments that does what a test says. */
export function tool(
  name: string,
  run: (call: McpCall, args: ToolArguments) => Promise<ToolAnswer>,
  more: { readonly task?: boolean } = {},
): Tool {
  return {
    definition: {
      name,
      title: `The tool ${name}`,
      description: `Does ${name}`,
      inputSchema: { type: "object" },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      ...(more.task ? { execution: { taskSupport: "optional" } } : {}),
    },
    toolset: "context",
    run: (args, call) => run(call, args),
  };
}

/** A server and its client in one process. */
export interface Served {
  readonly client: Client;
  readonly server: McpServer;
  readonly host: Host;
  readonly session: McpSession;
  /** What the server sent, in order. */
  readonly heard: readonly JSONRPCMessage[];
}

/** Serves what a test offers to a client of the SDK, over memory, on a simulated desktop, and closes all of it. */
export async function serving(
  offered: {
    readonly tools?: readonly Tool[];
    readonly resources?: readonly ResourceProvider[];
    readonly prompts?: readonly Prompt[];
    readonly capabilities?: ClientCapabilities;
    /** Sets the client up before it connects. */
    readonly client?: (client: Client) => void;
  },
  test: (served: Served) => Promise<void>,
): Promise<void> {
  const desktop = await openSession({ kind: "simulated" });
  const own: OpenHost = makeHost({ desktop, tools: offered.tools ?? [] });
  const host: Host = { ...own, resources: offered.resources ?? [], prompts: offered.prompts ?? [] };
  const session = own.open("test");
  const faults: Error[] = [];
  const server = makeServer(host, session, { onError: (error) => faults.push(error) });
  const client = new Client({ name: "test", version: "1" }, { capabilities: offered.capabilities ?? {} });
  offered.client?.(client);
  const heard: JSONRPCMessage[] = [];
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const send = ours.send.bind(ours);
  ours.send = (message, options) => {
    heard.push(message);
    return send(message, options);
  };
  try {
    await server.connect(ours);
    await client.connect(theirs);
    await test({ client, server, host, session, heard });
    if (faults.length > 0) throw new AggregateError(faults, faults.map(String).join("; "));
  } finally {
    await client.close();
    await server.close();
    await own.close();
    await desktop.close();
  }
}
