// The official client on Node: starts the server that its first argument describes, with the SDK in the folder that its
// second one names, and prints what it found. A third argument is a list of calls to make instead, `[tool, arguments]`.
import process from "node:process";

const [server, sdk, calls] = process.argv.slice(2);
const { Client } = await import(`${sdk}/dist/esm/client/index.js`);
const { StdioClientTransport } = await import(`${sdk}/dist/esm/client/stdio.js`);
const client = new Client({ name: "node", version: "1" });
await client.connect(
  new StdioClientTransport({ ...JSON.parse(server), cwd: "/", stderr: "ignore" }),
);
const { tools } = await client.listTools();
if (calls !== undefined) {
  const answers = [];
  // The client judges structured content by the schema that the list told of.
  for (const [name, args] of JSON.parse(calls)) {
    const { structuredContent, content, isError } = await client.callTool({ name, arguments: args });
    const types = content.map((one) => one.type);
    answers.push({ name, isError: isError === true, structuredContent, types });
  }
  console.log(JSON.stringify({ tools: tools.length, answers }));
  await client.close();
  process.exit(0);
}
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
