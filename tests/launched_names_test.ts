import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withPlace } from "./cli/program.ts";
import { isInstalled } from "./_installed.ts";

/** A workflow that has to pass on a private desktop of its own, on an application that may not be here. */
function onApplication(program: string, claim: string, name: string, steps: string): void {
  const ignore = !isInstalled(program);
  Deno.test({
    name: ignore ? `${claim}: ${program} is not installed` : claim,
    ignore,
    fn: () =>
      withPlace(async (place) => {
        place.file("one.txt", "first\n");
        place.file("two.txt", "second\n");
        place.file("names.yaml", `name: Names\nsession: isolated\napp: ${name}\nsteps:\n${steps}`);
        const finished = await place.run(["run", "names.yaml"]);
        assert.equal(finished.code, 0, finished.out + finished.err);
        assert.deepEqual(place.traces(), []);
      }),
  });
}

onApplication(
  "/usr/bin/okular",
  "okular is org.kde.okular, not one of the entries for its kinds of files; each name finds it",
  "okular",
  `  - launch: okular
    id: first
  - launch: org.kde.okular
    id: second
  - assert: { target: 'window:active', exists: true }
  - if: { equals: ['{{steps.first.pid}}', '{{steps.second.pid}}'] }
    else: [ { assert: { target: 'nothing', exists: true } } ]
`,
);

onApplication(
  "/usr/bin/kate",
  "a second launch of Kate, which waits beside the instance that takes its file, is answered by that one",
  "kate",
  `  - launch: { app: kate, files: [one.txt] }
    id: first
  - wait: 'window[name*="one.txt"]'
  - launch: { app: kate, files: [two.txt] }
    id: second
  - wait: 'window[name*="two.txt"]'
  - if: { equals: ['{{steps.first.pid}}', '{{steps.second.pid}}'] }
    else: [ { assert: { target: 'nothing', exists: true } } ]
`,
);

onApplication(
  "/usr/bin/libreoffice",
  "libreoffice is its start centre, and found by the word that launched it",
  "libreoffice",
  `  - launch: libreoffice
  - wait: 'window[name="LibreOffice"]'
  - quit: libreoffice
`,
);

onApplication(
  "/usr/bin/gnome-clocks",
  "gnome-clocks is launched, found and quit by the name of its program",
  "gnome-clocks",
  `  - launch: gnome-clocks
  - wait: { target: 'window', for: visible }
  - quit: gnome-clocks
`,
);

onApplication(
  "/usr/bin/xterm",
  "xterm, which has no accessibility tree, is launched, typed into, pictured and quit; its shell says so",
  "xterm",
  `  - launch: { app: xterm, args: [-fa, DejaVu Sans Mono, -fs, '20', -xrm, '*selectToClipboard: true'] }
  - type: 'echo PUZZLE | tee ~/said.txt'
    irreversible: true
  - press: Return
    irreversible: true
  - assert: { file: '~/said.txt', text: { contains: PUZZLE } }
  - type: { text: 'echo by name >> ~/said.txt', app: debian-xterm }
    irreversible: true
  - press: { keys: Return, app: XTerm }
    irreversible: true
  - assert: { file: '~/said.txt', text: { contains: by name } }
  - find_visual: { description: PUZZLE, app: xterm }
    id: word
  - click_at: { x: '{{steps.word.center.0}}', y: '{{steps.word.center.1}}', count: 2 }
    irreversible: true
  # xterm takes the clipboard a moment after the click.
  - retry: 20
    transaction:
      steps:
        - clipboard: { action: read }
          id: chosen
        - if: { equals: ['{{steps.chosen}}', { success: true, text: PUZZLE }] }
          else: [ { assert: { file: 'nothing chosen', exists: true, timeout: 0 } } ]
  - screenshot: { app: xterm, path: xterm.png }
  - quit: xterm
`,
);

onApplication(
  "/usr/bin/mousepad",
  "an application that was started without accessibility is told as such, typed into by name, and saves",
  "mousepad",
  `  - launch: { app: mousepad, files: [one.txt], env: { NO_AT_BRIDGE: '1' } }
    id: editor
  - if: { equals: ['{{steps.editor.accessible}}', false] }
    else: [ { assert: { file: 'it has a tree', exists: true } } ]
  - type: { text: 'typed ', app: org.xfce.mousepad }
    irreversible: true
  - press: ctrl+s
    irreversible: true
  - assert: { file: one.txt, text: { equals: "typed first\\n" } }
  - quit: mousepad
`,
);

Deno.test("what needs elements says of a window without accessibility what can be used instead", () =>
  withPlace(async (place) => {
    const steps = `  - launch: { app: mousepad, env: { NO_AT_BRIDGE: '1' } }\n  - click: button\n`;
    place.file("bare.yaml", `name: Bare\nsession: isolated\napp: mousepad\nsteps:\n${steps}`);
    const finished = await place.run(["run", "bare.yaml"]);
    assert.equal(finished.code, 1, finished.out + finished.err);
    assert.match(
      finished.out,
      /Cannot look into Mousepad: it has a window, and no accessibility tree\n.*find_visual/,
    );
    assert.deepEqual(place.traces(), []);
  }));

const TYPED = `  - launch: { app: mousepad, files: [one.txt], env: { NO_AT_BRIDGE: '1' } }
  - transaction:
      steps:
        - type: 'typed '
          undo: [ { press: ctrl+z ctrl+z ctrl+z } ]
        - assert: { file: nothing, exists: true, timeout: 0 }
after:
  - press: ctrl+s
  - quit: mousepad
`;

Deno.test("what was typed into a window without accessibility is undone as the file says", () =>
  withPlace(async (place) => {
    place.file("one.txt", "first\n");
    place.file("bare.yaml", `name: Bare\nsession: isolated\napp: mousepad\nsteps:\n${TYPED}`);
    const finished = await place.run(["run", "bare.yaml"]);
    assert.equal(finished.code, 1, finished.out + finished.err);
    assert.match(finished.out, /\brestored\b/);
    assert.equal(readFileSync(join(place.work, "one.txt"), "utf8"), "first\n");
    assert.deepEqual(place.traces(), []);
  }));
