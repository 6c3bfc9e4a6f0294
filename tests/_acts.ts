import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { Deadline } from "../src/base/call.ts";
import type { Json } from "../src/base/error.ts";
import type { RunResult } from "../src/contract/events.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";
import { runText } from "./_workflow.ts";
import { isInstalled } from "./_installed.ts";

/** A step as workflow files have it: `{ click: 'button[name="Save"]' }`. */
export type Step = { readonly [verb: string]: Json };

/**
 * One act that a toolkit is claimed to do: `scripts/claims.ts` reads `claim` and `method`, written one after the other,
 * and holds docs/reference/toolkits.md to them.
 */
export interface Act {
  /** "gtk3/check-box": a toolkit and an action of the matrix. */
  readonly claim: string;
  /** What the result of `do` is to name. */
  readonly method: string;
  /** The only other one, which another version of the application gives rise to. */
  readonly orMethod?: string;
  /** Distinguishes it from other acts of the same claim. */
  readonly what?: string;
  /** Sets the scene. */
  readonly first?: readonly Step[];
  /** The action itself. */
  readonly do: Step;
  /** Assertions that hold after it: the read-back by another way than its own. */
  readonly holds?: readonly Json[];
  /** Assertions that hold before it. With them, it is done in a transaction that fails first: they must hold again. */
  readonly was?: readonly Json[];
  /** An element that must lie elsewhere after it. */
  readonly moves?: string;
  /** Tidies up. */
  readonly then?: readonly Step[];
}

/** An application with what is to be verified on it. */
export interface Stage {
  /** The default target of the steps. */
  readonly app: string;
  /** Which part of it is shown, where it has several. */
  readonly part?: string;
  /** A program that must be there, and the Debian package it comes from: else the test is ignored. */
  readonly needs: readonly [program: string, from: string];
  /** The screen, in pixels; default 1280 x 800. A smaller one shows less, which takes less time to read. */
  readonly screen?: { readonly width: number; readonly height: number };
  /** Starts it, and waits until it can be used. */
  readonly start: readonly Step[];
  readonly acts: readonly Act[];
}

/** One test for an application: starts it once on a private desktop and does all acts one after the other. */
export function verifyActs({ app, part, needs: [program, from], screen, start, acts }: Stage): void {
  const ignore = !isInstalled(program);
  const title = `${app}${part === undefined ? "" : ` ${part}`} does what is claimed${
    ignore ? `: not run, ${from} is not installed` : ""
  }`;
  Deno.test({ name: title, ignore }, async (t) => {
    const state = mkdtempSync(join(tmpdir(), "bs-state-"));
    const session = await openSession({ kind: "isolated", state, ...screen });
    try {
      const run = (steps: readonly Step[]) => perform(session, state, app, steps);
      passed(await run(start));
      for (const act of acts) {
        const { what } = act;
        await t.step(`${act.claim}${what === undefined ? "" : `, ${what}`}: ${act.method}`, async () => {
          await verify(act, run);
        });
      }
    } finally {
      await session.close();
      rmSync(state, { recursive: true, force: true });
    }
  });
}

/** Fails on purpose, at once. */
export const FAILS: Step = { assert: { target: '[id="nothing has this id"]', exists: true, timeout: 0 } };

async function verify(act: Act, run: (steps: readonly Step[]) => Promise<RunResult>): Promise<void> {
  const holds = (act.holds ?? []).map((assert): Step => ({ assert }));
  const was = (act.was ?? []).map((assert): Step => ({ assert }));
  if (act.first !== undefined || was.length > 0) passed(await run([...act.first ?? [], ...was]));
  if (was.length > 0) {
    const taken = await run([{ transaction: { name: "rolled back", steps: [act.do, ...holds, FAILS] } }]);
    const reported = tell(taken);
    assert.match(taken.error?.message ?? "", /nothing has this id/, reported);
    assert.equal(taken.rollback.verdict, "restored", reported);
    passed(await run(was));
  }
  const before = act.moves === undefined ? undefined : await placeOf(act.moves, run);
  const done = await run([{ ...act.do, id: "action" }, ...holds]);
  passed(done);
  if (act.moves !== undefined) {
    // What an application does with what is dropped on it may take its time.
    const deadline = Deadline.after(5_000);
    let now = await placeOf(act.moves, run);
    while (!deadline.passed && JSON.stringify(now) === JSON.stringify(before)) {
      passed(await run([{ wait_idle: { quiet: "100ms" } }]));
      now = await placeOf(act.moves, run);
    }
    assert.notDeepEqual(now, before, act.moves);
  }
  const output = z.looseObject({ method: z.string() }).parse(done.steps[0]?.output);
  assert.ok(
    [act.method, act.orMethod].includes(output.method),
    `not ${act.method}: ${JSON.stringify(output)}`,
  );
  if (act.then !== undefined) passed(await run(act.then));
}

/** Where an element lies on the screen. */
async function placeOf(
  target: string,
  run: (steps: readonly Step[]) => Promise<RunResult>,
): Promise<unknown> {
  const found = await run([{ attributes: target }]);
  passed(found);
  const { position } = z.looseObject({ position: z.array(z.number()) }).parse(found.steps[0]?.output);
  return position;
}

export function passed(result: RunResult): void {
  assert.equal(result.status, "passed", tell(result));
}

export function tell(result: RunResult): string {
  const steps = result.steps.map(({ path, name, status, output }) => ({ path, name, status, output }));
  const { error, rollback } = result;
  return JSON.stringify({ error, rollback, steps }, null, 1).slice(0, 6_000);
}

/** Runs steps through the engine, as a workflow file would: the documented verbs and nothing else. */
export function perform(
  session: Session,
  state: string,
  app: string,
  steps: readonly Step[],
): Promise<RunResult> {
  // JSON is YAML.
  return runText(JSON.stringify({ name: "acts", app, on_failure: "stop", timeout: "60s", steps }), {
    session,
    state,
  });
}
