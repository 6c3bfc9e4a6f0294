import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { BackstepError } from "../src/base/error.ts";
import { catalogue } from "../src/catalogue.ts";
import { Gate, OPEN_PORTS } from "../src/contract/gate.ts";
import { baselinesOf } from "../src/operations/baseline-folder.ts";
import { errorLines } from "../src/report/error.ts";
import { PLAIN } from "../src/report/style.ts";
import { openSession } from "../src/session/open-session.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The same notation says what is in a toolkit's own dialog and on a page. */
const APPLICATIONS = [
  {
    app: "gtk3-widget-factory",
    program: "/usr/bin/gtk3-widget-factory",
    launch: { app: "gtk3-widget-factory" },
    target: "window",
    there: `- radio "Page 1" [checked]
- textfield [disabled]: entry
- spinbutton: 50
- checkbox "checkbutton" [indeterminate enabled]
- slider: /^[0-9]+$/
- table:
  - columnheader "Cool"
  - cell "Andrea"`,
    wrong: `- spinbutton: 50
- checkbox "checkbuton"
- tablist:
  - tab "page 1" [selected]
  - tab "page 3" [selected]`,
    says: [
      /^Cannot confirm the tree of window: line 2 expects checkbox "checkbuton", but there stands checkbox "checkbutton"/,
      /^ {2}- - checkbox "checkbuton"$/m,
      /^ {2}\+ - checkbox "checkbutton" \[disabled indeterminate\]$/m,
      /^ {6}- tab "page 1" \[selected\]$/m,
      /^ {2}- {3}- tab "page 3" \[selected\]$/m,
      /^ {2}\+ {3}- tab "page 3" \[selected=false\]$/m,
    ],
  },
  {
    app: "chromium",
    program: "/usr/bin/chromium",
    launch: { app: "chromium", files: [join(root, "workflows/fixtures/form.html")] },
    target: 'document[name="Order form"]',
    there: `- document "Order form":
  - form:
    - label:
      - textfield "Name": Ada
    - label:
      - slider "Volume": 40
    - checkbox "Wrap as a gift" [unchecked]
    - panel "Delivery":
      - radio "By post" [checked]
      - radio /^By/ [checked=false]
    - label:
      - combobox "Colour" [collapsed]: Green
    - button "Send" [enabled]`,
    wrong: `- form:
  - panel "Delivery":
    - radio "By courier" [checked]
  - button "Sent"
  - link "Terms"`,
    says: [
      /line 3 expects radio "By courier" \[checked\], but there stands radio "By courier" \[checked=false\], and 2 more/,
      /^ {2}- {3}- button "Sent"$/m,
      /^ {2}\+ {3}- button "Send"$/m,
      /^ {2}- {3}- link "Terms" {3}# the nearest is landmark "Terms", in document "Order form"$/m,
    ],
  },
] as const;

for (const { app, program, launch, target, there, wrong, says } of APPLICATIONS) {
  const ignore = !existsSync(program);
  const title = `a tree in the notation is matched, printed, kept and distinguished in ${app}`;
  Deno.test({ name: ignore ? `${title}: not run, ${program} is not installed` : title, ignore }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "bs-tree-"));
    const session = await openSession({ kind: "isolated", state: folder });
    try {
      const baselines = baselinesOf(folder, "missing");
      const gate = new Gate({ operations: catalogue, session, folder: "/", ports: OPEN_PORTS, baselines });
      const run = (operation: string, input: unknown) => gate.dispatch({ operation, input }, { app });
      await run("launch", launch);
      // The page may come after the window.
      await run("match-tree", { target, matches: there, timeout: "30s" });

      await run("match-tree", { target, baseline: "all", timeout: "20s" });
      const text = readFileSync(join(folder, "baselines/all.tree.yaml"), "utf8");
      assert.ok(Array.isArray(parse(text)) && text.split("\n").length > 15, text);
      await run("match-tree", { target, baseline: "all", exact: true, timeout: "20s" });

      await assert.rejects(run("match-tree", { target, matches: wrong, timeout: 200 }), (thrown) => {
        assert.ok(thrown instanceof BackstepError && thrown.code === "assertion");
        const reported = errorLines(thrown.toJSON(), PLAIN).join("\n");
        for (const line of says) assert.match(reported, line);
        return true;
      });
    } finally {
      await session.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
