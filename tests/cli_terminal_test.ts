import assert from "node:assert/strict";
import { join } from "node:path";
import { width } from "../src/report/layout.ts";
import { type Place, ROOT, withPlace } from "./cli/program.ts";
import { play } from "./cli/screen.ts";
import { assertPlain } from "./cli/shapes.ts";

/** Starts the program in a terminal of so many columns. */
function inTerminal(
  place: Place,
  columns: number,
  args: readonly string[],
  env: Record<string, string> = {},
) {
  const words = [Deno.execPath(), "run", "-q", "-A", join(ROOT, "bin.ts"), ...args].map((w) => `'${w}'`).join(
    " ",
  );
  const command = `stty cols ${columns} rows 30; exec ${words}`;
  return place.start([], {
    through: ["script", "--quiet", "--return", "--command", command, "/dev/null"],
    typing: true,
    env: { TERM: "xterm-256color", SHELL: "/bin/bash", ...env },
  });
}

const ROLLBACK = join(ROOT, "workflows/form-rollback.yaml");

Deno.test("on a terminal a run is painted, its running step is shown live, and the screen ends clean", () =>
  withPlace(async (place) => {
    const finished = await inTerminal(place, 72, ["run", ROLLBACK]).finished;
    assert.equal(finished.code, 1, finished.out);
    const screen = play(finished.out, 72);
    assert.ok(screen.painted);
    assert.ok(screen.cleared.some((line) => /^ {2}│ … 1\.1 /.test(line)), "the running step was shown");
    assert.ok(!screen.lines.some((line) => /^ +(│ )*… /.test(line)), "and is gone");
    const text = screen.lines.join("\n");
    assert.match(text, /│ ✓ 1\.1 /);
    assert.match(text, /✗ 1\.10 /);
    assert.match(text, /restored: 10 participants/);
    assert.doesNotMatch(text, /by none/);
    for (const line of screen.lines.filter((l) => /[✓✗]/.test(l))) assert.ok(width(line) <= 72, line);
  }));

Deno.test("long lines are cut to the columns, and errors are wrapped below themselves", () =>
  withPlace(async (place) => {
    const name = `name the one thing ${"with very many words ".repeat(12)}`;
    place.file(
      "long.yaml",
      `name: ${name}
app: sim.calculator
session: simulated
before: [ { launch: sim.calculator } ]
steps:
  - { name: "${name}", find: button }
  - { name: "世界${"世界".repeat(40)}", click: 'button[name="${"x".repeat(90)}"]', timeout: 200ms }
`,
    );
    const finished = await inTerminal(place, 50, ["run", "long.yaml"]).finished;
    assert.equal(finished.code, 1, finished.out);
    const { lines } = play(finished.out, 50);
    const reported = lines.filter((line) => !/^(failed|simulated)/.test(line));
    for (const line of reported) assert.ok(width(line) <= 50, `${width(line)}: ${line}`);
    assert.match(lines.join("\n"), /✓ 1 .*… +\d+ ms$/m);
    assert.match(lines.join("\n"), /✗ 2 .*世.*… +\d+ ms$/m);
    assert.match(lines.join("\n"), /\n {6}Cannot /);
  }));

Deno.test("NO_COLOR and TERM=dumb take the paint away, and a pipe has no escape bytes at all", () =>
  withPlace(async (place) => {
    for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
      const help = await inTerminal(place, 80, ["--help"], env).finished;
      assertPlain(help.out.replaceAll("\r\n", "\n"));
    }
    const painted = await inTerminal(place, 80, ["--help"]).finished;
    assert.ok(play(painted.out, 80).painted);
    const piped = await place.run(["run", ROLLBACK]);
    assertPlain(piped.out, piped.err);
    const dumb = await inTerminal(place, 80, ["run", ROLLBACK], { TERM: "dumb" }).finished;
    assertPlain(dumb.out.replaceAll("\r\n", "\n"));
  }));

Deno.test("Ctrl-C in a terminal is told on a line of its own", () =>
  withPlace(async (place) => {
    place.file(
      "wait.yaml",
      `name: Wait
app: sim.calculator
session: simulated
before: [ { launch: sim.calculator } ]
steps:
  - find: button
  - wait: { target: 'dialog', timeout: 60s }
`,
    );
    const running = inTerminal(place, 80, ["run", "wait.yaml"]);
    await running.says("… 2 ");
    running.child.stdin?.write("\x03");
    const finished = await running.finished;
    assert.equal(finished.code, 130, finished.out);
    // The terminal echoes the key itself.
    const { lines } = play(finished.out.replace("^C", ""), 80);
    assert.ok(
      lines.some((line) => /^ {2}! Interrupted: stopping and rolling back/.test(line)),
      lines.join("\n"),
    );
    assert.ok(!lines.some((line) => line.startsWith("  … ")));
    assert.deepEqual(place.traces(), []);
  }));

Deno.test("a secret is asked for on the terminal, typed unseen and masked; without a terminal that is told", () =>
  withPlace(async (place) => {
    place.file(
      "pin.yaml",
      `name: PIN
app: sim.settings
session: simulated
secrets: { PIN: { prompt: "PIN of the card" } }
before: [ { launch: sim.settings } ]
steps:
  - set: { target: 'textfield[name="Name"]', value: '{{secrets.PIN}}' }
  - assert: { target: 'textfield[name="Name"]', value: 'n0t{{secrets.PIN}}', timeout: 0 }
`,
    );
    const running = inTerminal(place, 80, ["run", "pin.yaml"]);
    await running.says("PIN of the card: ");
    // A letter that is rolled back, then Enter.
    running.child.stdin?.write("hunter2!x\x7f\r");
    const finished = await running.finished;
    assert.equal(finished.code, 1, finished.out);
    assert.match(finished.out, /••••••/);
    assert.doesNotMatch(finished.out, /hunter2/);
    const given = inTerminal(place, 80, ["run", "pin.yaml"]);
    await given.says("PIN of the card: ");
    given.child.stdin?.write("hunt\x03");
    assert.equal((await given.finished).code, 130);
    const nobody = await place.run(["run", "pin.yaml"]);
    assert.equal(nobody.code, 2, nobody.err);
    assert.match(nobody.err, /the secret PIN is asked for, and there is no terminal/);
    assert.deepEqual(place.runs().length, 1);
  }));
