import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalogue } from "../src/catalogue.ts";
import { readSelector, strategies } from "../src/desktop/selector/mod.ts";
import { runWorkflow } from "../src/engine/run.ts";
import { openSession } from "../src/session/open-session.ts";
import { loadWorkflow } from "../src/workflow/load.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "tests/untuned");

/** Applications that nobody tuned Backstep for, nor the other way round, and the package each comes from. */
const APPLICATIONS: Readonly<Record<string, readonly [program: string, from: string]>> = {
  appfinder: ["/usr/bin/xfce4-appfinder", "xfce4-appfinder"],
  featherpad: ["/usr/bin/featherpad", "featherpad"],
  galculator: ["/usr/bin/galculator", "galculator"],
  kate: ["/usr/bin/kate", "kate"],
  kcalc: ["/usr/bin/kcalc", "kcalc"],
  "libreoffice-calc": ["/usr/bin/localc", "libreoffice-calc libreoffice-gtk3"],
  mousepad: ["/usr/bin/mousepad", "mousepad"],
  qt5ct: ["/usr/bin/qt5ct", "qt5ct"],
};

Deno.test("every workflow of tests/untuned names its package", () => {
  const files = readdirSync(folder).map((name) => name.replace(/\.yaml$/, "")).sort();
  assert.deepEqual(files, Object.keys(APPLICATIONS).sort());
});

for (const [name, [program, from]] of Object.entries(APPLICATIONS)) {
  const ignore = !existsSync(program);
  const title = `${name} is driven by the documented verbs${
    ignore ? `: not run, ${from} is not installed` : ""
  }`;
  Deno.test({ name: title, ignore }, async () => {
    const workflow = loadWorkflow(join(folder, `${name}.yaml`), {
      operations: catalogue,
      root,
      checkSelector: (text, strategy) => {
        readSelector(text, strategies.find((one) => one === strategy));
      },
    });
    const state = mkdtempSync(join(tmpdir(), "bs-state-"));
    // A sheet on a small screen has fewer cells to read.
    const screen = name === "libreoffice-calc" ? { width: 800, height: 480 } : {};
    const session = await openSession({ kind: "isolated", state, ...screen });
    try {
      const result = await runWorkflow(workflow, {
        operations: catalogue,
        session,
        vars: {},
        surroundings: { env: () => undefined, secret: () => undefined },
        folder: root,
        state,
      });
      const { status, error, steps } = result;
      assert.equal(status, "passed", JSON.stringify({ error, steps }, null, 1).slice(0, 4_000));
    } finally {
      await session.close();
      rmSync(state, { recursive: true, force: true });
    }
  });
}
