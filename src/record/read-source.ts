import { BackstepError } from "../base/error.ts";
import { readWithin } from "../base/within.ts";
import { MOST_BYTES } from "../workflow/reading.ts";

/** The bytes of a file of at most 1 MiB. Throws `workflow` for one that cannot be read. */
export function readSource(file: string): Uint8Array {
  const cannot = (why: string, cause?: unknown) =>
    new BackstepError("workflow", `Cannot read ${file}: ${why}`, {
      place: { file, line: 1, column: 1 },
      ...(cause === undefined ? {} : { cause }),
    });
  try {
    return readWithin(file, ["/"], (found) => {
      if (!found.isFile()) throw cannot("it is no ordinary file");
      if (found.size > MOST_BYTES) throw cannot(`it is larger than ${MOST_BYTES} bytes`);
    }).bytes;
  } catch (thrown) {
    if (thrown instanceof BackstepError || !(thrown instanceof Error)) throw thrown;
    const missing = "code" in thrown && thrown.code === "ENOENT";
    throw cannot(missing ? "there is no such file" : thrown.message, thrown);
  }
}
