import process from "node:process";
import { createInterface } from "node:readline/promises";
import type { AskConflict } from "../engine/rollback/conflicts.ts";
import { oneLine } from "../report/style.ts";
import { isTerminal, write } from "./terminal.ts";

/** Seconds in which a question is answered; after that the answer is no, and the rollback goes on. */
const PATIENCE = 20;

/** Asks a person on the terminal whether to overwrite what somebody changed; undefined: there is nobody to ask. */
export function askConflict(): AskConflict | undefined {
  if (process.stdin.isTTY !== true || !isTerminal("stderr")) return undefined;
  let nobody = false;
  return async ({ path, what, property, found, left, was }) => {
    // Whoever did not answer is not waited for again: the time of the rollback is for the rest of it.
    if (nobody) return false;
    const reported = [
      `${path}: somebody changed ${oneLine(what)}.`,
      `  ${property} is ${show(found)}; the step left ${show(left)}; before it was ${show(was)}.`,
    ];
    write("stderr", `${reported.join("\n")}\n`);
    // As the terminal has its lines, so that Ctrl-C stays an interrupt.
    const question = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
    try {
      const options = { signal: AbortSignal.timeout(PATIENCE * 1_000) };
      const answer = await question.question(`  Overwrite it? [y/N, no in ${PATIENCE} s] `, options);
      return /^y(es)?$/i.test(answer.trim());
    } catch {
      write("stderr", "\n");
      nobody = true;
      return false; // nobody answered, or the terminal is gone: what is there is left alone
    } finally {
      question.close();
    }
  };
}

function show(value: unknown): string {
  const text = oneLine(JSON.stringify(value));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
