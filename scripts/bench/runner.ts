import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { findFiles } from "../../src/testing/find-files.ts";
import { runTests } from "../../src/testing/run-tests.ts";
import { describeFiles, select } from "../../src/testing/select.ts";
import { round } from "./row.ts";

/** Files of the suite. */
const FILES = 20;
/** Two workers are to be at least so many times as fast as one. */
export const PROMISED_RATIO = 1.7;
const APPLICATION = fileURLToPath(new URL("slow-application", import.meta.url));

/** A suite with so many workers. */
export interface RunnerRow {
  readonly workers: number;
  readonly files: number;
  readonly seconds: number;
  /** Private desktops that were started in all. */
  readonly desktops: number;
  /** How many times as fast as one worker. */
  readonly ratio: number;
}

/**
 * Twenty workflows that mostly wait for their application, on real private desktops: with one worker, then with two. Throws when
 * one of them does not pass.
 */
export async function runner(): Promise<RunnerRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "backstep-bench-"));
  try {
    for (let n = 1; n <= FILES; n++) {
      writeFileSync(join(folder, `slow-${String(n).padStart(2, "0")}.yaml`), workflow(n));
    }
    const one = await suite(folder, 1);
    const two = await suite(folder, 2);
    return [{ ...one, ratio: 1 }, { ...two, ratio: round(one.seconds / two.seconds) }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function workflow(n: number): string {
  return `name: Wait for the application, ${n}
app: slow-application
session: isolated
before:
  - launch: ${APPLICATION}
steps:
  - click: 'button[name="Work"]'
  - wait: { target: 'label[name="Done"]', timeout: 30s }
after:
  - quit: slow-application
`;
}

async function suite(folder: string, workers: number): Promise<Omit<RunnerRow, "ratio">> {
  const found = findFiles([folder], process.cwd());
  const selection = { tags: [], lastFailed: false, repeat: 1 };
  const summary = await runTests({
    files: select(found, await describeFiles(found), selection, new Map()),
    workers,
    retries: 0,
    failOnFlaky: false,
    job: { vars: {}, evidence: "off" },
    state: join(folder, `state-${workers}`),
    listener: () => {},
  });
  const bad = summary.files.find(({ status }) => status !== "passed");
  if (bad) throw new Error(`${bad.file} ${bad.status}: ${bad.error?.message}`);
  const labels = summary.files.flatMap(({ tries }) => tries.map(({ result }) => result?.desktop.label));
  return {
    workers,
    files: summary.files.length,
    seconds: round(summary.duration_ms / 1_000),
    desktops: new Set(labels).size,
  };
}

/** The rows for people. */
export function runnerTable(rows: readonly RunnerRow[]): string {
  return rows.map(({ workers, files, seconds, desktops, ratio }) =>
    `${files} files, ${workers} ${workers === 1 ? "worker " : "workers"}  ${
      seconds.toFixed(1).padStart(6)
    } s  ` +
    `${String(desktops).padStart(2)} desktops  ${ratio.toFixed(2)}x`
  ).join("\n");
}
