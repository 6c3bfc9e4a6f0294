import process from "node:process";
import { cancelled } from "../base/call.ts";
import { oneLine } from "../report/style.ts";
import { isTerminal, write } from "./terminal.ts";
import type { AskSecret } from "../workflow/secret-values.ts";

/** Milliseconds in which a secret is typed. */
const PATIENCE = 300_000;

/** Asks for a secret on the terminal, without showing what is typed; undefined: there is no terminal. */
export function askSecret(): AskSecret | undefined {
  const { stdin } = process;
  if (stdin.isTTY !== true || !isTerminal("stderr")) return undefined;
  return async (_name, words) => {
    stdin.setRawMode(true);
    write("stderr", `${oneLine(words)}: `);
    try {
      return await typed(stdin);
    } finally {
      stdin.setRawMode(false);
      stdin.pause();
      write("stderr", "\n");
    }
  };
}

/** What is typed up to Enter. Ctrl-C and the end of the terminal give up; in raw mode they come as any key. */
function typed(stdin: NodeJS.ReadStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const decoder = new TextDecoder();
    let letters: string[] = [];
    const over = () => {
      clearTimeout(timer);
      stdin.off("data", hear);
      stdin.off("end", end);
    };
    const giveUp = () => {
      over();
      reject(cancelled("ask for a secret"));
    };
    const end = giveUp;
    const timer = setTimeout(giveUp, PATIENCE);
    const hear = (bytes: Uint8Array | string) => {
      for (const letter of typeof bytes === "string" ? bytes : decoder.decode(bytes, { stream: true })) {
        if (letter === "\r" || letter === "\n") {
          over();
          return resolve(letters.join(""));
        }
        if (letter === "\x03" || letter === "\x04") return giveUp();
        if (letter === "\x7f" || letter === "\b") letters.pop();
        else if (letter === "\x15") letters = [];
        else if (letter >= " ") letters.push(letter);
      }
    };
    stdin.on("data", hear);
    stdin.on("end", end);
    stdin.resume();
  });
}
