import type { Prompt, PromptAnswer } from "../server/prompt.ts";
import type { Content } from "../server/wire.ts";
import { PIXEL } from "./media.ts";

function fixture(
  name: string,
  description: string,
  args: readonly string[],
  content: (given: { readonly [name: string]: string }) => readonly Content[],
): Prompt {
  return {
    definition: {
      name,
      title: name,
      description,
      arguments: args.map((each) => ({ name: each, description: `Test argument ${each}`, required: true })),
    },
    get: (given): Promise<PromptAnswer> =>
      Promise.resolve({
        description,
        messages: content(given).map((each) => ({ role: "user", content: each })),
      }),
    complete: (_argument, value) =>
      Promise.resolve(["test", "testing", "paris", "park"].filter((word) => word.startsWith(value))),
  };
}

/** The prompts that the protocol's conformance suites get. */
export const conformancePrompts: readonly Prompt[] = [
  fixture("test_simple_prompt", "A prompt without arguments", [], () => [
    { type: "text", text: "This is a simple prompt for testing." },
  ]),
  fixture("test_prompt_with_arguments", "A prompt with arguments", ["arg1", "arg2"], ({ arg1, arg2 }) => [
    { type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` },
  ]),
  fixture(
    "test_prompt_with_embedded_resource",
    "A prompt with a resource",
    ["resourceUri"],
    ({ resourceUri }) => [
      {
        type: "resource",
        resource: {
          uri: resourceUri ?? "",
          mimeType: "text/plain",
          text: "Embedded resource content for testing.",
        },
      },
      { type: "text", text: "Please process the embedded resource above." },
    ],
  ),
  fixture("test_prompt_with_image", "A prompt with a picture", [], () => [
    { type: "image", data: PIXEL, mimeType: "image/png" },
    { type: "text", text: "Please analyze the image above." },
  ]),
];
