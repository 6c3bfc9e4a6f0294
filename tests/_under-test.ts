import process from "node:process";
import { z } from "zod";

/** The variable that names another command line than the one in the sources: a program and its arguments, as a list in JSON. */
export const UNDER_TEST = "BACKSTEP_UNDER_TEST";

/** How tests start the command line: from its sources, unless the environment says otherwise. */
export function commandUnderTest(sources: readonly string[]): readonly [program: string, ...args: string[]] {
  const other = process.env[UNDER_TEST];
  if (other === undefined) return [process.execPath, ...sources];
  const [program, ...args] = z.array(z.string()).parse(JSON.parse(other));
  if (program === undefined) throw new Error(`${UNDER_TEST} is empty`);
  return [program, ...args];
}
