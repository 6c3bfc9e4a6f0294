import assert from "node:assert/strict";
import { parseExec } from "./exec-line.ts";

const entry = { name: "Text Editor", icon: "editor", file: "/usr/share/applications/editor.desktop" };

Deno.test("an Exec line becomes a program and its arguments", () => {
  const table: [line: string, args: string[] | undefined][] = [
    ["gedit", ["gedit"]],
    ["gedit %U", ["gedit"]],
    ["gedit --new-window %f", ["gedit", "--new-window"]],
    ["  env  A=1\tgedit  ", ["env", "A=1", "gedit"]],
    ['"/opt/My App/run" --flag', ["/opt/My App/run", "--flag"]],
    ['sh -c "echo \\"hi\\" \\$HOME \\`x\\` \\\\"', ["sh", "-c", 'echo "hi" $HOME `x` \\']],
    ['run ""', ["run", ""]],
    ["run %i %c", ["run", "--icon", "editor", "Text Editor"]],
    ["run --title=%c", ["run", "--title=Text Editor"]],
    ["run %k", ["run", "/usr/share/applications/editor.desktop"]],
    ["run 100%%", ["run", "100%"]],
    ["run %d %D %n %N %v %m", ["run"]],
    ["run file:%u", ["run", "file:"]],
    ['run "open quote', undefined],
    ["", undefined],
    ["%U", undefined],
  ];
  for (const [line, args] of table) assert.deepEqual(parseExec(line, entry), args, line);
});

Deno.test("files take the place of the codes for files", () => {
  assert.deepEqual(parseExec("gedit %U", entry, ["a b", "c"]), ["gedit", "a b", "c"]);
  assert.deepEqual(parseExec("gedit %f", entry, ["a b", "c"]), ["gedit", "a b"]);
  assert.deepEqual(parseExec('gedit "%U"', entry, ["a b"]), ["gedit", ""]);
});
