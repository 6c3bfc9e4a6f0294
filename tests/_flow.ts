import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunResult } from "../src/contract/events.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";
import { runText } from "./_workflow.ts";

/** A private desktop on which texts of workflow files run, one after the other. */
export interface Flows {
  readonly session: Session;
  /** HOME of what runs there. */
  readonly home: string;
  /** Runs the text of a workflow file, without its `name:`. */
  run(source: string): Promise<RunResult>;
}

/** Opens a private desktop for a test, and ends it. */
export async function withFlows(
  body: (flows: Flows) => Promise<void>,
  screen: { readonly width?: number; readonly height?: number } = {},
): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  const session = await openSession({ kind: "isolated", state, ...screen });
  try {
    const run = (source: string) => runText(`name: test\n${source}`, { session, state });
    await body({ session, home: session.home ?? "", run });
  } finally {
    await session.close();
    rmSync(state, { recursive: true, force: true });
  }
}

/** A result as the message of an assertion. */
export function tell({ status, error, rollback, steps }: RunResult): string {
  return JSON.stringify({ status, error, rollback, steps }, null, 1).slice(0, 6_000);
}
