import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { Deadline, pause } from "../src/base/call.ts";
import { toBackstepError } from "../src/base/error.ts";
import { catalogue } from "../src/catalogue.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { openSession } from "../src/session/open-session.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";
import type { Step } from "./_truth.ts";

const WISH = "/usr/bin/wish";
const missing = !existsSync(WISH);

/** A form of Tk that writes each thing that happens to it into a file; large letters, as for a person. */
const SCRIPT = `
set log [open [lindex $argv 0] a]
fconfigure $log -buffering line
proc told {line} { puts $::log $line }
wm title . "Order"
wm geometry . 600x300+50+50
option add *Font {{DejaVu Sans} 18}
label .name -text "Customer"
entry .entry -textvariable customer
button .send -text "Send order" -command { told "send $customer" }
checkbutton .gift -text "Gift wrap" -variable gift -command { told "gift $gift" }
pack .name .entry .gift .send -pady 10
bind .entry <FocusIn> { told focused }
after idle { told ready }
`;

Deno.test({
  name: `a form of Tk, which is in no accessibility tree, is used by what is written on it${
    missing ? ": not run, tk is not installed" : ""
  }`,
  ignore: missing,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "bs-tk-"));
  const account = join(folder, "told.txt");
  writeFileSync(join(folder, "form.tcl"), SCRIPT);
  const session = await openSession({ kind: "isolated", state: folder });
  try {
    // It never comes into the tree, which is what is waited for; it runs on.
    const args = [join(folder, "form.tcl"), account];
    await session.launcher.launch("wish", { args, timeout: 3_000 }).catch((thrown: unknown) => {
      assert.equal(toBackstepError(thrown).code, "launch_failed");
    });
    const heard = async (line: string) => {
      const deadline = Deadline.after(20_000);
      const lines = () => existsSync(account) ? readFileSync(account, "utf8").trim().split("\n") : [];
      while (!lines().includes(line)) {
        if (deadline.passed) throw new Error(`the form did not say ${line}: ${lines().join(" | ")}`);
        await pause(20);
      }
    };
    await heard("ready");
    const run = async (steps: readonly Step[]) => {
      const file = JSON.stringify({ name: "tk", on_failure: "stop", timeout: "120s", steps });
      const result = await runWorkflow(parseWorkflow(file, { file: "tk.yaml", operations: catalogue }), {
        operations: catalogue,
        session,
        vars: {},
        surroundings: { env: () => undefined, secret: () => undefined },
        folder,
        state: folder,
      });
      assert.equal(result.status, "passed", JSON.stringify(result.error));
      return result;
    };
    const clickText = (text: string): Step[] => [
      { find_visual: text, id: "spot" },
      { click_at: { x: "{{steps.spot.center.0}}", y: "{{steps.spot.center.1}}" }, irreversible: true },
    ];
    await t.step("nothing of it is in the tree", async () => {
      assert.deepEqual(await session.desktop.applications({ timeout: 5_000 }), []);
    });
    await t.step("a check box is clicked by its words", async () => {
      const { steps } = await run(clickText("Gift wrap"));
      assert.equal(z.looseObject({ vlm_backend: z.string() }).parse(steps[0]?.output).vlm_backend, "ocr");
      await heard("gift 1");
    });
    await t.step("keys go where they would go: Tab to the field, and a letter into it", async () => {
      const keys = ["Tab", "a"].map((keys): Step => ({ press: keys, irreversible: true }));
      await run(keys);
      await heard("focused");
    });
    await t.step("a button is clicked by its words", async () => {
      await run(clickText("Send order"));
      await heard("send a");
    });
  } finally {
    await session.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
