import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { testsOfTheirOwn } from "../scripts/test/files.ts";
import { outcomeOf, worthAnotherTry } from "../scripts/test/outcome.ts";
import { MAY_TAKE_LONGER, tooLong } from "../scripts/test/times.ts";
import { fileURLToPath } from "node:url";
import { isInstalled, NIGHTLY } from "./_installed.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The version that setup installs. */
const DENO = /"deno": "([\d.]+)"/.exec(readFileSync(join(root, "tools/package.json"), "utf8"))?.[1] ?? "none";

/** A copy of the scripts, with a PATH that holds nothing but the basics and these stand-ins. */
function withMachine(
  programs: Readonly<Record<string, string>>,
  action: (
    run: (script: string, ...args: string[]) => { code: number | null; out: string; err: string },
  ) => void,
): void {
  const home = mkdtempSync(join(tmpdir(), "backstep-setup-"));
  try {
    for (const path of ["tools/setup.sh", "tools/package.json", ".ci/run"]) {
      cpSync(join(root, path), join(home, path));
    }
    const bin = join(home, "bin");
    mkdirSync(bin);
    const basics = "awk bash cat dirname env grep id mktemp rm sed tail tee".split(" ");
    for (const name of basics) {
      const found = ["/usr/bin", "/bin"].map((folder) => join(folder, name));
      symlinkSync(found[0] ?? name, join(bin, name));
    }
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(join(bin, name), `#!/bin/bash\n${text}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    action((script, ...args) => {
      const finished = spawnSync(join(home, script), args, {
        env: { PATH: bin, HOME: home },
        encoding: "utf8",
      });
      return { code: finished.status, out: finished.stdout, err: finished.stderr };
    });
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** An npm that brings a Deno which takes everything. */
const npm = "/bin/mkdir -p tools/node_modules/.bin; /bin/cp /bin/true tools/node_modules/.bin/deno";

const debian = {
  "apt-get": "exit 0",
  "dpkg-query":
    'for one in "$@"; do case $one in -*) ;; xvfb|gcc) ;; *) echo "installed $one";; esac; done; exit 1',
};

Deno.test("a check names what is missing with the command that installs it, and ends with 1", () => {
  withMachine(debian, (run) => {
    const { code, out, err } = run("tools/setup.sh", "--check");
    assert.equal(code, 1);
    assert.equal(out, "", "standard output belongs to what runs next");
    assert.ok(err.includes(`Deno ${DENO} is missing: npm ci --prefix tools`), err);
    assert.match(err, /2 packages are missing: apt-get install --no-install-recommends xvfb gcc\n/);
  });
});

Deno.test("without npm, Deno cannot be had: that ends it", () => {
  withMachine(debian, (run) => {
    const { code, err } = run("tools/setup.sh");
    assert.equal(code, 1);
    assert.match(err, /npm, which brings it, too: install Node\.js/);
  });
});

Deno.test("elsewhere than on Debian it says what is missing and goes on", () => {
  withMachine({ npm }, (run) => {
    const { code, out, err } = run("tools/setup.sh", "--quiet");
    assert.equal(code, 0);
    assert.equal(out, "");
    assert.ok(err.includes(`installing Deno ${DENO}`), err);
    assert.match(err, /this is no Debian; please install what brings: Xvfb dbus-daemon openbox gcc make/);
    assert.doesNotMatch(err, /probably/);
  });
  withMachine({ npm, dnf: "exit 0" }, (run) => {
    const { code, err } = run("tools/setup.sh", "--quiet");
    assert.equal(code, 0);
    assert.match(err, /probably: sudo dnf install xorg-x11-server-Xvfb .*openbox/);
  });
});

Deno.test("packages that could not be installed are named, and it goes on", () => {
  const machine = { ...debian, npm, id: "echo 0", "apt-get": "echo E: no network; exit 100" };
  withMachine(machine, (run) => {
    const { code, err } = run("tools/setup.sh", "--quiet");
    assert.equal(code, 0);
    assert.match(err, /fetching the package lists/);
    assert.match(err, /cannot install xvfb: E: no network/);
    assert.match(err, /still missing: xvfb gcc\. The simulated desktop works without\./);
  });
});

Deno.test("an unknown option is refused", () => {
  withMachine({}, (run) => assert.equal(run("tools/setup.sh", "--nope").code, 2));
});

Deno.test("the last line of a CI run counts what passed and failed, and never hides a failure", () => {
  const table: [output: string, code: number, line: string, ends: number][] = [
    ["tests: 9 passed, 0 flaky, 0 failed", 0, "9 passed, 0 failed", 0],
    [
      "flaky: a_test.ts: b: failed, then passed\ntests: 9 passed, 1 flaky, 0 failed",
      0,
      "10 passed, 0 failed",
      0,
    ],
    ["tests: 3 passed, 0 flaky, 2 failed", 1, "3 passed, 2 failed", 1],
    ["tests: 3 passed, 0 flaky, 1 failed", 0, "3 passed, 1 failed", 1],
    ["error: TS2322 [ERROR]: Type 'string' is not assignable", 1, "0 passed, 1 failed", 1],
    ["tests: 9 passed, 0 flaky, 0 failed\nSegmentation fault", 139, "9 passed, 1 failed", 139],
    ["nothing ran", 0, "0 passed, 1 failed", 1],
  ];
  for (const [output, code, line, ends] of table) {
    withMachine({ npm: `cat <<'END'\n${output}\nEND\nexit ${code}` }, (run) => {
      const finished = run(".ci/run");
      assert.equal(finished.out.trimEnd().split("\n").at(-1), line, output);
      assert.equal(finished.code, ends, output);
    });
  }
});

Deno.test("tests that load the native core do not run at once: it serves one thread of a process", () => {
  const apart = testsOfTheirOwn(new URL("..", import.meta.url));
  assert.ok(
    apart.includes("tests/native_desktop_test.ts") && apart.includes("tests/acts_gtk3_test.ts"),
    apart.join(),
  );
  assert.ok(apart.includes("tests/dialogs_test.ts"), "its helper loads it");
  assert.ok(apart.includes("tests/mcp_slow_bodies_test.ts"), "it uses Unix sockets");
  assert.ok(apart.includes("src/session/bus-connection_test.ts"), apart.join());
  assert.ok(!apart.includes("tests/setup_test.ts") && !apart.includes("tests/cli_test.ts"), apart.join());
});

const JUNIT = `<testsuites>
<testsuite name="./a_test.ts"><testcase name="a &amp; b" classname="./a_test.ts" time="0"><failure message="x">x</failure></testcase>
<testcase name="fine" classname="./a_test.ts" time="0"></testcase></testsuite>
<testsuite name="./b_test.ts"><testcase name="c" classname="./b_test.ts" time="0"><failure message="1 step">y</failure></testcase>
<testcase name="c &gt; d" classname="./b_test.ts" time="0"><failure message="y">y</failure></testcase></testsuite></testsuites>`;

Deno.test("what failed is known by its file, and few failures are worth another try", () => {
  const outcome = outcomeOf(1, "\x1b[31mFAILED\x1b[0m | 1 passed (2 steps) | 2 failed (1s)\n", JUNIT);
  assert.deepEqual([outcome.passed, outcome.failed, outcome.failures.length], [1, 2, 3]);
  assert.deepEqual(outcome.failures[0], { file: "./a_test.ts", name: "a & b" });
  assert.deepEqual(worthAnotherTry(outcome), ["a_test.ts", "b_test.ts"]);
});

Deno.test("a test that a helper makes is tried again with the file that it was told under", () => {
  const junit =
    `<testcase name="x does" classname="./tests/_acts.ts"><failure message="y">y</failure></testcase>`;
  const output = `running 1 test from ./tests/a_test.ts
other ... ok (1s)
running 2 tests from ./tests/b_test.ts
x does ...'x does' has been running for over (1m0s)
 FAILED (1m0s)

FAILED | 1 passed | 1 failed (1s)
`;
  assert.deepEqual(worthAnotherTry(outcomeOf(1, output, junit)), ["tests/b_test.ts"]);
  assert.deepEqual(worthAnotherTry(outcomeOf(1, "FAILED | 1 passed | 1 failed (1s)\n", junit)), []);
});

Deno.test("a file that cannot be loaded, a crash or many failures are not tried again", () => {
  const reported = (failed: number) => `FAILED | 1 passed | ${failed} failed (1s)`;
  assert.deepEqual(
    worthAnotherTry(outcomeOf(1, reported(3), JUNIT)),
    [],
    "one of three has no name: it did not load",
  );
  assert.deepEqual(worthAnotherTry(outcomeOf(139, "", JUNIT)), []);
  const many = outcomeOf(1, reported(4), "");
  assert.deepEqual(worthAnotherTry(many), []);
});

Deno.test("a file that takes more than a minute is named, unless it is listed with its reason", () => {
  const [listed = ""] = Object.keys(MAY_TAKE_LONGER);
  const seconds: [string, number][] = [["a_test.ts", 61], ["b_test.ts", 59], [listed, 300], [
    "c_test.ts",
    90,
  ]];
  assert.deepEqual(tooLong(seconds), [["c_test.ts", 90], ["a_test.ts", 61]]);
  for (const file of Object.keys(MAY_TAKE_LONGER)) assert.ok(existsSync(join(root, file)), file);
});

Deno.test("the times of files come from the tests in them, and not from their steps", () => {
  const { seconds, ignored } = outcomeOf(
    0,
    "ok | 2 passed (1 step) | 0 failed | 3 ignored (2s)\n",
    `<testcase name="a" classname="./a_test.ts" time="1.5"></testcase>
<testcase name="a &gt; step" classname="./a_test.ts" time="1.4"></testcase>
<testcase name="b" classname="./a_test.ts" time="0.5"></testcase>`,
  );
  assert.deepEqual([[...seconds], ignored], [[["a_test.ts", 2]], 3]);
});

Deno.test("a whole run leaves out what only nightly runs install, and a named file does not", () => {
  const whole = process.env["BACKSTEP_WHOLE_RUN"];
  const nightly = new Set<string>(NIGHTLY);
  try {
    process.env["BACKSTEP_WHOLE_RUN"] = "1";
    assert.equal(isInstalled("/bin/sh"), true);
    for (const program of nightly) assert.equal(isInstalled(program), false, program);
    delete process.env["BACKSTEP_WHOLE_RUN"];
    for (const program of nightly) assert.equal(isInstalled(program), existsSync(program), program);
  } finally {
    if (whole === undefined) delete process.env["BACKSTEP_WHOLE_RUN"];
    else process.env["BACKSTEP_WHOLE_RUN"] = whole;
  }
  const setup = readFileSync(new URL("../tools/setup.sh", import.meta.url), "utf8");
  const apps = /^apps=\(([^)]*)\)/m.exec(setup)?.[1]?.split(/\s+/) ?? [];
  assert.deepEqual(apps.filter((name) => nightly.has(`/usr/bin/${name}`)), [], "setup installs it");
});
