import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openNative } from "../src/session/open-native.ts";
import { isInstalled } from "./_installed.ts";
import { runText } from "./_workflow.ts";

const GALLERY = "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/gallery/gallery";
const SPIN = "spinbutton:visible:enabled:nth(1)";

// In the widget factories the middle of this one is its button for less.
for (const program of ["/usr/bin/gtk3-widget-factory", "/usr/bin/gtk4-widget-factory", GALLERY]) {
  Deno.test({
    name: `a click on a spin button presses none of its buttons: ${program.split("/").at(-1)}`,
    ignore: !isInstalled(program),
    async fn() {
      const state = mkdtempSync(join(tmpdir(), "bs-spin-"));
      const session = await openNative({ kind: "isolated", state });
      try {
        const result = await runText(
          `name: spin
steps:
  - launch: ${program}
  - assert: { target: '${SPIN}', value: "50" }
  - click: '${SPIN}'
  - assert: { target: '${SPIN}', focused: true, value: "50" }
`,
          { session, state },
        );
        assert.equal(result.status, "passed", JSON.stringify(result.steps.at(-1)));
      } finally {
        await session.close();
        rmSync(state, { recursive: true, force: true });
      }
    },
  });
}
