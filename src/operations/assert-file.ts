import { pause } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { lookWithin, readWithin } from "../base/within.ts";
import type { Context } from "../contract/operation.ts";
import { asFault, type Confined, confined, isMissing } from "./confine.ts";
import type { Expectation } from "../checks/expectation.ts";
import { unmet } from "../checks/unmet.ts";
import { quoted } from "../checks/words.ts";

/** Bytes of a file that is compared. */
const MOST = 4 * 1024 * 1024;
/** Milliseconds between two looks: notices of changes are missing on network and overlay file systems. */
const PACE = 100;

/** What is expected of a file. */
export interface FileExpectation {
  readonly exists?: boolean | undefined;
  readonly text?: Expectation | undefined;
}

/** Waits until a file is as expected. Errors: `assertion`, `invalid` (outside of its folders), `limit`. */
export async function assertFile(
  context: Context,
  file: string,
  expected: FileExpectation,
  limit: number,
): Promise<void> {
  const place = await confined(context, file, "look at");
  const deadline = context.deadline.within(limit);
  for (;;) {
    const content = contentOf(place, file, expected.text !== undefined);
    const failure = failureOf(content, expected);
    if (failure === undefined) return;
    if (deadline.passed) {
      throw new BackstepError("assertion", `Cannot confirm file ${file}: ${failure} (waited ${limit} ms)`, {
        details: {
          file,
          expected: JSON.stringify(expected).slice(0, 500),
          actual: content?.slice(0, 500) ?? null,
        },
      });
    }
    await pause(Math.max(1, Math.min(PACE, deadline.remaining())), deadline.signal);
  }
}

/** The text of a file, "" when only its being there is asked; undefined: there is none. */
function contentOf({ path, roots }: Confined, file: string, read: boolean): string | undefined {
  try {
    if (!read) {
      lookWithin(path, roots);
      return "";
    }
    const { bytes } = readWithin(path, roots, (found) => {
      // A pipe or a device would never end.
      if (!found.isFile()) {
        throw new BackstepError("invalid", `Cannot compare file ${file}: it is no ordinary file`, {
          hint: "Ask only whether it `exists`.",
        });
      }
      const { size } = found;
      if (size > MOST) throw new BackstepError("limit", `Cannot compare file ${file}: it has ${size} bytes`);
    });
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw asFault(thrown, "compare file", file);
  }
}

function failureOf(content: string | undefined, { exists, text }: FileExpectation): string | undefined {
  if (exists === false) return content === undefined ? undefined : "it exists";
  if (content === undefined) return "it does not exist";
  const why = text === undefined ? undefined : unmet(text, content);
  return why === undefined ? undefined : `its text is ${quoted(content)}, ${why}`;
}
