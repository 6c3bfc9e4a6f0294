import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSession } from "../src/session/open-session.ts";
import { passed, perform } from "./_acts.ts";
import { isInstalled } from "./_installed.ts";
import { PageServer } from "./_page.ts";

const ROUNDS = 6;
const ignore = !isInstalled("/usr/bin/chromium");

Deno.test({
  name: "a page that makes its buttons anew while it loads has each pressed exactly once",
  ignore,
}, async () => {
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  const page = await PageServer.open(fileURLToPath(new URL("fixtures/remade", import.meta.url)));
  const session = await openSession({ kind: "isolated", state });
  try {
    const url = page.url("page.html");
    passed(await perform(session, state, "chromium", [{ launch: { app: "chromium", args: [url] } }]));
    for (let load = 1; load <= ROUNDS; load++) {
      if (load > 1) page.loadAnew();
      const buttons = [`Press ${load}`, `Other ${load}`];
      const clicks = buttons.map((name) => ({ click: `button[name="${name}"]` }));
      passed(await perform(session, state, "chromium", clicks));
      const ofLoad = () => page.lines.filter((line) => line.state["load"] === load);
      const pressed = () => ofLoad().filter(({ what }) => what === "click").map(({ of }) => of);
      const over = () => ofLoad().some(({ what }) => what === "rests") && pressed().length >= buttons.length;
      assert.ok(await page.until(over), JSON.stringify(ofLoad()));
      assert.deepEqual(pressed(), buttons);
    }
  } finally {
    await session.close();
    await page.close();
    rmSync(state, { recursive: true, force: true });
  }
});
