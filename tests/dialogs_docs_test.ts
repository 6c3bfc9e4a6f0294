import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { Stand } from "./_dialogs.ts";
import { isInstalled } from "./_installed.ts";

const page = readFileSync(new URL("../docs/how-to/dialogs.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/```yaml\n(name: (.*)\napp: (.*)\n[^]*?)```/g)];

/** Of each application that an example is about, its program and the package it comes from. */
const NEEDS: Readonly<Record<string, readonly [program: string, from: string]>> = {
  "org.xfce.mousepad": ["/usr/bin/mousepad", "mousepad"],
  thunar: ["/usr/bin/thunar", "thunar"],
};

Deno.test("docs/how-to/dialogs.md has its examples", () => assert.equal(examples.length, 4));

for (const [, text = "", name = "", app = ""] of examples) {
  const [program, from] = NEEDS[app] ?? ["", `what ${app} comes from`];
  const ignore = !isInstalled(program);
  const title = `docs/how-to/dialogs.md, ${name}: ends as it says`;
  Deno.test({ name: ignore ? `${title}: not run, ${from} is not installed` : title, ignore }, async () => {
    await using stand = await Stand.open();
    const result = await stand.run(text);
    assert.equal(result.expected, true, JSON.stringify({ error: result.error, rollback: result.rollback }));
    assert.match(result.error?.message ?? "", /no such title/);
    assert.equal(
      result.rollback.steps.some(({ verdict }) => verdict === "unknown" || verdict === "failed"),
      false,
    );
    for (const [, made = ""] of text.matchAll(/files: \[ '~\/(.*)' \]/g)) {
      assert.equal(existsSync(`${stand.session.home}/${made}`), false, made);
    }
  });
}
