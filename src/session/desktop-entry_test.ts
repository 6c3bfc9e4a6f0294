import assert from "node:assert/strict";
import { parseDesktopEntry } from "./desktop-entry.ts";

const at = { id: "editor", file: "/editor.desktop" };
const parse = (lines: string, locale?: string) => parseDesktopEntry(`[Desktop Entry]\n${lines}`, at, locale);

Deno.test("an entry is an application with a name and a command line", () => {
  const table: [lines: string, is: boolean][] = [
    ["Type=Application\nName=Editor\nExec=edit", true],
    ["Type = Application\nName = Editor\nExec = edit %U\n# a comment\nX-Other=1", true],
    ["Type=Link\nName=Editor\nURL=http://x", false],
    ["Name=Editor\nExec=edit", false],
    ["Type=Application\nExec=edit", false],
    ["Type=Application\nName=Editor", false],
    ["", false],
  ];
  for (const [lines, is] of table) assert.equal(parse(lines) !== undefined, is, lines);
});

Deno.test("only the main group counts, and of equal keys the first", () => {
  const entry = parseDesktopEntry(
    "# head\n[Desktop Entry]\nType=Application\nName=One\nName=Two\nExec=one\n[Desktop Action new]\nName=New\nExec=new\nHidden=true\n",
    at,
  );
  assert.equal(entry?.name, "One");
  assert.equal(entry?.exec, "one");
  assert.equal(entry?.hidden, false);
});

Deno.test("the name is taken in the user's language, as near as there is", () => {
  const lines =
    "Type=Application\nExec=x\nName=Calculator\nName[de]=Rechner\nName[de_AT]=Recher\nName[sr@Latn]=Kalk";
  const table: [locale: string, name: string][] = [
    ["de_DE.UTF-8", "Rechner"],
    ["de_AT", "Recher"],
    ["sr_YU.UTF-8@Latn", "Kalk"],
    ["fr_FR.UTF-8", "Calculator"],
    ["C.UTF-8", "Calculator"],
    ["", "Calculator"],
  ];
  for (const [locale, name] of table) {
    const entry = parse(lines, locale);
    assert.equal(entry?.name, name, locale);
    assert.equal(entry?.plainName, "Calculator");
  }
});

Deno.test("escapes in values are read, and flags are told", () => {
  const entry = parse(
    "Type=Application\nName=A\\sB\\\\C\nExec=x\nNoDisplay=true\nHidden=true\nStartupWMClass=Ab",
  );
  assert.equal(entry?.name, "A B\\C");
  assert.equal(entry?.noDisplay, true);
  assert.equal(entry?.hidden, true);
  assert.equal(entry?.windowClass, "Ab");
});
