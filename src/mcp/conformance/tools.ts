import type { Json } from "../../base/error.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import type { JsonSchema } from "../../base/json.ts";
import type { McpCall } from "../server/call.ts";
import { ToolFailure } from "../server/failure.ts";
import type { Tool, ToolAnswer } from "../server/tool.ts";
import type { Content } from "../server/wire.ts";
import { PIXEL, SILENCE } from "./media.ts";

/** Milliseconds that a fixture takes for each part of what it does. */
const STEP = 50;

const NOTHING: JsonSchema = { type: "object", properties: {} };
const IMAGE: Content = { type: "image", data: PIXEL, mimeType: "image/png" };

function text(said: string): Content {
  return { type: "text", text: said };
}

function embedded(uri: string, mimeType: string, said: string): Content {
  return { type: "resource", resource: { uri, mimeType, text: said } };
}

function pause(call: McpCall): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancelled = () => {
      clearTimeout(timer);
      reject(call.signal.reason);
    };
    const timer = setTimeout(() => {
      call.signal.removeEventListener("abort", cancelled);
      resolve();
    }, STEP);
    call.signal.addEventListener("abort", cancelled, { once: true });
  });
}

/** A tool as the suites name it. */
function fixture(
  name: string,
  description: string,
  run: (args: ToolArguments, call: McpCall) => Promise<readonly Content[]> | readonly Content[],
  inputSchema: JsonSchema = NOTHING,
): Tool {
  return {
    definition: {
      name,
      title: name,
      description,
      inputSchema,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    toolset: "connect",
    run: async (args, call): Promise<ToolAnswer> => ({ content: await run(args, call) }),
  };
}

/** A tool that asks the person at the client, and tells what came back. */
function asking(
  name: string,
  description: string,
  properties: { readonly [field: string]: Json },
  required: string[],
): Tool {
  return fixture(name, description, async (_args, call) => {
    const requestedSchema = { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
    return [text(await elicited(call, description, requestedSchema))];
  });
}

async function elicited(call: McpCall, message: string, requestedSchema: JsonSchema): Promise<string> {
  const answer = await call.client.elicit({ mode: "form", message, requestedSchema }, call.signal);
  const content = answer.action === "accept" ? answer.content : {};
  return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(content)}`;
}

const one = (name: string): JsonSchema => ({
  type: "object",
  properties: { [name]: { type: "string" } },
  required: [name],
});

const titled = (...titles: readonly string[]) =>
  titles.map((title, at) => ({ const: `value${at + 1}`, title }));

/** The tools that the protocol's conformance suites call. */
export const conformanceTools: readonly Tool[] = [
  fixture("test_simple_text", "Answers a text", () => [text("This is a simple text response for testing.")]),
  fixture("test_image_content", "Answers a picture", () => [IMAGE]),
  fixture(
    "test_audio_content",
    "Answers a sound",
    () => [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }],
  ),
  fixture("test_embedded_resource", "Answers a resource", () => [
    embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ]),
  fixture("test_multiple_content_types", "Answers a text, a picture and a resource", () => [
    text("Multiple content types test:"),
    IMAGE,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ]),
  fixture("test_tool_with_logging", "Logs what it does, three times", async (_args, call) => {
    for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      if (message !== "Tool execution started") await pause(call);
      call.log("info", "axterminator.conformance", { message });
    }
    return [text("Tool execution completed with logging")];
  }),
  fixture("test_error_handling", "Fails", () => {
    throw new ToolFailure("ActionFailed", "This tool intentionally returns an error for testing", {
      suggestion: "Nothing: it is what it is for.",
    });
  }),
  fixture("test_tool_with_progress", "Tells how far it is: 0, 50 and 100 of 100", async (_args, call) => {
    for (const done of [0, 50, 100]) {
      if (done > 0) await pause(call);
      call.progress(`Completed step ${done} of 100`, done, 100);
    }
    return [text("Tool execution completed with progress")];
  }),
  fixture("test_sampling", "Asks the client's model", async (args, call) => {
    const { content } = await call.client.sample({
      messages: [{ role: "user", content: [text(String(args["prompt"]))] }],
      maxTokens: 100,
    }, call.signal);
    const said = content.map((piece) => piece.type === "text" ? piece.text : "").join("");
    return [text(`LLM response: ${said}`)];
  }, one("prompt")),
  fixture("test_elicitation", "Asks the person at the client", async (args, call) => {
    const said = await elicited(call, String(args["message"]), {
      type: "object",
      properties: {
        username: { type: "string", description: "User's response" },
        email: { type: "string", description: "User's email address" },
      },
      required: ["username", "email"],
    });
    return [text(said.replace("Elicitation completed", "User response"))];
  }, one("message")),
  asking("test_elicitation_sep1034_defaults", "Asks with a default for each kind of field", {
    name: { type: "string", description: "User name", default: "John Doe" },
    age: { type: "integer", description: "User age", default: 30 },
    score: { type: "number", description: "User score", default: 95.5 },
    status: {
      type: "string",
      description: "User status",
      enum: ["active", "inactive", "pending"],
      default: "active",
    },
    verified: { type: "boolean", description: "Verification status", default: true },
  }, []),
  asking("test_elicitation_sep1330_enums", "Asks with each kind of choice", {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: { type: "string", oneOf: titled("First Option", "Second Option", "Third Option") },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: { type: "array", items: { anyOf: titled("First Choice", "Second Choice", "Third Choice") } },
  }, []),
  fixture(
    "json_schema_2020_12_tool",
    "Has a schema of draft 2020-12",
    (args) => [text(JSON.stringify(args))],
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
  ),
  fixture(
    "test_reconnection",
    "Lets go of its stream; the client comes back for the answer",
    async (_args, call) => {
      call.letGo?.();
      await pause(call);
      return [text("Reconnection test completed successfully.")];
    },
  ),
];
