import assert from "node:assert/strict";
import { macos } from "../resources/macos/macos.ts";
import { interfaceExplorer } from "../tools/interface-explorer.ts";
import { serving } from "./_served.ts";
import { McpError } from "./sdk.ts";

const EDITOR = 'macos://ui/AXApplication[@bundleIdentifier="sim.editor"]';

Deno.test("the official client reads every macos:// template, completes their variables and hears why not", async () => {
  await serving({ resources: [macos] }, async ({ client, host }) => {
    await host.desktop.launcher.launch("sim.editor");
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate), [
      "macos://ui/{path}",
      "macos://applications/{bundleId}/menus",
      "macos://applications/{bundleId}/windows",
    ]);
    const read = async (uri: string): Promise<string> => {
      const { contents: [first] } = await client.readResource({ uri });
      assert.ok(first !== undefined && "text" in first);
      assert.equal(first.uri, uri);
      return first.text;
    };
    assert.equal(await read("macos://applications"), '{"sim.editor":"Editor"}');
    assert.match(await read("macos://applications/sim.editor/menus?menuTitle=Edit"), /"title":"Undo"/);
    assert.match(await read("macos://applications/sim.editor/windows"), /"main":true/);
    assert.match(await read(`${EDITOR}//AXMenuItem[@AXTitle="Undo"]?maxDepth=0`), /"role":"AXMenuItem"/);
    for (const [uri, code] of [[`${EDITOR}?depth=1`, -32602], [`${EDITOR}/AXSheet`, -32002]] as const) {
      await assert.rejects(
        client.readResource({ uri }),
        (error) => error instanceof McpError && error.code === code,
      );
    }
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "macos://applications/{bundleId}/menus" },
      argument: { name: "bundleId", value: "sim" },
    });
    assert.deepEqual(completion.values, ["sim.editor"]);
  });
});

Deno.test("the official client takes the explorer's array, and its faults as errors of the call", async () => {
  await serving({ tools: [interfaceExplorer] }, async ({ client, host }) => {
    await host.desktop.launcher.launch("sim.editor");
    const { content, structuredContent, isError } = await client.callTool({
      name: "macos_interface_explorer",
      arguments: { scope: "application", bundleId: "sim.editor", elementTypes: ["textfield"] },
    });
    assert.equal(isError, undefined);
    assert.equal(structuredContent, undefined);
    assert.match(JSON.stringify(content), /"text":"\[\{\\"id\\":\\"el-/);
    await assert.rejects(
      client.callTool({ name: "macos_interface_explorer", arguments: { scope: "application" } }),
      (error) => error instanceof McpError && error.code === -32602 && /bundleId/.test(error.message),
    );
  });
});
