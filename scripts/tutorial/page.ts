import { readFileSync } from "node:fs";

/** The tutorial, as it is read. */
const page = readFileSync(
  new URL("../../docs/tutorial/record-your-first-workflow.md", import.meta.url),
  "utf8",
);

function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, "g"))].map(([, text = ""]) => text);
}

/** What the page has a reader save, type and put into the file. */
export const tutorial = {
  /** `guests.py`. */
  program: blocks("python")[0] ?? "",
  /** In their order: start the application, record, run, run with a variable, record on. */
  commands: blocks("sh").map((text) => text.trim()),
  /** In their order: what was recorded, what launches the application, a variable. */
  files: blocks("yaml"),
};
