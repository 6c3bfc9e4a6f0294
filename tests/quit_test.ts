import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { Deadline } from "../src/base/call.ts";
import type { RunResult } from "../src/contract/events.ts";
import { identify, isAlive, whenGone } from "../src/session/processes.ts";
import type { ProcessIdentity } from "../src/base/process-stat.ts";
import { tell, withFlows } from "./_flow.ts";
import { isInstalled } from "./_installed.ts";

/** An application that asks before it loses something. */
interface Asking {
  readonly app: string;
  readonly needs: readonly [program: string, from: string];
  readonly file: string;
  /** What lies on the disk before. */
  readonly content: string;
  readonly typed: string;
  /** What tells that it has arrived. */
  readonly shows: string;
  /** What is there once it takes keys. */
  readonly ready: string;
  /** What the disk holds once it was saved. */
  readonly saved: string;
}

const EDITOR = {
  file: "notes.txt",
  content: "first\n",
  ready: "textarea:focused",
  typed: "new ",
  shows: `{ target: 'textarea:focused', contains_text: 'new first' }`,
  saved: "new first",
};
const SHEET = `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" office:version="1.2"
 office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
 <office:body><office:spreadsheet><table:table table:name="One"><table:table-row><table:table-cell/></table:table-row>
 </table:table></office:spreadsheet></office:body></office:document>
`;

const APPLICATIONS: readonly Asking[] = [
  { app: "org.xfce.mousepad", needs: ["/usr/bin/mousepad", "mousepad"], ...EDITOR },
  { app: "org.gnome.gedit", needs: ["/usr/bin/gedit", "gedit"], ...EDITOR },
  {
    app: "libreoffice-calc",
    needs: ["/usr/bin/localc", "libreoffice-calc libreoffice-gtk3"],
    file: "sheet.fods",
    content: SHEET,
    ready: `{ target: 'cell[name="A1"]', timeout: 30s }`,
    typed: "41\\n",
    shows: `{ target: 'cell[name="A1"]', text: '41' }`,
    saved: 'office:value="41"',
  },
  { app: "org.kde.kate", needs: ["/usr/bin/kate", "kate"], ...EDITOR },
  { app: "featherpad", needs: ["/usr/bin/featherpad", "featherpad"], ...EDITOR },
];

for (const { app, needs: [program, from], file, content, ready, typed, shows, saved } of APPLICATIONS) {
  const ignore = !isInstalled(program);
  const why = ignore ? `: not run, ${from} is not installed` : "";
  const name = `what ${app} asks about unsaved work is answered as after: says, by the disk's account${why}`;
  Deno.test({ name, ignore }, () =>
    withFlows(async ({ home, run }) => {
      const path = join(home, file);
      const quit = async (steps: string, unsaved: string) => {
        const how = unsaved === "" ? "" : `, unsaved: ${unsaved}`;
        const result = await run(`app: ${app}\nsteps:${steps}\nafter:\n  - quit: { app: ${app}${how} }\n`);
        return { result, error: result.steps.at(-1)?.error, process: processOf(result) };
      };
      const change = `
  - launch: { app: ${app}, files: ["~/${file}"] }
  - wait: ${ready}
  - press: ctrl+Home
  - type: { text: "${typed}" }
  - assert: ${shows}`;
      writeFileSync(path, content);
      const asked = await quit(change, "");
      assert.equal(asked.error?.code, "quit_blocked", tell(asked.result));
      assert.match(asked.error?.hint ?? "", /unsaved: discard/);
      assert.ok(asked.result.duration_ms < 40_000, "it did not hang");
      assert.equal(readFileSync(path, "utf8"), content, "nothing was written");
      assert.ok(asked.process !== undefined && isAlive(asked.process), "it was left running");

      // The question still stands: who quits it then is answered too.
      const again = await quit("\n  - apps: {}", "discard");
      assert.equal(again.result.status, "passed", tell(again.result));
      assert.ok(await whenGone([asked.process], Deadline.after(10_000)), "it still runs");
      assert.equal(readFileSync(path, "utf8"), content, "what was changed was discarded");

      const kept = await quit(change, "save");
      assert.equal(kept.result.status, "passed", tell(kept.result));
      assert.ok(kept.process === undefined || await whenGone([kept.process], Deadline.after(10_000)));
      assert.ok(readFileSync(path, "utf8").includes(saved), "it was saved");
    }, { width: 800, height: 480 }));
}

/** The process that the first step launched, by what the kernel knows of it; undefined: it has ended. */
function processOf(result: RunResult): ProcessIdentity | undefined {
  const launched = z.object({ pid: z.int() }).safeParse(result.steps[0]?.output);
  return launched.success ? identify(launched.data.pid) : undefined;
}
