import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testsThatLoadTheCore } from "../scripts/test.ts";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A copy of the scripts, with a PATH that holds nothing but the basics and these stand-ins. */
function withMachine(
  programs: Readonly<Record<string, string>>,
  deed: (
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
    deed((script, ...args) => {
      const ended = spawnSync(join(home, script), args, { env: { PATH: bin, HOME: home }, encoding: "utf8" });
      return { code: ended.status, out: ended.stdout, err: ended.stderr };
    });
  } finally {
    rmSync(home, { recursive: true });
  }
}

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
    assert.match(err, /Deno 2\.9\.5 is missing: npm ci --prefix tools/);
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
  const npm = "exit 0";
  withMachine({ npm }, (run) => {
    const { code, out, err } = run("tools/setup.sh", "--quiet");
    assert.equal(code, 0);
    assert.equal(out, "");
    assert.match(err, /installing Deno 2\.9\.5/);
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
  const machine = { ...debian, npm: "exit 0", id: "echo 0", "apt-get": "echo E: no network; exit 100" };
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
    ["ok | 9 passed (3 steps) | 0 failed (397ms)", 0, "9 passed, 0 failed", 0],
    [
      "ok | 9 passed | 0 failed | 1 ignored (2s)\nok | 2 passed | 0 failed (1ms)",
      0,
      "11 passed, 0 failed",
      0,
    ],
    ["\x1b[31mFAILED\x1b[0m | 3 passed | 2 failed (10ms)", 1, "3 passed, 2 failed", 1],
    ["FAILED | 3 passed | 1 failed (10ms)", 0, "3 passed, 1 failed", 1],
    ["error: TS2322 [ERROR]: Type 'string' is not assignable", 1, "0 passed, 1 failed", 1],
    ["ok | 9 passed | 0 failed (1s)\nSegmentation fault", 139, "9 passed, 1 failed", 139],
    ["nothing ran", 0, "0 passed, 1 failed", 1],
  ];
  for (const [output, code, line, ends] of table) {
    withMachine({ npm: `cat <<'END'\n${output}\nEND\nexit ${code}` }, (run) => {
      const ended = run(".ci/run");
      assert.equal(ended.out.trimEnd().split("\n").at(-1), line, output);
      assert.equal(ended.code, ends, output);
    });
  }
});

Deno.test("tests that load the native core do not run at once: it serves one thread of a process", () => {
  const apart = testsThatLoadTheCore(new URL("..", import.meta.url));
  assert.ok(
    apart.includes("tests/native_desktop_test.ts") && apart.includes("tests/acts_gtk3_test.ts"),
    apart.join(),
  );
  assert.ok(!apart.includes("tests/setup_test.ts") && !apart.includes("tests/cli_test.ts"), apart.join());
});
