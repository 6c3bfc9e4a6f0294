// The official client on Node: starts the server that its argument names, and prints what it found.
import { Client } from "../../tools/references/node_modules/@modelcontextprotocol/sdk/dist/esm/client/index.js";
import { StdioClientTransport } from "../../tools/references/node_modules/@modelcontextprotocol/sdk/dist/esm/client/stdio.js";

const client = new Client({ name: "node", version: "1" });
await client.connect(
  new StdioClientTransport({ ...JSON.parse(process.argv[2]), cwd: "/", stderr: "ignore" }),
);
const { tools } = await client.listTools();
const connected = await client.callTool({ name: "ax_connect", arguments: { app: "Calculator" } });
const progress = [];
await client.callTool({ name: "test_tool_with_progress", arguments: {} }, undefined, {
  onprogress: (one) => progress.push(one.progress),
});
const unknown = await client.callTool({ name: "nothing" }).catch((error) => error.code);
console.log(JSON.stringify({
  server: client.getServerVersion()?.name,
  tools: tools.map((tool) => tool.name),
  connected: connected.structuredContent?.connected,
  progress,
  unknown,
}));
await client.close();
