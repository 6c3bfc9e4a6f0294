// Twenty dialogs opened and closed by `click` in applications of GTK 3 that run them in their handlers; then one that does
// its work, judged by the disk.
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Stand } from "./_dialogs.ts";
import { isInstalled } from "./_installed.ts";

/** An application, how its dialog is opened, and what it leaves when it is accepted. */
interface Case {
  readonly app: string;
  readonly program: string;
  readonly from: string;
  readonly file?: (folder: string) => string;
  readonly open: readonly string[];
  readonly accept: string;
  /** In the desktop's HOME. */
  readonly makes: string;
}

const CASES: readonly Case[] = [
  {
    app: "mousepad",
    program: "/usr/bin/mousepad",
    from: "mousepad",
    open: ['menu[name="File"]', 'menuitem[name^="Save As"]'],
    accept: 'dialog button[name="Save"]',
    makes: "made",
  },
  {
    app: "geany",
    program: "/usr/bin/geany",
    from: "geany",
    open: ['menu[name="File"]', 'menuitem[name^="Save As"]'],
    accept: 'dialog button[name="Save"]',
    makes: "made",
  },
  {
    app: "thunar",
    program: "/usr/bin/thunar",
    from: "thunar",
    open: ['menu[name="File"]', 'menuitem[name^="Create Folder"]'],
    accept: 'dialog button[name="Create"]',
    makes: "made",
  },
  {
    app: "evince",
    program: "/usr/bin/evince",
    from: "evince",
    file: onePage,
    open: ['toggle[name="File options"]', 'button[name^="Save As"]'],
    accept: 'dialog button[name="Save"]',
    makes: "made",
  },
];

for (const { app, program, from, file, open, accept, makes } of CASES) {
  const ignore = !isInstalled(program);
  const name = `${app} stays alive while twenty dialogs are opened and closed by clicks`;
  Deno.test({ name: ignore ? `${name}: not run, ${from} is not installed` : name, ignore }, async () => {
    await using stand = await Stand.open();
    const args = file === undefined ? [] : [file(stand.folder)];
    await stand.do("launch", { app, args });
    const show = async () => {
      for (const target of open) assert.equal((await stand.click(target, app)).warning, undefined, target);
      await stand.do("wait", { target: accept }, app);
    };
    for (let n = 0; n < 20; n++) {
      await show();
      await stand.click('dialog button[name="Cancel"]', app);
      await stand.do("wait", { target: accept, for: "gone" }, app);
    }
    await show();
    const { home } = stand.session;
    assert.ok(home !== undefined);
    const path = join(home, makes);
    assert.equal(existsSync(path), false);
    const name = app === "thunar" ? makes : path;
    await stand.do("set", { target: "dialog textfield:visible", value: name }, app);
    await stand.click(accept, app);
    await stand.do("wait", { target: accept, for: "gone" }, app);
    assert.equal(existsSync(path), true, `${path} is not there`);
  });
}

/** A document of one empty page. */
function onePage(folder: string): string {
  const path = join(folder, "page.pdf");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
  ];
  let text = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const table = text.length;
  text += `xref\n0 4\n0000000000 65535 f \n${places.join("")}`;
  text += `trailer << /Size 4 /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  writeFileSync(path, text);
  return path;
}
