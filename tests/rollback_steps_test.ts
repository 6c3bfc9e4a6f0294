import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { catalogue } from "../src/catalogue.ts";
import type { RunResult } from "../src/contract/events.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";
import { interludeOf } from "./_interlude.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a workflow on a private desktop; its verb `meanwhile:` does what a test says, between two steps. */
async function onPrivateDesktop(
  yaml: string,
  use: (result: RunResult, session: Session) => void | Promise<void>,
  meanwhile: (session: Session, state: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  const session = await openSession({ kind: "isolated", state });
  try {
    const interlude = interludeOf(() => meanwhile(session, state));
    const operations = [...catalogue, interlude];
    const workflow = parseWorkflow(yaml, { file: "way-back.yaml", operations });
    const nothing = () => undefined;
    const result = await runWorkflow(workflow, {
      operations,
      session,
      vars: {},
      surroundings: { env: nothing, secret: nothing },
      folder: root,
      state,
    });
    await use(result, session);
  } finally {
    await session.close();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Another process types into a field, as an X client of its own. */
async function typeFromElsewhere(
  session: Session,
  state: string,
  app: string,
  element: string,
  text: string,
): Promise<void> {
  const args = ["type", text, "--element", element, "--app", app, "--session", session.id ?? ""];
  const child = spawn(process.execPath, ["run", "-A", "--no-check", join(root, "bin.ts"), ...args], {
    env: { ...process.env, BACKSTEP_STATE: state, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 25_000,
  });
  let reported = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => reported += String(chunk));
  const [code] = await once(child, "close");
  assert.equal(code, 0, reported);
}

const summary = ({ error, rollback }: RunResult) =>
  JSON.stringify({ error, rollback }, null, 1).slice(0, 4_000);

/** A form of each toolkit: a field into which somebody else types, and one that nobody else touches. */
const FORMS = [
  {
    toolkit: "GTK 3",
    app: "gtk3-widget-factory",
    before: "- launch: gtk3-widget-factory",
    field: "textfield:visible:enabled:nth(2)",
    number: "spinbutton:enabled",
  },
  {
    toolkit: "GTK 4",
    app: "gtk4-widget-factory",
    before: "- launch: gtk4-widget-factory",
    field: 'textfield[name="GtkEntry"]:visible:enabled:nth(3)',
    number: "spinbutton:visible:enabled:nth(1)",
  },
  {
    toolkit: "Qt 5",
    app: "gallery",
    before: `- launch: /usr/lib/x86_64-linux-gnu/qt5/examples/widgets/gallery/gallery
  - click: 'button[name="Text Edit"]'`,
    field: "textarea:visible",
    number: "spinbutton:nth(1)",
  },
  {
    toolkit: "Chromium",
    app: "chromium",
    before: `- launch: { app: chromium, files: [workflows/fixtures/form.html] }
  - assert: 'button[name="Send"]'`,
    field: 'textfield[name="Name"]',
    number: 'spinbutton[name="Number"]',
  },
] as const;

for (const { toolkit, app, before, field, number } of FORMS) {
  Deno.test(`what a second X client types into a field in between is a conflict, and is not overwritten: ${toolkit}`, async () => {
    await onPrivateDesktop(
      `
name: Somebody else was there
app: ${app}
timeout: 90s
before:
  ${before}
steps:
  - transaction:
      - set: { target: '${number}', value: 75 }
      - set: { target: '${field}', value: 'ours' }
      - meanwhile: {}
      - assert: { target: 'button[name="Submit order"]', timeout: 0 }
after:
  - assert: { target: '${field}', text: { contains: theirs } }
  - quit: ${app}
`,
      (result) => {
        const reported = summary(result);
        assert.deepEqual(
          [result.status, result.exit, result.rollback.verdict],
          ["failed", 3, "drift"],
          reported,
        );
        const counted = result.rollback.steps.filter((step) => step.incidental !== true);
        assert.deepEqual(counted.map((step) => step.verdict), ["conflict", "restored"], reported);
        const [conflict] = counted;
        assert.match(String(conflict?.conflict?.found), /theirs/, reported);
        assert.equal(conflict?.conflict?.left, "ours", reported);
        // That it still stands there is asserted in `after:`.
        assert.equal(result.steps.find((step) => step.path === "after.1")?.status, "passed", reported);
      },
      (session, state) => typeFromElsewhere(session, state, app, field, " and theirs"),
    );
  });
}

Deno.test("gedit's text goes back by its own undo, and the mark of a modified document with it", async () => {
  await onPrivateDesktop(
    `
name: gedit comes back
app: gedit
before: [ { launch: org.gnome.gedit } ]
steps:
  - transaction:
      - type: { into: 'textarea:focused', text: 'Every step' }
      - type: { into: 'textarea:focused', text: ' knows the way back.' }
      - assert: { target: 'window', title: { contains: '*' } }
      - set: { target: 'textarea:focused', value: 'Written at once' }
      - click: { target: 'textarea:focused', button: right }
      - assert: { target: 'button[name="Nowhere"]', timeout: 0 }
after:
  - assert: { target: 'textarea:focused', text: '' }
  - assert: { target: 'window', title: 'Untitled Document 1 - gedit' }
  - quit: org.gnome.gedit
`,
    (result) => {
      const reported = summary(result);
      assert.deepEqual(
        [result.status, result.exit, result.rollback.verdict],
        ["failed", 1, "restored"],
        reported,
      );
      const counted = result.rollback.steps.filter((step) => step.incidental !== true);
      // The menu that the right click opened is closed by Escape, and the text under it is as it was. How many keys that takes
      // is named, and gedit's own affair.
      assert.deepEqual(
        counted.map((step) => step.method?.replace(/ ×\d+$/, "")),
        [undefined, "Escape", "Ctrl+Z", "Ctrl+Z", "Ctrl+Z"],
        reported,
      );
      const after = result.steps.filter((step) => step.path.startsWith("after."));
      assert.deepEqual(
        after.map((step) => step.status),
        ["passed", "passed", "passed"],
        JSON.stringify(after),
      );
    },
  );
});

Deno.test("what gedit saved into declared files is restored, content and absence, and the action that saved it is named", async () => {
  const home = (session: Session, name: string) => join(session.home ?? "", name);
  await onPrivateDesktop(
    `
name: A file comes back
app: gedit
files: [ "~/Draft.txt", "~/Draft.txt~" ]
before: [ { meanwhile: {} }, { launch: { app: org.gnome.gedit, files: [ "~/Draft.txt" ] } } ]
steps:
  - transaction:
      - type: { into: 'textarea:focused', text: 'Changed ' }
      - press: ctrl+s
        irreversible: true
      - assert: { file: '~/Draft.txt', text: { contains: Changed } }
      - assert: { target: 'button[name="Nowhere"]', timeout: 0 }
`,
    (result, session) => {
      const reported = summary(result);
      assert.deepEqual(
        [result.status, result.exit, result.rollback.verdict],
        ["failed", 3, "drift"],
        reported,
      );
      assert.equal(readFileSync(home(session, "Draft.txt"), "utf8"), "As it was.\n", reported);
      assert.equal(existsSync(home(session, "Draft.txt~")), false, reported);
      const files = result.rollback.enrolled.filter((one) => one.kind === "files");
      assert.deepEqual(files.map((one) => one.verdict), ["restored", "restored"], reported);
      assert.deepEqual(result.rollback.drift.map((one) => one.participant), ["press ctrl+s"], reported);
    },
    (session) => Promise.resolve(writeFileSync(home(session, "Draft.txt"), "As it was.\n")),
  );
});

Deno.test("a private desktop is rebuilt: a new one, a clean HOME, replayed to the savepoint, and as it was there", async () => {
  let first: string | undefined;
  await onPrivateDesktop(
    `
name: Rebuilt
app: gedit
rollback: rebuild
on_failure: stop
before: [ { launch: org.gnome.gedit } ]
steps:
  - type: { into: 'textarea:focused', text: 'Kept.' }
  - meanwhile: {}
  - transaction:
      - type: { into: 'textarea:focused', text: ' Not kept.' }
      - press: ctrl+s
        irreversible: true
      - assert: { target: 'dialog' }
      - assert: { target: 'button[name="Nowhere"]', timeout: 0 }
after:
  - assert: { target: 'textarea', text: 'Kept.' }
`,
    (result, session) => {
      const reported = summary(result);
      assert.deepEqual(
        [result.status, result.exit, result.rollback.verdict],
        ["failed", 1, "rebuilt"],
        reported,
      );
      assert.notEqual(session.id, first);
      assert.equal(result.steps.find((step) => step.path === "after.1")?.status, "passed", reported);
    },
    (session) => {
      first = session.id;
      return Promise.resolve();
    },
  );
});
