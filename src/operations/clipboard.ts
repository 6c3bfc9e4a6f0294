import { z } from "zod";
import { defined } from "../base/defined.ts";
import { WRITES } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";
import { clipboardOf } from "../participants/clipboard.ts";

/** Reads, writes or empties the clipboard. */
export const clipboard = defineOperation({
  name: "clipboard",
  title: "Read, write or empty the clipboard",
  description:
    "Reads the text of the clipboard, writes a text and reads it back, or empties the clipboard. What is written " +
    "stays there when the command ends, until something else is copied or the desktop ends.",
  input: z.strictObject({
    action: z.enum(["read", "write", "clear"]),
    text: z.string().max(1_000_000).optional().describe("The text to write."),
  }).refine((input) => (input.action === "write") === (input.text !== undefined), {
    message: "`text` goes with `action: write`, and only with it",
    path: ["text"],
  }),
  output: z.strictObject({
    success: z.boolean().describe("The written text was read back; true for a read."),
    text: z.string().optional().describe("The text on the clipboard; missing if there is none."),
  }),
  hints: { ...WRITES, destructive: false },
  views: {
    yaml: { verb: "clipboard", scalar: (value) => ({ action: value }) },
    cli: {
      command: "clipboard",
      positionals: [
        { property: "action", description: "read, write or clear", required: true },
        { property: "text", description: "The text to write", rest: true },
      ],
      options: [],
      examples: ["backstep clipboard read", 'backstep clipboard write "Hello"'],
      toText: ({ text }) => text ?? "",
    },
  },
  resolve: () => Promise.resolve(undefined),
  reaches: () => [],
  effect: (input) => input.action === "read" ? "read" : "restorable",
  protects: (input) => input.action === "read" ? [] : [clipboardOf()],
  async act({ desktop, deadline }, input) {
    if (input.action !== "read") await desktop.writeClipboard(input.text, deadline.call());
    const text = await desktop.readClipboard(deadline.call());
    const success = input.action === "read" || text === input.text;
    return { success, ...defined({ text }) };
  },
});
