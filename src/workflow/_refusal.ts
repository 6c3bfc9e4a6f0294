import { equal, ok } from "node:assert/strict";
import { BackstepError } from "../base/error.ts";
import { FAKE_CATALOGUE } from "./_catalogue.ts";
import { parseWorkflow } from "./parse.ts";

/** For tests: the error of a faulty file. */
export function faultOf(source: string | Uint8Array): BackstepError {
  try {
    parseWorkflow(source, { file: "f.yaml", operations: FAKE_CATALOGUE, checkSelector });
  } catch (error) {
    if (error instanceof BackstepError) return error;
    throw error;
  }
  throw new Error("the file was accepted");
}

/** A stand-in for the selector parser: a closing bracket must follow an opening one. */
function checkSelector(text: string): void {
  const position = text.indexOf("[");
  if (position < 0 || text.includes("]")) return;
  throw new BackstepError("selector", `Cannot parse ${text}: "]" is missing`, {
    details: { position: position + 1 },
  });
}

/** For tests: a file with these lines as its steps, which begin at line 3. */
export const steps = (...lines: string[]) => ["name: n", "steps:", ...lines].join("\n");
/** For tests: a file with these lines before its steps. */
export const head = (...lines: string[]) => ["name: n", ...lines, "steps: []"].join("\n");

/** For tests: a faulty file, where its fault lies, and what is said of it. */
export interface Case {
  readonly source: string | Uint8Array;
  readonly at: string;
  readonly message: string;
  readonly hint?: string;
}

/** For tests: one test a case; each has one fault, which is reported once. */
export function refuses(cases: Readonly<Record<string, Case>>): void {
  for (const [name, { source, at, message, hint }] of Object.entries(cases)) {
    Deno.test(`${name} is refused at ${at}: ${message}`, () => {
      const error = faultOf(source);
      equal(error.code, "workflow");
      ok(error.message.includes(message), error.message);
      equal(`${error.place?.line}:${error.place?.column}`, at);
      equal(error.place?.file, "f.yaml");
      if (hint !== undefined) ok((error.hint ?? "").includes(hint), error.hint);
      equal(error.details?.["total"], 1, JSON.stringify(error.details?.["faults"]));
    });
  }
}
