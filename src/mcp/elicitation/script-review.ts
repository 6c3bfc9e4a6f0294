import type { McpCall } from "../server/call.ts";
import { ask } from "./ask.ts";

/** What a person made of a script. */
export type Review =
  | { readonly is: "approved"; readonly within: number }
  | { readonly is: "declined" | "cancelled" | "unable" };

const LANGUAGES: Readonly<Record<string, string>> = { applescript: "AppleScript", jxa: "JavaScript" };
const DEFAULT_SECONDS = 10;
const MOST_SECONDS = 60;

/** Shows a script before it runs (scenario 5), all of it. `seconds` is what the caller asked for. */
export async function reviewScript(
  script: string,
  language: string,
  seconds: number | undefined,
  call: McpCall,
): Promise<Review> {
  const usual = Math.min(MOST_SECONDS, Math.max(1, Math.round(seconds ?? DEFAULT_SECONDS)));
  const reply = await ask(call, {
    mode: "form",
    message: `Review this ${LANGUAGES[language] ?? "script"} before execution:\n\n${visible(script)}`,
    requestedSchema: {
      type: "object",
      properties: {
        approve: { type: "boolean", title: "Execute this script?", default: false },
        timeout_seconds: {
          type: "integer",
          title: "Timeout (seconds)",
          default: usual,
          minimum: 1,
          maximum: MOST_SECONDS,
        },
      },
      required: ["approve"],
    },
  });
  if (reply.is !== "accepted") return { is: reply.is };
  const { approve, timeout_seconds: given } = reply.content;
  if (approve !== true) return { is: "declined" };
  const within = typeof given === "number" && given >= 1 && given <= MOST_SECONDS ? given : usual;
  return { is: "approved", within: within * 1_000 };
}

/** What would not be seen, or turn text around, is written out: a person must read what will run. */
function visible(script: string): string {
  return script.replace(/[\p{Cf}\p{Co}]|(?![\n\t])\p{Cc}/gu, (char) => {
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
