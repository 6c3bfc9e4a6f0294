import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outline } from "../src/desktop/outline.ts";
import { BackstepError } from "../src/base/error.ts";
import { catalogue } from "../src/catalogue.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";
import { tell, withFlows } from "./_flow.ts";

/** A test on an application, ignored by a clear name where it is not installed. */
function on(
  program: string,
  from: string,
  name: string,
  action: Parameters<typeof withFlows>[0],
): void {
  const ignore = !existsSync(program);
  const why = ignore ? `: not run, ${from} is not installed` : "";
  Deno.test({ name: `${name}${why}`, ignore }, () => withFlows(action));
}

on("/usr/bin/gedit", "gedit", "a hidden twin of what shows does not make an act ambiguous", async (flows) => {
  // gedit keeps the buttons of its full screen beside those of its window.
  const path = join(flows.home, "notes.txt");
  writeFileSync(path, "first\n");
  const saved = await flows.run(`
app: org.gnome.gedit
steps:
  - launch: { app: org.gnome.gedit, files: ["~/notes.txt"] }
  - find: { target: 'button[name="Save"]', all: true }
  - press: ctrl+Home
  - type: { text: "new " }
  - assert: { target: 'button[name="Save"]', enabled: true }
  - click: 'button[name="Save"]'
  - assert: { file: "~/notes.txt", text: { contains: "new first" } }
`);
  assert.equal(saved.status, "passed", tell(saved));
  assert.equal(Object(saved.steps[1]?.output)["count"], 2, "there is a twin");
  assert.equal(readFileSync(path, "utf8"), "new first\n");

  // Two of one name that both show: which one is meant nobody can tell.
  const both = await flows.run(`
app: gtk3-widget-factory
on_failure: stop
steps:
  - launch: gtk3-widget-factory
  - click: 'checkbox[name="checkbutton"]:enabled'
`);
  assert.equal(both.error?.code, "ambiguous", tell(both));
});

const menus = "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/mainwindows/menus/menus";
on(
  menus,
  "qtbase5-examples",
  "a menu of Qt is opened in a transaction without undo:, and closed again",
  async ({
    run,
    session,
  }) => {
    const launched = await run(`steps: [ { launch: ${menus} } ]`);
    assert.equal(launched.status, "passed", tell(launched));
    const result = await run(`
app: menus
steps:
  - transaction:
      name: look
      steps:
        - click: 'menubar > menuitem[name="Edit"]'
        - assert: { target: 'menuitem[name="Undo"]', visible: true }
        - click: 'menuitem[name="Format"]'
        - assert: { target: 'checkmenuitem[name="Bold"], menuitem[name="Bold"]', visible: true }
        - assert: { target: 'button[name="none"]', exists: true, timeout: 100ms }
`);
    assert.equal(result.error?.code, "assertion", tell(result));
    assert.equal(result.steps.find(({ path }) => path === "1.5")?.status, "failed", tell(result));
    assert.equal(result.rollback.verdict, "restored", tell(result));
    // The application writes down what was chosen in a label; the window manager knows what stands.
    const popups = (await session.desktop.windows()).filter(({ popup, minimised }) => popup && !minimised);
    assert.deepEqual(popups, []);
    const after = await run(`
app: menus
steps:
  - assert: { target: 'label[name^="Choose a menu option"]', exists: true }
  - click: 'menubar > menuitem[name="Edit"]'
  - click: 'menuitem[name="Undo"]'
  - assert: { target: 'label[name^="Invoked"]', exists: true }
`);
    assert.equal(after.status, "passed", tell(after));
  },
);

on(
  "/usr/bin/gnome-calculator",
  "gnome-calculator",
  "a tree of what is not there says so within 3 s; a field that rewrites is told what it shows",
  async ({
    run,
  }) => {
    const app = "org.gnome.Calculator";
    const missing = await run(`
app: ${app}
on_failure: stop
steps:
  - launch: ${app}
  - read_tree: 'button[name="Nothing of that name"]'
`);
    assert.equal(missing.error?.code, "not_found", tell(missing));
    const took = missing.steps[1]?.duration_ms ?? Infinity;
    assert.ok(took < 3_000, `it took ${took} ms`);
    assert.match(missing.error?.message ?? "", /nothing matches after/);

    const typed = (more: string) =>
      run(`
app: ${app}
steps:
  - type: { into: 'textarea:editable', text: '7*6-2'${more} }
`);
    const rewritten = await typed("");
    assert.equal(rewritten.error?.code, "no_effect", tell(rewritten));
    assert.match(rewritten.error?.hint ?? "", /`shows`/);
    assert.equal(rewritten.rollback.verdict, "restored", tell(rewritten));
    const wrong = await typed(", shows: '7x6-2'");
    assert.equal(wrong.error?.code, "no_effect", tell(wrong));
    const reported = await typed(", shows: '7×6−2'");
    assert.equal(reported.status, "passed", tell(reported));
    assert.equal(Object(reported.steps[0]?.output)["verified"], true, tell(reported));
    const sum = await run(`
app: ${app}
steps:
  - press: Return
  - assert: { target: 'textarea:editable', text: '40' }
`);
    assert.equal(sum.status, "passed", tell(sum));
  },
);

on(
  "/usr/bin/chromium",
  "chromium",
  "what looks the same is the same: spaces that a page keeps, and no marks of embedded elements in outlines",
  async ({
    run,
    session,
  }) => {
    const typed = await run(`
app: chromium
steps:
  - launch: { app: chromium, files: ["tests/fixtures/spaces.html"] }
  - type: { into: '[name="Note"]', text: 'one  two' }
  - read_tree: 'document'
`);
    assert.equal(typed.status, "passed", tell(typed));
    assert.equal(Object(typed.steps[1]?.output)["verified"], true, tell(typed));
    // The page's own account: one of the two spaces is one that is not broken.
    const [chromium] = await session.desktop.applications();
    assert.ok(chromium);
    const snapshot = await session.desktop.snapshot(chromium, { fields: ["text", "value", "extents", "id"] });
    const text = outline(snapshot);
    assert.match(text, /\b110 101 .*160.* 116 119 111\b/, text);
    assert.ok(text.includes("See"), text);
    assert.ok(!text.includes("\ufffc"), text);
    assert.ok(
      [...Array(snapshot.size).keys()].some((row) => snapshot.text(row)?.includes("\ufffc")),
      "they are there",
    );
  },
);

Deno.test("a wait that says gone in another way is answered with the right word", () => {
  for (const more of ["gone: true", "state: gone"]) {
    const source = `name: wait\nsteps:\n  - wait: { target: dialog, ${more} }\n`;
    assert.throws(() => parseWorkflow(source, { file: "wait.yaml", operations: catalogue }), (thrown) => {
      assert.ok(thrown instanceof BackstepError);
      assert.match(`${thrown.message} ${thrown.hint}`, /wait.*`for: gone`/s);
      return true;
    });
  }
});
