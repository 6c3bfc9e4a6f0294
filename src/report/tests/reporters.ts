import { resolve } from "node:path";
import { closest } from "../../base/closest.ts";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import type { Output } from "../list.ts";
import type { Reporter, ReporterOptions, TestEvent } from "../reporter.ts";
import type { Style } from "../style.ts";

/** What a reporter can be made of. */
export interface Means {
  /** Standard output. */
  readonly terminal: Output;
  readonly style: Style;
  /** Where files go that are not named. Absolute. */
  readonly output: string;
}

const KINDS: Readonly<Record<string, (means: Means, options: ReporterOptions) => Promise<Reporter>>> = {
  list: async ({ terminal, style }) => (await import("./list.ts")).listReporter(terminal, style),
  line: async ({ terminal, style }) => (await import("./line.ts")).lineReporter(terminal, style),
  dot: async ({ terminal, style }) => (await import("./dot.ts")).dotReporter(terminal, style),
  json: async (_, options) => (await import("./json.ts")).jsonReporter(options),
  junit: async (_, options) => (await import("./junit.ts")).junitReporter(options),
  html: async (_, options) => (await import("../html/reporter.ts")).htmlReporter(options),
  github: async ({ terminal }) =>
    (await import("./github.ts")).githubReporter((text) => terminal.write(text)),
  blob: async (_, options) => (await import("./blob.ts")).blobReporter(options),
};

/** The names of all reporters. */
export const REPORTERS: readonly string[] = Object.keys(KINDS);
/** Those that write to standard output, and take no path. */
export const SPOKEN: ReadonlySet<string> = new Set(["list", "line", "dot", "github"]);

/** Makes reporters from words such as "list", "junit=out/junit.xml". Throws `usage`. */
export async function makeReporters(words: readonly string[], means: Means): Promise<Reporter[]> {
  const reporters: Reporter[] = [];
  for (const word of words) {
    const [, name = "", path] = /^([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const make = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
    if (!make) {
      const near = closest(name, REPORTERS);
      throw new BackstepError("usage", `Cannot report with "${name}": there is no such reporter`, {
        hint: near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `There are: ${REPORTERS.join(", ")}.`,
      });
    }
    if (path === "" || (path !== undefined && SPOKEN.has(name))) {
      throw new BackstepError(
        "usage",
        `Cannot report with "${word}": ${name} ${path ? "writes no file" : "needs a path"}`,
        {
          hint: "Reporters with a file are json, junit, html and blob: junit=out/junit.xml.",
        },
      );
    }
    const { output } = means;
    reporters.push(await make(means, { output, ...(path === undefined ? {} : { path: resolve(path) }) }));
  }
  return reporters;
}

/** Several reporters as one. One that cannot write keeps no other from it; its error is thrown at the end. */
export function together(reporters: readonly Reporter[]): Reporter {
  return {
    event(event: TestEvent) {
      for (const one of reporters) one.event(event);
    },
    async finish(summary) {
      const failures: unknown[] = [];
      for (const one of reporters) {
        try {
          await one.finish(summary);
        } catch (thrown) {
          failures.push(thrown);
        }
      }
      if (failures.length > 0) throw toBackstepError(failures[0]);
    },
  };
}
