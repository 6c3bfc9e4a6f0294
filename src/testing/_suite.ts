import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { moduleAt } from "../base/_child.ts";
import { defined } from "../base/defined.ts";
import type { TestEvent, TestFileResult, TestSummary } from "../report/reporter.ts";
import { findFiles } from "./find-files.ts";
import { runTests, type TestOptions } from "./run-tests.ts";
import { describeFiles, select, type Selection } from "./select.ts";
import type { Patience } from "./worker-process.ts";

/** Where programs import the library from. */
export const LIBRARY = moduleAt("../../mod.ts", import.meta.url);

/** A workflow on the simulated desktop that passes. */
export const PASSES = `name: Passes
app: sim.settings
session: simulated
tags: [quick]
before: [ { launch: sim.settings } ]
steps:
  - set: { target: 'textfield[name="Name"]', value: Grace }
`;

/** One that fails, and rolls itself back. */
export const FAILS = `${
  PASSES.replace("Passes", "Fails")
}  - assert: { target: 'button[name="Nowhere"]', timeout: 0 }
`;

/** A program with this body, on the simulated desktop. */
export function program(name: string, body: string, options = "{}"): string {
  return `import { workflow } from ${JSON.stringify(LIBRARY)};
export default workflow(${JSON.stringify(name)}, { session: "simulated", app: "sim.settings",
  before: async (t) => { await t.launch("sim.settings"); }, ...${options} }, async (t) => {
${body}
});
`;
}

/** How a suite is run; what is left out is as on the command line. */
export type SuiteOptions =
  & Partial<Omit<TestOptions, "files" | "state" | "listener" | "patience" | "shard">>
  & Partial<Selection>
  & { readonly patience?: Partial<Patience>; readonly reported?: (event: TestEvent) => void };

/** What came of it. */
export interface Reported {
  readonly summary: TestSummary;
  readonly events: readonly TestEvent[];
  /** The result of a file, by its name in the folder. */
  of(name: string): TestFileResult;
}

/** Writes files into a folder of their own, and runs them as a test run. */
export async function runSuite(
  files: Readonly<Record<string, string>>,
  options: SuiteOptions = {},
): Promise<Reported> {
  const folder = mkdtempSync(join(tmpdir(), "bst-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      // Several of them may be told to leave a note beside themselves.
      writeFileSync(join(folder, name), text.replaceAll("$FOLDER", folder));
    }
    const { reported, grep, tags = [], lastFailed = false, repeat = 1, session, shard, ...rest } = options;
    const found = findFiles([folder], process.cwd());
    const descriptions = await describeFiles(found, options.patience);
    const selection = { grep, tags, lastFailed, repeat, session, shard };
    const events: TestEvent[] = [];
    const summary = await runTests({
      files: select(found, descriptions, selection, new Map()),
      workers: 2,
      retries: 0,
      failOnFlaky: false,
      job: { vars: {}, ...defined({ session }) },
      ...rest,
      ...defined({ shard }),
      state: join(folder, "state"),
      listener(event) {
        events.push(event);
        reported?.(event);
      },
    });
    return {
      summary,
      events,
      of(name) {
        const found = summary.files.find(({ id }) => id.endsWith(`/${name}`));
        if (!found) {
          throw new Error(`there is no ${name} among ${summary.files.map(({ id }) => id).join(", ")}`);
        }
        return found;
      },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
