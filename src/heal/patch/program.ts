import { BackstepError } from "../../base/error.ts";
import { literalsOf, valueOf, written } from "./literals.ts";
import type { Replacement } from "./replacement.ts";

/**
 * A TypeScript program in which one string literal has another value; its quotes and every other byte stay. Throws `workflow`
 * where no literal has this value, or several have it.
 */
export function patchProgram(text: string, { from, to, line }: Replacement): string {
  const found = literalsOf(text).filter((one) =>
    valueOf(one) === from && (line === undefined || one.line === line)
  );
  const [literal, ...more] = found;
  if (literal === undefined) throw refused(`no string of it is ${JSON.stringify(from)}`);
  if (more.length > 0) throw refused(`${found.length} strings of it are ${JSON.stringify(from)}`);
  // Where the other quotes need no escapes, what a person would write is written.
  const other = literal.quote === '"' ? "'" : '"';
  const quote = to.includes(literal.quote) && !to.includes(other) ? other : literal.quote;
  return text.slice(0, literal.start) + written(to, quote) + text.slice(literal.end);
}

function refused(reason: string): BackstepError {
  return new BackstepError("workflow", `Cannot patch the program: ${reason}`, {
    hint: "Change the selector by hand.",
  });
}
