import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { z } from "zod";
import type { Json } from "../../../src/base/error.ts";

const Value = z.json();
const Line = z.union([
  z.object({
    app: z.string(),
    key: z.string(),
    what: z.string(),
    before: Value,
    after: Value,
    by: z.string(),
  }),
  z.object({ app: z.string(), running: z.boolean(), pid: z.number() }),
  z.object({ app: z.string(), state: z.record(z.string(), Value) }),
  z.object({ app: z.string(), ack: z.number() }),
]);

/** A line of a fixture's own account. */
export type AccountLine = z.infer<typeof Line>;

/** Reads the JSON lines that came to a file since the last look; a line that is not whole yet waits. */
export class Tail {
  readonly #file: string;
  /** Turns what one line of the file says into a line of JSON; undefined: it is none. */
  readonly #find: (line: string) => string | undefined;
  #at = 0;
  #rest = "";

  constructor(file: string, find: (line: string) => string | undefined = (line) => line) {
    this.#file = file;
    this.#find = find;
  }

  read(): unknown[] {
    if (!existsSync(this.#file)) return [];
    const handle = openSync(this.#file, "r");
    try {
      // Chromium begins its log anew when it is started again.
      if (fstatSync(handle).size < this.#at) this.#at = 0;
      const buffer = new Uint8Array(65_536);
      const decoder = new TextDecoder();
      for (let size = 1; size > 0;) {
        size = readSync(handle, buffer, 0, buffer.length, this.#at);
        this.#at += size;
        this.#rest += decoder.decode(buffer.subarray(0, size), { stream: true });
      }
    } finally {
      closeSync(handle);
    }
    const lines = this.#rest.split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line): unknown[] => {
      const found = this.#find(line);
      return found === undefined ? [] : [JSON.parse(found)];
    });
  }
}

/** Reads what a fixture has written since the last look. */
export class AccountReader {
  readonly #tail: Tail;

  constructor(file: string, find?: (line: string) => string | undefined) {
    this.#tail = new Tail(file, find);
  }

  read(): AccountLine[] {
    return this.#tail.read().map((line) => Line.parse(line));
  }
}

/** What a page says on its console, as Chromium's log has it, or as WebKitGTK writes it. */
export function saidOnConsole(line: string): string | undefined {
  const ofWebKit = /CONSOLE LOG account (\{.*\})$/.exec(line)?.[1];
  return ofWebKit ?? /CONSOLE[:(]\d+\)?\] "account (\{.*\})", source: /.exec(line)?.[1];
}

/** The same JSON text for the same value, whoever wrote it. */
export function asText(value: Json): string {
  return JSON.stringify(value);
}
