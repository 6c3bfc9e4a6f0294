// The official client on Node: starts the server that its first argument describes, with the SDK in the folder that its
// second one names, and prints what it found.
import process from "node:process";

const [server, sdk] = process.argv.slice(2);
const { Client } = await import(`${sdk}/dist/esm/client/index.js`);
const { StdioClientTransport } = await import(`${sdk}/dist/esm/client/stdio.js`);
const client = new Client({ name: "node", version: "1" });
await client.connect(
  new StdioClientTransport({ ...JSON.parse(server), cwd: "/", stderr: "ignore" }),
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
