import assert from "node:assert/strict";
import { fixture, PLAIN_CLIENT } from "../session/_host.ts";
import type { McpClient, Sampled, SamplingRequest } from "../server/client.ts";
import { getPrompt } from "../server/find-prompt.ts";
import { interpret } from "./interpret.ts";
import { suggestLocators } from "./locators.ts";
import { nextAction } from "./next-action.ts";

/** A client whose model says these things one after another; what it was asked is kept. */
function model(
  answers: readonly Sampled["content"][],
  tools = true,
): McpClient & { asked: SamplingRequest[] } {
  const asked: SamplingRequest[] = [];
  return {
    ...PLAIN_CLIENT,
    can: { ...PLAIN_CLIENT.can, sampling: true, samplingTools: tools },
    asked,
    sample(request) {
      asked.push(structuredClone(request));
      return Promise.resolve({
        model: "scripted",
        stopReason: "endTurn",
        content: answers[asked.length - 1] ?? [{ type: "text", text: "nothing more" }],
      });
    },
  };
}

const text = (said: string) => [{ type: "text", text: said }] as const;
const SETTINGS = { app: "settings" };

Deno.test("the client's own model finds what is described, and the answer names it and shows where", async () => {
  const client = model([
    text('{"found": true, "x": 5, "y": 6, "width": 40, "height": 20, "confidence": 0.9}'),
  ]);
  await fixture({}, async ({ tool }) => {
    await tool("ax_connect", SETTINGS, { client });
    const answer = await tool("ax_find_visual", { ...SETTINGS, description: "the name field" }, { client });
    const { found, vlm_backend: backend, size, confidence } = answer.structuredContent ?? {};
    assert.deepEqual(
      [found, backend, size, confidence],
      [true, "sampling", [40, 20], 0.9],
      JSON.stringify(answer),
    );
    assert.ok(answer.content.some((part) => part.type === "image" && part.mimeType === "image/png"));
  });
  const [asked] = client.asked;
  assert.deepEqual(asked?.messages[0]?.content.map(({ type }) => type), ["image", "text"]);
  assert.equal(asked?.modelPreferences?.intelligencePriority, 0.8);
});

Deno.test("a picture is described by the client's model, and by the agent itself where there is none", async () => {
  const picture = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
  await fixture({}, async ({ call }) => {
    const client = model([text("A window.")]);
    assert.deepEqual(await interpret(picture, "Mail", call({ client })), {
      text: "A window.",
      model: "scripted",
    });
    assert.deepEqual(await interpret(picture, "Mail", call()), {
      text: "Analyze this screenshot.",
      model: undefined,
    });
  });
});

Deno.test("the next action is asked with the goal, the interface and what was done", async () => {
  const client = model([text("ax_click Save")]);
  const situation = {
    goal: "save the form",
    interfaces: [{ app: "Settings", outline: 'button "Save"' }],
    history: ["ax_set_value Name"],
  };
  await fixture({}, async ({ call }) => {
    assert.deepEqual(await nextAction(situation, call({ client })), {
      text: "ax_click Save",
      model: "scripted",
    });
    assert.equal(await nextAction(situation, call()), undefined);
  });
  const [asked] = client.asked;
  const [part] = asked?.messages[0]?.content ?? [];
  assert.ok(part?.type === "text");
  for (const word of ["save the form", 'button "Save"', "ax_set_value Name"]) {
    assert.ok(part.text.includes(word));
  }
});

Deno.test("a model that may use tools suggests locators, each tried out, turn by turn", async () => {
  const client = model([
    [{ type: "tool_use", id: "1", name: "describe_element", input: { query: 'textfield[name="Name"]' } }],
    [
      {
        type: "tool_use",
        id: "2",
        name: "suggest_locator",
        input: { query: 'textfield[name="Name"]', reason: "its name" },
      },
      { type: "tool_use", id: "3", name: "suggest_locator", input: { query: "button[" } },
      { type: "tool_use", id: "4", name: "ax_click", input: { query: "button" } },
    ],
    text("The first one."),
  ]);
  await fixture({}, async ({ call, tool }) => {
    await tool("ax_connect", SETTINGS, { client });
    const found = await suggestLocators(
      { app: "settings", description: "name", outline: "" },
      call({ client }),
    );
    assert.deepEqual(found, {
      suggested: [
        { query: 'textfield[name="Name"]', reason: "its name", count: 1 },
        { query: "button[", reason: "", count: undefined },
      ],
      text: "The first one.",
      model: "scripted",
    });
  });
  const outcomes = client.asked[2]?.messages.at(-1)?.content ?? [];
  const said = outcomes.map((part) => part.type === "tool_result" ? JSON.stringify(part.content) : part.type);
  assert.equal(said.length, 3);
  assert.match(said[2] ?? "", /There is no tool ax_click/);
});

Deno.test("a model that calls tools for ever is stopped, and one without tools is not asked", async () => {
  const use = [{ type: "tool_use", id: "1", name: "describe_element", input: { query: "button" } }] as const;
  const client = model(Array.from({ length: 20 }, () => use));
  await fixture({}, async ({ call, tool }) => {
    await tool("ax_connect", SETTINGS, { client });
    const wanted = { app: "settings", description: "name", outline: "" };
    assert.equal((await suggestLocators(wanted, call({ client })))?.suggested.length, 0);
    assert.equal(client.asked.length, 6);
    assert.equal(client.asked.at(-1)?.toolChoice?.mode, "none");
    assert.equal(await suggestLocators(wanted, call({ client: model([], false) })), undefined);
  });
});

Deno.test("ax_screenshot has the picture described where it is asked to", async () => {
  const client = model([text("A window with a form.")]);
  await fixture({}, async ({ tool }) => {
    await tool("ax_connect", SETTINGS, { client });
    const plain = await tool("ax_screenshot", SETTINGS, { client });
    assert.equal(client.asked.length, 0);
    const answer = await tool("ax_screenshot", { ...SETTINGS, interpret: true }, { client });
    assert.equal(answer.content.length, plain.content.length + 1);
    const words = answer.content.at(-1);
    assert.ok(words?.type === "text" && words.text.includes("A window with a form."), JSON.stringify(words));
  });
});

Deno.test("a plan begins with what the client's model would do first, and a locator with what it found", async () => {
  const client = model([
    text("ax_set_value on Name"),
    [{ type: "tool_use", id: "1", name: "suggest_locator", input: { query: 'textfield[name="Name"]' } }],
    text("That one."),
  ]);
  await fixture({}, async ({ host, tool, call }) => {
    await tool("ax_connect", SETTINGS, { client });
    const said = async (name: string, args: { readonly [name: string]: string }) =>
      JSON.stringify((await getPrompt(host, name, args, call({ client }))).messages);
    const plan = await said("automate-workflow", {
      workflow: "fill the form",
      apps: "settings",
      dry_run: "true",
    });
    assert.match(plan, /ax_set_value on Name/);
    const debug = await said("debug-ui", { app_name: "settings", element_description: "the name" });
    assert.match(debug, /which finds 1/);
    assert.match(debug, /That one\./);
    await said("automate-workflow", { workflow: "fill the form", apps: "settings" });
  });
  assert.equal(client.asked.length, 3, "only a plan asks");
});

Deno.test("a prompt is answered although the client's model says nothing, and says why", async () => {
  const client: McpClient = { ...model([]), sample: () => Promise.reject(new Error("the person said no")) };
  await fixture({}, async ({ host, tool, call }) => {
    await tool("ax_connect", SETTINGS, { client });
    const args = { workflow: "fill the form", apps: "settings", dry_run: "yes" };
    const { messages } = await getPrompt(host, "automate-workflow", args, call({ client }));
    assert.match(JSON.stringify(messages), /the person said no/);
  });
});
