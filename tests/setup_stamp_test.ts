import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A checkout on a machine where all is there, but for Deno. Whoever is asked there notes it. */
class Machine implements Disposable {
  readonly home = mkdtempSync(join(tmpdir(), "backstep-stamp-"));
  readonly #bin = join(this.home, "bin");
  readonly #environment: Record<string, string> = {
    PATH: this.#bin,
    HOME: this.home,
    DPKG_ADMINDIR: join(this.home, "dpkg"),
  };

  constructor() {
    mkdirSync(this.#bin);
    for (
      const name of "awk bash cat chmod cmp cp env grep id mkdir mktemp readlink rm sed stat tail tee touch"
        .split(" ")
    ) {
      const found = ["/usr/bin", "/bin"].map((folder) => join(folder, name)).find((file) => existsSync(file));
      if (found !== undefined) symlinkSync(found, join(this.#bin, name));
    }
    cpSync(join(root, "tools/setup.sh"), this.#path("tools/setup.sh"));
    cpSync(join(root, "tools/backstep"), this.#path("tools/backstep"));
    cpSync(join(root, "tools/package.json"), this.#path("tools/package.json"));
    this.write("tools/package-lock.json", "{}");
    this.write("deno.json", "{}");
    this.write(
      "deno.lock",
      '{\n  "npm": {\n    "@scope/one@1.0.0_two@2.0.0": {\n    },\n    "two@2.0.0": {\n    }\n  }\n}\n',
    );
    this.write("native/Makefile", "");
    for (const file of ["include/a.h", "src/a.c", "linux/b.c", "watcher/c.c"]) {
      this.write(`native/${file}`, "");
    }
    this.write("tools/references/package-lock.json", "{}");
    this.write("dpkg/status", "");
    this.program("apt-get", "");
    this.program("dpkg-query", `printf 'installed %s\\n' "$@"`);
    this.program("gcc", "");
    this.program("pkg-config", "");
    // With -q: is the library there?
    this.program(
      "make",
      `mkdir -p native/build; case "$*" in *-q*) [ -f native/build/libbackstep.so ] ;; *) touch native/build/libbackstep.so ;; esac`,
    );
    // Brings Deno, or the references.
    this.program(
      "npm",
      `folder=$3; mkdir -p "$folder/node_modules/.bin"; cp "$HOME/deno" "$folder/node_modules/.bin/deno"`,
    );
    const kept = "$HOME/.cache/deno/npm/registry.npmjs.org";
    this.program(
      "../deno",
      `if [ "$1" = run ]; then echo "$PWD"; elif [ "$1" = --version ]; then echo 'deno ${this.#wanted()} (stable)'; else mkdir -p "${kept}/two/2.0.0" "${kept}/@scope/one/1.0.0"; fi`,
    );
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(this.#path(file)), { recursive: true });
    writeFileSync(this.#path(file), text);
  }

  program(name: string, text: string): void {
    const noted = `echo "${name.replace("../", "")} $*" >>"$HOME/asked"\n`;
    writeFileSync(join(this.#bin, name), `#!/bin/bash\n${noted}${text}\n`);
    chmodSync(join(this.#bin, name), 0o755);
  }

  /** Runs setup: who was asked, a line each. */
  asked(args: readonly string[] = ["--quiet"], environment: Readonly<Record<string, string>> = {}): string {
    return this.run("tools/setup.sh", args, { environment }).asked;
  }

  /** Runs a script from a folder of the checkout. */
  run(
    script: string,
    args: readonly string[],
    { environment = {}, from = "." }: {
      readonly environment?: Readonly<Record<string, string>>;
      readonly from?: string;
    } = {},
  ): { readonly asked: string; readonly out: string } {
    const noted = join(this.home, "asked");
    rmSync(noted, { force: true });
    const { status, stdout, stderr } = spawnSync(this.#path(script), args, {
      cwd: this.#path(from),
      env: { ...this.#environment, ...environment },
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
    if (script === "tools/setup.sh") assert.equal(stdout, "");
    return { asked: existsSync(noted) ? readFileSync(noted, "utf8") : "", out: stdout };
  }

  #wanted(): string {
    return /"deno": *"([^"]+)"/.exec(readFileSync(join(root, "tools/package.json"), "utf8"))?.[1] ?? "";
  }

  #path(file: string): string {
    return join(this.home, file);
  }

  [Symbol.dispose](): void {
    rmSync(this.home, { recursive: true });
  }
}

Deno.test("the second start asks nobody, whatever the first one had to bring", () => {
  using machine = new Machine();
  assert.match(machine.asked(), /^npm ci --prefix tools.*make/s);
  assert.equal(machine.asked(), "");
  assert.equal(machine.asked(), "");
});

Deno.test("who wants to see it, or a check, is shown the things themselves", () => {
  using machine = new Machine();
  machine.asked();
  assert.match(machine.asked([]), /dpkg-query/);
  assert.match(machine.asked(["--check"]), /dpkg-query/);
  assert.equal(machine.asked(), "");
});

Deno.test("where something is missing, it is looked for at each start", () => {
  using machine = new Machine();
  machine.program("dpkg-query", `printf 'installed %s\\n' "$@" | grep -v xvfb`);
  machine.program("apt-get", "exit 100");
  machine.asked();
  assert.match(machine.asked(), /apt-get .*xvfb/);
  machine.program("dpkg-query", `printf 'installed %s\\n' "$@"`);
  assert.match(machine.asked(), /dpkg-query/);
  assert.equal(machine.asked(), "");
});

const kept = ".cache/deno/npm/registry.npmjs.org";
/** Makes a file longer. Deno's `appendFileSync` takes the right to run it away. */
function edit(file: string): void {
  const { mode } = statSync(file);
  appendFileSync(file, "\n");
  chmodSync(file, mode);
}

/** What may become otherwise, and who has to be asked then. */
const CHANGES: readonly [
  what: string,
  change: (machine: Machine, path: (file: string) => string) => void,
  asked: RegExp,
][] = [
  ["a package was removed", (machine) => machine.write("dpkg/status", "other"), /dpkg-query/],
  ["a package was removed, and the file is as long and as old as before", (_, path) => {
    const { atime, mtime } = statSync(path("dpkg/status"));
    writeFileSync(path("dpkg/status.new"), "");
    utimesSync(path("dpkg/status.new"), atime, mtime);
    renameSync(path("dpkg/status.new"), path("dpkg/status"));
  }, /dpkg-query/],
  [
    "node_modules was deleted",
    (_, path) => rmSync(path("tools/node_modules"), { recursive: true }),
    /npm ci --prefix tools/,
  ],
  [
    "another Deno lies there",
    (_, path) => edit(path("tools/node_modules/.bin/deno")),
    /deno --version/,
  ],
  ["a source was edited", (_, path) => edit(path("native/src/a.c")), /make -s -q/],
  ["a source was edited, and its time set back", (_, path) => {
    const { atime, mtime } = statSync(path("native/linux/b.c"));
    writeFileSync(path("native/linux/b.c"), "");
    utimesSync(path("native/linux/b.c"), atime, mtime);
  }, /make -s -q/],
  ["a header was edited", (machine) => machine.write("native/include/a.h", "int a;\n"), /make -s -q/],
  ["the watcher was edited", (machine) => machine.write("native/watcher/c.c", "int a;\n"), /make -s -q/],
  ["a source came", (machine) => machine.write("native/src/new.c", ""), /make -s -q/],
  ["a source went", (_, path) => rmSync(path("native/linux/b.c")), /make -s -q/],
  ["the Makefile was edited", (machine) => machine.write("native/Makefile", "all:\n"), /make -s -q/],
  ["the core was deleted", (_, path) => rmSync(path("native/build/libbackstep.so")), /make -s -C native/],
  [
    "the core was replaced",
    (_, path) => edit(path("native/build/libbackstep.so")),
    /make -s -q/,
  ],
  ["deno.json was edited", (machine) => machine.write("deno.json", '{ "imports": {} }'), /deno install/],
  ["deno.lock was edited", (_, path) => edit(path("deno.lock")), /deno install/],
  ["another Deno is pinned", (_, path) => edit(path("tools/package.json")), /deno --version/],
  [
    "the lock of the tools was edited",
    (machine) => machine.write("tools/package-lock.json", "{ }"),
    /deno --version/,
  ],
  ["setup itself was edited", (_, path) => edit(path("tools/setup.sh")), /dpkg-query/],
  ["Deno's packages were deleted", (_, path) => rmSync(path(".cache"), { recursive: true }), /deno install/],
  [
    "one of Deno's packages was deleted",
    (_, path) => rmSync(path(`${kept}/@scope/one`), { recursive: true }),
    /deno install/,
  ],
  ["the compiler went, and another came", (machine, path) => {
    rmSync(path("bin/gcc"));
    machine.program("gcc", "# other");
  }, /dpkg-query/],
];

for (const [what, change, asked] of CHANGES) {
  Deno.test(`setup looks again where ${what}, and once`, () => {
    using machine = new Machine();
    machine.asked();
    assert.equal(machine.asked(), "", "before it");
    change(machine, (file) => join(machine.home, file));
    assert.match(machine.asked(), asked);
    assert.equal(machine.asked(), "", "after it");
  });
}

Deno.test("a stamp counts for what it was asked for: other options, packages elsewhere", () => {
  using machine = new Machine();
  machine.asked();
  assert.match(machine.asked(["--quiet", "--apps"]), /dpkg-query .*gedit/);
  assert.equal(machine.asked(["--quiet", "--apps"]), "");
  assert.equal(machine.asked(), "");
  assert.match(machine.asked(["--quiet"], { DENO_DIR: join(machine.home, "elsewhere") }), /deno install/);
});

Deno.test("references that were deleted are brought again", () => {
  using machine = new Machine();
  const references = ["--quiet", "--references"];
  assert.match(machine.asked(references), /npm ci --prefix tools\/references/);
  assert.equal(machine.asked(references), "");
  rmSync(join(machine.home, "tools/references/node_modules"), { recursive: true });
  assert.match(machine.asked(references), /npm ci --prefix tools\/references/);
  assert.equal(machine.asked(references), "");
});

Deno.test("tools/backstep brings what is missing and runs where it was called, with what it was given", () => {
  using machine = new Machine();
  machine.write("sub folder/file", "");
  symlinkSync(join(machine.home, "tools/backstep"), join(machine.home, "sub folder/linked"));
  for (const script of ["tools/backstep", "sub folder/linked"]) {
    const { asked, out } = machine.run(script, ["run", "a b.yaml"], { from: "sub folder" });
    assert.equal(asked.includes("npm ci"), script === "tools/backstep", "the first time");
    assert.match(asked, /deno run -A \S+\/bin\.ts run a b\.yaml\n$/);
    assert.equal(out.trim(), join(machine.home, "sub folder"));
  }
});
