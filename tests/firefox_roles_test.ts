import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Role, roleOf } from "../src/desktop/roles.ts";
import { openSession } from "../src/session/open-session.ts";
import { QUIET_FIREFOX } from "../src/session/quiet-gecko.ts";
import { FAILS, passed, perform, type Step, tell } from "./_acts.ts";
import { isInstalled } from "./_installed.ts";

const APP = "firefox-esr";
const AT_ONCE = '"accessibility.enable_all_cache_domains", true';

/** What a page is after a start: a line an element, and what came of using a toggle and a menu. */
async function started(user: string): Promise<string[]> {
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  const session = await openSession({ kind: "isolated", state });
  const run = (...steps: readonly Step[]) => perform(session, state, APP, steps);
  try {
    const profile = join(session.home ?? "", ".mozilla/firefox/backstep");
    mkdirSync(profile, { recursive: true });
    writeFileSync(join(profile, "user.js"), user);
    passed(
      await run({ launch: { app: APP, files: ["tests/fixtures/acts.html"] } }, { wait: '[name="Bold"]' }),
    );
    const [application] = (await session.desktop.applications()).filter(({ toolkit }) => toolkit === "Gecko");
    assert.ok(application);
    const tree = await session.desktop.snapshot(application, { fields: ["extents"] });
    const rows = [...Array(tree.size).keys()];
    const page = rows.find((row) => tree.role(row) === Role.documentWeb && tree.name(row) === "Acts");
    assert.ok(page !== undefined);
    const lines = rows.slice(page, tree.end(page)).map((row) =>
      `${roleOf(tree.role(row), tree.statesLow(row), tree.statesHigh(row)).word} ${tree.name(row)}`
    );
    const toggled = await run({
      transaction: {
        steps: [{ click: 'togglebutton[name="Bold"]' }, {
          assert: { target: '[name="Bold"]', checked: true },
        }, FAILS],
      },
    });
    assert.equal(toggled.rollback.verdict, "restored", tell(toggled));
    passed(await run({ assert: { target: '[name="Bold"]', checked: false } }));
    passed(await run({ click: 'document menu[name="File"]' }, { wait: 'menuitem[name="New"]' }));
    return lines;
  } finally {
    await session.close();
    rmSync(state, { recursive: true, force: true });
  }
}

const missing = !isInstalled("/usr/bin/firefox-esr");

Deno.test({
  name:
    `Firefox with a person's profile, asked early, tells the roles that it tells of a page that came at once${
      missing ? ": not run, firefox-esr is not installed" : ""
    }`,
  ignore: missing,
}, async () => {
  assert.match(QUIET_FIREFOX, new RegExp(AT_ONCE));
  // As a profile of its own has it.
  const early = await started(QUIET_FIREFOX.replace(AT_ONCE, AT_ONCE.replace("true", "false")));
  assert.ok(early.includes("togglebutton Bold") && early.includes("menu File"), early.join("\n"));
  assert.deepEqual(early, await started(QUIET_FIREFOX));
});
