/**
 * A reporter for `node --test`: a line of JSON for each test, and for each file that could not be run.
 *
 * @module
 */

/** What one test came to. A step of a test counts with its test. */
export interface TestLine {
  readonly file: string;
  readonly name: string;
  readonly status: "passed" | "failed" | "skipped";
  readonly error?: string;
}

interface TestEvent {
  readonly type: string;
  readonly data: {
    readonly name: string;
    readonly nesting: number;
    readonly skip?: string | boolean;
    readonly details?: { readonly error?: { readonly cause?: unknown; readonly message: string } };
  };
}

function splitAt(name: string): [string, string] {
  const at = name.indexOf("\t");
  return [name.slice(0, at), name.slice(at + 1)];
}

/** The reporter. */
export default async function* lines(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if ((type !== "test:pass" && type !== "test:fail") || data.nesting > 0) continue;
    const { skip, details: { error } = {} } = data;
    // A file that could not be run at all goes by its name.
    const [file, name] = data.name.includes("\t") ? splitAt(data.name) : [data.name, "(the whole file)"];
    const status = type === "test:fail" ? "failed" : skip ? "skipped" : "passed";
    const cause = error?.cause instanceof Error ? error.cause.stack : error?.message;
    const line: TestLine = {
      file,
      name,
      status,
      ...(cause === undefined ? {} : { error: cause.slice(0, 2_000) }),
    };
    yield `${JSON.stringify(line)}\n`;
  }
}
