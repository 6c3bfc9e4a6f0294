import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { z } from "zod";
import { saidOnConsole } from "../histories/real/account.ts";

const Line = z.union([
  z.object({ lost: z.string(), round: z.number() }),
  z.object({ ack: z.number(), places: z.record(z.string(), z.tuple([z.number(), z.number()])).optional() }),
  z.object({ running: z.boolean(), pid: z.number() }),
]);

/** A line of the application's own account of what it lost. */
export type AccountLine = z.infer<typeof Line>;

/** Reads what the application has written since the last look; a line that is not whole yet waits. */
export class AccountReader {
  readonly #file: string;
  readonly #console: boolean;
  #at = 0;
  #rest = "";

  /** `console`: the lines stand in Chromium's log, as what a page says on its console. */
  constructor(file: string, { console }: { readonly console: boolean }) {
    this.#file = file;
    this.#console = console;
  }

  read(): AccountLine[] {
    if (!existsSync(this.#file)) return [];
    const handle = openSync(this.#file, "r");
    try {
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
    return lines.flatMap((line) => {
      const found = this.#console ? saidOnConsole(line) : line;
      return found === undefined ? [] : [Line.parse(JSON.parse(found))];
    });
  }
}
