import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readEvidence } from "../src/engine/evidence/read.ts";
import { Encryption } from "../src/engine/journal/encryption.ts";
import {
  assertNowhere,
  assertNowhereBelow,
  FAILS,
  forbidden,
  PYTHON,
  receivedIn,
  SECRETS,
  STEPS,
  WINDOW,
} from "./_shown.ts";
import { type Place, withPlace } from "./cli/program.ts";
import { play } from "./cli/screen.ts";
import { oneJson } from "./cli/shapes.ts";
import process from "node:process";

const BIN = fileURLToPath(new URL("../bin.ts", import.meta.url));

/** A kept desktop with the fixture on it. */
async function onKept(
  words: readonly string[],
  action: (place: Place, id: string) => Promise<void>,
): Promise<void> {
  await withPlace(async (place) => {
    const started = await place.run(["session", "start", "--format", "json"]);
    assert.equal(started.code, 0, started.err);
    const json = oneJson(started.out);
    assert.ok(typeof json === "object" && json !== null && "id" in json);
    const id = String(json.id);
    try {
      const args = ["-B", WINDOW, "gtk3", place.folder, ...words].flatMap((word) => [`--arg=${word}`]);
      const launched = await place.run(["launch", PYTHON, ...args, "--session", id]);
      assert.equal(launched.code, 0, launched.err);
      await action(place, id);
    } finally {
      await place.run(["session", "stop", id, "--force"]);
    }
  });
}

const gtk3 = { ignore: !existsSync("/usr/lib/python3/dist-packages/gi") };

Deno.test("no command and no reporter tells a secret", gtk3, () =>
  onKept([], async (place, id) => {
    const [secret] = SECRETS;
    const { secret: itself, made } = forbidden(secret);
    const env = { CODE: secret };
    // What an application made of a secret in an earlier run is there before the next: each leaves the field empty.
    const yaml = (name: string, steps: string) =>
      place.file(
        name,
        `name: Codes\napp: codes-gtk3\nsecrets: [CODE]\nsteps:\n  - transaction:\n      name: all\n      steps:${
          steps.replaceAll("\n", "\n      ")
        }\nafter: [ { set: { target: 'textfield[name="Code"]', value: '' } } ]\n`,
      );
    const quiet = (what: string, one: { readonly out: string; readonly err: string }) => {
      assertNowhere(`what ${what} wrote`, one.out, made);
      assertNowhere(`what ${what} wrote as errors`, one.err, made);
    };
    const clear = () =>
      place.run(["set", 'textfield[name="Code"]', "", "--app", "codes-gtk3", "--session", id]);
    const files = [yaml("a.yaml", STEPS), yaml("b.yaml", STEPS + FAILS)];
    for (const file of files) {
      const planned = await place.run(["plan", file, "--session", id], { env });
      quiet(`plan of ${file}`, planned);
      const finished = await place.run(["run", file, "--session", id], { env });
      assert.equal(receivedIn(place.folder).includes(secret), true, finished.err);
      quiet(`run of ${file}`, finished);
      await clear();
    }
    const reporters = "list,line,dot,github,json,junit,html,blob";
    const tested = await place.run(
      ["test", ...files, "--session", id, "--reporter", reporters, "--output", "out", "--evidence", "on"],
      { env, timeout: 120_000 },
    );
    assert.match(tested.out, /1 failed, 1 passed/, tested.err);
    quiet("test", tested);
    assert.ok(assertNowhereBelow(join(place.work, "out"), made) >= 4);

    // Killed between a step that was over and one that waits: another process undoes it.
    await clear();
    const waits = yaml(
      "c.yaml",
      `${STEPS}
  - wait: { target: 'button[name="nowhere"]', timeout: 50s }`,
    );
    const before = new Set(place.runs());
    const running = place.start(["run", waits, "--session", id], { env });
    await running.says("set");
    await running.says('"Copy"');
    process.kill(-running.pid, "SIGKILL");
    quiet("a run that is killed", await running.finished);
    const [killed] = place.runs().filter((run) => !before.has(run));
    assert.ok(killed !== undefined);
    const recovered = await place.run(["recover", killed, "--format", "json"], { env });
    assert.notEqual(recovered.code, 2, recovered.err);
    assert.equal(
      receivedIn(place.folder).at(-1),
      "",
      `the field was restored: ${recovered.out}${recovered.err}`,
    );
    quiet("recover", recovered);
    quiet("runs show", await place.run(["runs", "show", killed]));
    quiet("diff", await place.run(["diff", killed, [...before].at(-1) ?? killed]));
    // Everything that is left: encrypted or not.
    assert.ok(assertNowhereBelow(place.state, made) > 3);
    for (const run of place.runs()) {
      const encryption = Encryption.open(place.state, run);
      for (const record of readEvidence(place.state, run).records) {
        if ("encrypted" in record && record.encrypted !== undefined) {
          const opened = JSON.stringify(encryption.decrypt(record.encrypted));
          assertNowhere(`${run}, line ${record.n}`, opened, itself);
        }
      }
    }
  }));

Deno.test(
  "no control character of an application reaches a terminal",
  gtk3,
  () =>
    onKept(["--nasty"], async (place, id) => {
      const file = place.file(
        "nasty.yaml",
        `name: "Nasty \\x1b]0;owned\\x07 \\x9b2J \\u202e"
app: codes-gtk3
steps:
  - read_tree: {}
  - click: 'button:nth(1)'
  - assert: { target: 'button:nth(1)', exists: false, timeout: 0 }
`,
      );
      const app = ["--app", "codes-gtk3", "--session", id];
      const commands: readonly (readonly string[])[] = [
        ["tree", ...app],
        ["windows", "codes-gtk3", "--session", id],
        ["find", "button", ...app],
        ["find", "button", "--format", "json", ...app],
        ["attributes", "button", ...app],
        ["explain", "button", ...app],
        ["value", "button", ...app],
        ["click", "*", ...app],
        ["assert", "button", "--no-exists", "--timeout", "0", ...app],
        ["audit", "codes-gtk3", "--session", id],
        ["audit", "codes-gtk3", "--format", "sarif", "--session", id],
        ["apps", "--session", id],
        ["plan", file, "--session", id],
        ["run", file, "--session", id],
        ["test", file, "--session", id, "--reporter", "list,line,dot,github,junit,json"],
        ["\x1b]0;owned\x07\u202e"],
        ["run", "\x1b[2J\x9b\u202e.yaml"],
        ["tree", "--format=json", "--app", "\x1b]0;owned\x07", "--session", id],
      ];
      let seen = 0;
      for (const words of commands) {
        const line = [Deno.execPath(), "run", "-q", "-A", BIN, ...words].map((w) =>
          `'${w.replaceAll("'", `'\\''`)}'`
        );
        const command = `stty cols 200 rows 30; exec ${line.join(" ")}`;
        const finished = await place.start([], {
          through: ["script", "--quiet", "--return", "--command", command, "/dev/null"],
          typing: true,
          env: { TERM: "xterm-256color", SHELL: "/bin/bash" },
        }).finished;
        const what = `${JSON.stringify(words)}: ${JSON.stringify(finished.out).slice(0, 2_000)}`;
        // Fails at anything but text, line ends, paint and the clearing of a live line.
        const { lines, cleared } = play(finished.out, 200);
        for (const text of [...lines, ...cleared]) {
          assert.doesNotMatch(text, /(?!\t)[\p{Cc}\p{Bidi_Control}]/u, what);
        }
        if (/\\u\{?0*9b|\\u\{?0*1b/.test(finished.out)) {
          seen++;
        }
      }
      assert.ok(seen >= 10, `the names were told, written out: ${seen} of ${commands.length}`);
      const xml = readFileSync(join(place.work, "test-results/junit.xml"), "utf8");
      assert.doesNotMatch(xml, /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/u);
      assert.match(xml, /owned/);
    }),
);
