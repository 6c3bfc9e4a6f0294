import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser } from "../scripts/act/browser.ts";
import { lookAt } from "../scripts/act/look.ts";
import { Deadline, pause } from "../src/base/call.ts";
import { catalogue } from "../src/catalogue.ts";
import { wordOf } from "../src/desktop/vocabulary.ts";
import { openInspector } from "../src/inspect/open.ts";
import { openSession } from "../src/session/open-session.ts";
import { isInstalled } from "./_installed.ts";

async function addressOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it does not listen");
  return `http://127.0.0.1:${address.port}/`;
}

for (const dark of [false, true]) {
  Deno.test({
    name: `inspect: our own audit finds no fault with the ${dark ? "dark" : "light"} page`,
    ignore: !isInstalled("/usr/bin/chromium"),
  }, () => audited(dark));
}

async function audited(dark: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "backstep-inspect-audit-"));
  const simulated = await openSession({ kind: "simulated" });
  await simulated.launcher.launch("sim.settings");
  const opened = await openInspector({
    session: simulated,
    operations: catalogue,
    folder,
    admission: [],
    state: folder,
    app: "sim.settings",
    output: join(folder, "x.yaml"),
  });
  const browser = await Browser.open("chromium", { dark });
  // What opens pages drops what stands after a "#".
  const forwarder = createServer((_, response) => response.writeHead(302, { location: opened.url }).end());
  try {
    const application = await browser.show(await addressOf(forwarder));
    const { desktop } = browser.session;
    const deadline = Deadline.after(20_000);
    for (let there = false; !there;) {
      const tree = await desktop.snapshot(application);
      there = [...Array(tree.size).keys()].some((row) => wordOf(tree, row) === "treeitem");
      if (deadline.passed) throw new Error("the page does not show the tree");
      await pause(50);
    }
    const { rgba } = await desktop.screenshot({ what: "screen" });
    const bright = rgba.reduce((sum, value, k) => k % 4 === 3 ? sum : sum + value, 0) / (rgba.length * 3 / 4);
    assert.equal(bright < 128, dark, `the picture's mean is ${bright}`);
    const { issues } = await lookAt(browser.session, application, ["wcag_aa", "section508"]);
    assert.deepEqual(
      issues.map(({ rule, description, element }) => `${rule}: ${description} ${JSON.stringify(element)}`),
      [],
    );
  } finally {
    await browser.close();
    forwarder.close();
    await opened.close();
    await simulated.close();
    rmSync(folder, { recursive: true });
  }
}
