import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { find, readSelector } from "../src/desktop/selector/mod.ts";
import { type Stage, stages } from "../src/intelligence/_stages.ts";
import { detect, FIELDS, read, stateOf, suggestionsFor } from "../src/intelligence/mod.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";
import { applicationOf, show } from "./patterns/show.ts";

/** Of each toolkit a few; `BACKSTEP_PATTERNS=all` looks at every one. */
const SHORT: readonly string[] = [
  "gtk3-file_save_dialog",
  "gtk3-spinner",
  "gtk4-login_form",
  "gtk4-table_view",
  "qt5-confirmation_dialog",
  "qt6-settings_page",
  "chromium-search_interface",
  "gnome-calculator",
  "gedit-unsaved",
];
const all = process.env["BACKSTEP_PATTERNS"] === "all";
const wanted = all ? stages : stages.filter(({ name }) => SHORT.includes(name));

const python = "/usr/lib/python3/dist-packages";
const typelibs = readdirSync("/usr/lib", { withFileTypes: true }).map((entry) =>
  `/usr/lib/${entry.name}/girepository-1.0`
);

/** What must be installed; undefined: it is. */
function lacks({ name, program }: Stage): string | undefined {
  if (!program.endsWith(".py")) {
    return existsSync(`/usr/bin/${program}`) ? undefined : `${program} is not installed`;
  }
  const qt = /^qt(\d)/.exec(name)?.[1];
  if (qt !== undefined) {
    return existsSync(`${python}/PyQt${qt}`) ? undefined : `python3-pyqt${qt} is not installed`;
  }
  const typelib = name.startsWith("gtk3") ? "Gtk-3.0.typelib" : "Gtk-4.0.typelib";
  const there = existsSync(`${python}/gi`) && typelibs.some((folder) => existsSync(`${folder}/${typelib}`));
  return there ? undefined : `python3-gi or ${typelib} is not installed`;
}

async function look(session: Session, stage: Stage): Promise<void> {
  const shown = await show(session, stage);
  // Once more as interfaces read it: with the fields that they are told to ask for.
  const { desktop } = session;
  const application = await applicationOf(session, shown.origin.application.pid);
  const snapshot = await desktop.snapshot(application, { fields: FIELDS, timeout: 10_000 });
  for (const seen of [shown, snapshot]) {
    const scene = read(seen);
    const detection = detect(scene);
    assert.equal(detection.pattern?.name, stage.pattern, JSON.stringify(detection));
    const state = stateOf(scene);
    if (stage.pattern === "login_form") assert.equal(state, "auth_required");
    if (stage.pattern === "error_alert") assert.equal(state, "error");
    if (/_dialog$/.test(stage.pattern ?? "")) assert.equal(state, "modal_dialog");
    for (const { query } of suggestionsFor(scene)) {
      assert.equal(find(readSelector(query), seen).rows.length, 1, query);
    }
  }
}

Deno.test(`what real applications show is recognised${all ? ": all of them" : ""}`, async (t) => {
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  try {
    // One desktop for several: each is looked at by its process. Where all are, none is to be in another's way.
    const once = all ? undefined : await openSession({ kind: "isolated", state, width: 1280, height: 900 });
    try {
      for (const stage of wanted) {
        const missing = lacks(stage);
        const name = `${stage.name}: ${stage.pattern ?? "none"}${
          missing === undefined ? "" : `: not run, ${missing}`
        }`;
        await t.step({
          name,
          ignore: missing !== undefined,
          fn: async () => {
            const session = once ?? await openSession({ kind: "isolated", state, width: 1280, height: 900 });
            try {
              await look(session, stage);
            } finally {
              if (session !== once) await session.close();
            }
          },
        });
      }
    } finally {
      await once?.close();
    }
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
});
