// No picture of a run shows what stands in a password field: judged by the colour of its dots, which nothing else has, wherever
// it is by then.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
// @ts-types="../src/checks/visual/pngjs.d.ts"
import { PNG } from "pngjs";
import { catalogue } from "../src/catalogue.ts";
import { readEvidence } from "../src/engine/evidence/read.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { openNative } from "../src/session/open-native.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";

const PROGRAM = fileURLToPath(new URL("fixtures/evidence/password.py", import.meta.url));

const stepsOf = (app: number) =>
  `name: Sign in
app: '${app}'
steps:
  - set: { target: 'textfield:nth(1)', value: 'Grace' }
  - click: 'button[name="Move"]'
    irreversible: true
  - set: { target: 'textfield:nth(1)', value: 'Grace Hopper' }
`;

/** Pixels of the colour of its dots. */
function coloured(rgba: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < rgba.length; at += 4) {
    if (rgba[at] === 255 && rgba[at + 1] === 0 && rgba[at + 2] === 255) count++;
  }
  return count;
}

for (const version of ["3", "4"]) {
  Deno.test(`GTK ${version}: a password field is black in each picture of a run, where it was and where it has moved to`, async () => {
    const state = mkdtempSync(join(tmpdir(), "bs-password-"));
    const session = await openNative({ kind: "isolated", state });
    try {
      const { processId } = await session.launcher.launch(PROGRAM, { args: [version] });
      const workflow = parseWorkflow(stepsOf(processId), { file: "steps.yaml", operations: catalogue });
      const result = await runWorkflow(workflow, {
        operations: catalogue,
        session,
        vars: {},
        surroundings: { env: () => undefined, secret: () => undefined },
        folder: state,
        state,
        evidence: "on",
      });
      assert.equal(result.status, "passed", JSON.stringify(result.error));
      const seen = await session.desktop.screenshot({ what: "screen" });
      assert.ok(coloured(seen.rgba) > 100, `${coloured(seen.rgba)} show on the screen`);
      const { evidence } = readEvidence(state, result.run);
      const pictures = (evidence?.pictures ?? []).flatMap(({ png }) =>
        png ? [PNG.sync.read(Buffer.from(png))] : []
      );
      assert.ok(pictures.length >= 3, `${pictures.length} pictures`);
      assert.deepEqual(pictures.map(({ data }) => coloured(data)), pictures.map(() => 0));
    } finally {
      await session.close();
      rmSync(state, { recursive: true, force: true });
    }
  });
}
