import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogue } from "../src/catalogue.ts";
import type { RunEvent, RunResult } from "../src/contract/events.ts";
import { readEvidence } from "../src/engine/evidence/read.ts";
import { runFolder } from "../src/engine/journal.ts";
import { runWorkflow } from "../src/engine/run.ts";
import { Seal } from "../src/engine/seal.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";
import {
  assertNowhere,
  assertNowhereBelow,
  FAILS,
  forbidden,
  PYTHON,
  receivedIn,
  SECRETS,
  STEPS,
  WINDOW,
} from "./_shown.ts";

interface Ran {
  readonly result: RunResult;
  readonly events: readonly RunEvent[];
}

async function ran(
  session: Session,
  state: string,
  secret: string,
  app: string,
  steps: string,
): Promise<Ran> {
  const yaml =
    `name: Codes\napp: '${app}'\nsecrets: [CODE]\nsteps:\n  - transaction:\n      name: all\n      steps:${
      steps.replaceAll("\n", "\n      ")
    }\n`;
  const events: RunEvent[] = [];
  const result = await runWorkflow(parseWorkflow(yaml, { file: "codes.yaml", operations: catalogue }), {
    operations: catalogue,
    session,
    vars: {},
    surroundings: { env: () => undefined, secret: (name) => name === "CODE" ? secret : undefined },
    folder: state,
    state,
    evidence: "on",
    listener: (event) => events.push(event),
  });
  return { result, events };
}

/** Everything that a run tells and keeps. */
function search({ result, events }: Ran, state: string, secret: string): void {
  const { secret: itself, made } = forbidden(secret);
  assertNowhere("the result", JSON.stringify(result), made);
  assertNowhere("the events", JSON.stringify(events), made);
  const { lines, evidence, unsealed } = readEvidence(state, result.run);
  assert.ok(evidence && evidence.trees.length > 0, "evidence was kept");
  assertNowhere("the trees", JSON.stringify([evidence.trees, evidence.steps, evidence.waysBack]), made);
  assertNowhere("the journal", JSON.stringify(lines), made);
  assert.ok(lines.some(({ kind }) => kind === "withheld"));
  const seal = Seal.open(state, result.run);
  for (const line of lines) {
    assertNowhere(`what is shown of line ${line.n}`, JSON.stringify(unsealed(line) ?? null), made);
    const { sealed } = line;
    if (typeof sealed === "string") {
      assertNowhere(`what is sealed of line ${line.n}`, JSON.stringify(seal.unseal(sealed)), itself);
    }
  }
  assert.ok(assertNowhereBelow(runFolder(state, result.run), made) > 1);
}

for (
  const [toolkit, needs] of [["gtk3", "gi"], ["gtk4", "gi"], ["qt5", "PyQt5"], ["qt6", "PyQt6"]] as const
) {
  const ignore = !existsSync(`/usr/lib/python3/dist-packages/${needs}`);
  Deno.test(
    { name: `no secret is shown that ${toolkit} writes otherwise, or makes something of`, ignore },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "bs-shown-"));
      const session = await openSession({ kind: "isolated", state: folder });
      try {
        const { processId } = await session.launcher.launch(PYTHON, {
          args: ["-B", WINDOW, toolkit, folder],
        });
        for (const secret of SECRETS) {
          for (const steps of [STEPS, STEPS + FAILS]) {
            const one = await ran(session, folder, secret, String(processId), steps);
            const told = JSON.stringify([one.result.error, one.result.rollback]);
            assert.equal(one.result.status, steps === STEPS ? "passed" : "failed", told);
            assert.ok(receivedIn(folder).includes(secret), "the field itself got it");
            if (steps !== STEPS) assert.equal(receivedIn(folder).at(-1), "", "and it was taken back");
            search(one, folder, secret);
            // As it was: the next one begins with an empty field.
            const cleared = await ran(
              session,
              folder,
              secret,
              String(processId),
              `
  - set: { target: 'textfield[name="Code"]', value: '' }`,
            );
            assert.equal(cleared.result.status, "passed", JSON.stringify(cleared.result.error));
          }
        }
      } finally {
        await session.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
}
