import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { defaultLibraryPath } from "../src/ffi/library.ts";
import { findProgram } from "../src/session/programs.ts";
import { compositorStandIn, GNOME_OFFERS, SWAY_OFFERS } from "../src/session/wayland/_compositor.ts";
import { NiriStandIn, niriState } from "../src/wm/_niri.ts";
import { type Place, ROOT, type StartOptions, withPlace } from "./cli/program.ts";
import { assertPlain, failure, oneJson, runResult } from "./cli/shapes.ts";

/** A machine with no display, no bus, no programs and no native core, and no leave to load one. */
const BARE: StartOptions = {
  env: { PATH: "", DISPLAY: undefined, DBUS_SESSION_BUS_ADDRESS: undefined, BACKSTEP_CORE: "/nonexistent" },
  permissions: [
    "--no-prompt",
    "--allow-read",
    "--allow-write",
    "--allow-env",
    "--allow-sys",
    "--deny-ffi",
    "--deny-run",
  ],
};

const SIMULATED = ["--session", "simulated", "--app", "sim.calculator"];

Deno.test("the version takes less than 150 ms of the processor, or than three times what Deno itself takes", () =>
  withPlace(async (place) => {
    // The processor's time, as bash counts it: the clock's depends on what else the machine does.
    const bash = ["bash", "-c", 'TIMEFORMAT="%U %S"; time "$@"', "bash", Deno.execPath()];
    const least = async (said: string, ...command: string[]) => {
      const times: number[] = [];
      for (let i = 0; i < 5; i++) {
        const { code, out, err } = await place.run(["--version"], { through: [...bash, ...command] });
        assert.deepEqual([code, out.includes(said)], [0, true]);
        times.push(err.trim().split(" ").reduce((sum, seconds) => sum + Number(seconds) * 1_000, 0));
      }
      return Math.min(...times);
    };
    const own = await least("backstep 0.1.0\n", "run", "-A", join(ROOT, "bin.ts"));
    const program = place.file("nothing.ts", 'console.log("nothing");\n');
    const deno = await least("nothing", "run", "-A", program);
    assert.ok(own < Math.max(150, 3 * deno), `it took ${own} ms, and Deno itself ${deno}`);
  }));

Deno.test("help is asked for in every usual way, and has no escape bytes in a pipe", () =>
  withPlace(async (place) => {
    const overviews = await Promise.all([["--help"], ["-h"], ["help"]].map((args) => place.run(args)));
    for (const { code, out } of overviews) {
      assert.equal(code, 0);
      assert.equal(out, overviews[0]?.out);
    }
    assertPlain(overviews[0]?.out ?? "");
    const bare = await place.run([]);
    assert.deepEqual([bare.code, bare.out], [2, overviews[0]?.out]);
    const [one, other, short] = await Promise.all(
      [["click", "--help"], ["help", "click"], ["click", "-h"]].map((args) => place.run(args)),
    );
    assert.match(one?.out ?? "", /^Click an element\n\nUsage {2}backstep click <query>… \[options\]\n/);
    assert.equal(other?.out, one?.out);
    assert.equal(short?.out, one?.out);
  }));

Deno.test("a misspelt command or option ends with 2 and the nearest ones", () =>
  withPlace(async (place) => {
    const cases: [string[], RegExp][] = [
      [["clik", "x"], /Cannot run backstep clik: there is no such command\n {2}Did you mean click\?/],
      [["help", "sesion"], /Did you mean session\?/],
      [["frobnicate"], /Run `backstep --help`/],
      [["apps", "--fromat", "json"], /Did you mean --format\?/],
      [["apps", "--format", "xml"], /--format is text, json, quiet; not "xml"/],
      [["apps", "extra"], /"extra" is one argument too many/],
      [["session", "strat"], /Did you mean start\?/],
      [["session", "list", "--size", "1x1"], /--size is for start/],
      [["completions", "powershell"], /Possible: bash, zsh, fish/],
      [["wait", "x", "--timeout", "soon", ...SIMULATED], /duration/],
      [["click", "x", "--timeout", "soon", ...SIMULATED], /--timeout is a time/],
      [["click", "x", "--count", "9", ...SIMULATED], /Cannot click: count/],
    ];
    for (const [args, says] of cases) {
      const finished = await place.run(args);
      assert.equal(finished.code, 2, `${args.join(" ")}: ${finished.err}`);
      assert.match(finished.err, says);
      assert.equal(finished.out, "");
    }
    const json = await place.run(["clik", "--format=json"]);
    assert.equal(failure(json.out).code, "usage");
    assert.equal(json.err, "");
    const before = await place.run(["--format", "json", "clik"]);
    assert.equal(before.out, json.out);
  }));

Deno.test("an option that may be repeated fills a list, and a list longer than its window can be used", () =>
  withPlace(async (place) => {
    const options = ["--session", "simulated", "--app", "sim.list"];
    const both = await place.run(["select", "list", "--item", "Row 1", "--item", "Row 2", ...options]);
    assert.deepEqual(
      [both.code, both.out],
      [0, 'selected in list "Rows" of List (Selection.SelectChild)\n'],
      both.err,
    );
    const wrong = await place.run(["select", "list", "--item", "Row 1", "--item", "Rrow 2", ...options]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /Cannot choose "Rrow 2" in list "Rows"/);
  }));

Deno.test("the simulated desktop needs no display, bus, compiler or native core", () =>
  withPlace(async (place) => {
    place.file(
      "sum.yaml",
      `name: Sum
app: sim.calculator
session: simulated
before: [ { launch: sim.calculator } ]
steps:
  - click: 'button[name="7"]'
  - click: 'button[name="+"]'
  - click: 'button[name="8"]'
  - click: 'button[name="="]'
  - assert: { target: 'label[name="15"]', exists: true }
`,
    );
    const run = await place.run(["run", "sum.yaml", "--format", "json"], BARE);
    assert.equal(run.code, 0, run.out + run.err);
    const result = runResult(run.out);
    assert.deepEqual([result.status, result.desktop.kind], ["passed", "simulated"]);
    for (
      const [args, code, says] of [
        [["tree"], 0, /^- application "Calculator"/],
        [["find", "button", "--all"], 0, /button "7"/],
        [["click", 'button[name="7"]'], 0, /clicked button "7"/],
        [["assert", 'button[name="7"]'], 0, /holds/],
        [["find", "nonesuch"], 1, /nothing in Calculator matches/],
        [["explain", 'button[name="7"]'], 0, /✓/],
        [["selector", 'button[name="7"]'], 0, /1 matched/],
        [["selector", "--at", "5000,5000"], 1, /nothing of Calculator lies at/],
      ] as const
    ) {
      const finished = await place.run([...args, ...SIMULATED], BARE);
      assert.equal(finished.code, code, `${args.join(" ")}: ${finished.out}${finished.err}`);
      assert.match(finished.out, says);
    }
    assert.deepEqual(place.traces(), []);
  }));

const Findings = z.looseObject({
  sessions: z.strictObject({ isolated: z.boolean(), attach: z.boolean(), simulated: z.literal(true) }),
  findings: z.array(z.strictObject({
    name: z.string(),
    ok: z.boolean(),
    needed: z.boolean(),
    says: z.string(),
    fix: z.string().optional(),
  })),
});

Deno.test("check finds a private desktop possible here, as text and as JSON", () =>
  withPlace(async (place) => {
    const text = await place.run(["check"]);
    assert.equal(text.code, 0, text.out);
    assert.match(text.out, /✓ private desktop +started on :\d+ in \d+ ms/);
    assert.match(text.out, /isolated yes/);
    const json = await place.run(["check", "--format", "json"]);
    assert.equal(json.code, 0);
    assert.equal(Findings.parse(oneJson(json.out)).sessions.isolated, true);
    assert.deepEqual(place.traces(), []);
  }));

Deno.test("check on a bare machine ends soon with 1 and names what to install", () =>
  withPlace(async (place) => {
    const env = { PATH: "", BACKSTEP_CORE: "/nonexistent/libbackstep.so", XDG_DATA_DIRS: place.work };
    const text = await place.run(["check"], { env, timeout: 10_000 });
    assert.equal(text.code, 1);
    for (const wanted of ["xvfb", "dbus", "openbox", "gsettings-desktop-schemas"]) {
      assert.match(text.out, new RegExp(`apt-get install .*${wanted}`), text.out);
    }
    assert.match(text.out, /✗ native core/);
    assert.match(text.out, /isolated no · attach no · simulated yes/);
    const json = await place.run(["check", "--format", "json"], { env, timeout: 10_000 });
    assert.equal(json.code, 1);
    assert.ok(Findings.parse(oneJson(json.out)).findings.filter((f) => !f.ok && f.needed).length >= 5);
  }));

Deno.test("check names the watcher that is not beside the core, and what does not work without", () =>
  withPlace(async (place) => {
    const core = join(place.work, "libbackstep.so");
    copyFileSync(defaultLibraryPath(), core);
    const env = { BACKSTEP_CORE: core };
    const alone = await place.run(["check", "--quick"], { env, timeout: 15_000 });
    assert.equal(alone.code, 0, "a private desktop works without");
    assert.match(
      alone.out,
      /– backstep-watcher +\S+ is missing.*keys that a killed session held[^]*Build it: /,
    );
    copyFileSync(
      join(dirname(defaultLibraryPath()), "backstep-watcher"),
      join(place.work, "backstep-watcher"),
    );
    const both = await place.run(["check", "--quick"], { env, timeout: 15_000 });
    assert.match(both.out, /✓ backstep-watcher +\S+/);
  }));

Deno.test("check does not hang on a bus that never answers", () =>
  withPlace(async (place) => {
    // A listener that takes connections and says nothing.
    const socket = join(place.work, "mute");
    using _listener = Deno.listen({ transport: "unix", path: socket });
    const env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}` };
    const finished = await place.run(["check", "--quick"], { env, timeout: 15_000 });
    assert.equal(finished.code, 0, finished.out);
    assert.match(finished.out, /– your desktop/);
  }));

Deno.test("check says which Wayland session it runs in, and whether it can be attached to", () =>
  withPlace(async (place) => {
    const path = join(place.work, "wayland-3");
    const compositor = compositorStandIn(path, GNOME_OFFERS);
    const niri = new NiriStandIn(join(place.work, "niri.sock"), niriState());
    const gnome = { WAYLAND_DISPLAY: "wayland-3", XDG_RUNTIME_DIR: place.work, XDG_CURRENT_DESKTOP: "GNOME" };
    const check = async (env: Readonly<Record<string, string | undefined>>) => {
      const { code, out } = await place.run(["check", "--quick"], { env, timeout: 15_000 });
      assert.equal(code, 0, out);
      return out;
    };
    try {
      await compositor.start();
      await niri.start();
      const refused = await check(gnome);
      assert.match(
        refused,
        /– your Wayland session +Cannot attach .*\(GNOME\) yet: it does not offer zwlr_virtual_pointer/,
      );
      assert.match(
        refused,
        /A private Wayland desktop is possible under every compositor: --session isolated --display wayland/,
      );
      await compositor.stop();
      const other = compositorStandIn(path, SWAY_OFFERS);
      await other.start();
      try {
        const found = await check({ ...gnome, XDG_CURRENT_DESKTOP: "niri", NIRI_SOCKET: niri.path });
        assert.match(
          found,
          /✓ your Wayland session +niri at wayland:\/.*wayland-3: attach .*--display wayland/,
        );
      } finally {
        await other.stop();
      }
      const gone = await check(gnome);
      assert.match(gone, /– your Wayland session +Cannot ask the Wayland compositor at .*wayland-3/);
      assert.match(await check({ XDG_SESSION_TYPE: "wayland" }), /WAYLAND_DISPLAY is not set/);
      assert.doesNotMatch(
        await check({ WAYLAND_DISPLAY: undefined, XDG_SESSION_TYPE: "x11" }),
        /Wayland session/,
      );
    } finally {
      await compositor.stop();
      await niri.stop();
    }
  }));

Deno.test("through npm, paths count from the folder where the command is given", () =>
  withPlace(async (place) => {
    const below = join(ROOT, "tests/cli");
    const through = ["npm", "run", "-s", "backstep", "--"];
    const missing = await place.run(["run", "none.yaml"], { cwd: below, through });
    assert.equal(missing.code, 2);
    assert.match(missing.err, /none\.yaml:\d+:\d+: Cannot read none\.yaml: there is no such file/);
    mkdirSync(join(place.work, "deep"));
    const file = join(place.work, "deep/one.yaml");
    writeFileSync(
      file,
      "name: One\napp: sim.calculator\nsession: simulated\nsteps:\n  - launch: sim.calculator\n",
    );
    const from = await place.run(["--prefix", ROOT, "run", "-s", "backstep", "--", "run", "deep/one.yaml"], {
      through: ["npm"],
    });
    assert.equal(from.code, 0, from.out + from.err);
    assert.match(from.out, /^One {2}deep\/one\.yaml on /);
  }));

async function script(place: Place, shell: string): Promise<string> {
  const finished = await place.run(["completions", shell]);
  assert.equal(finished.code, 0, finished.err);
  const file = join(place.work, place.file(`completions.${shell}`, finished.out));
  if (findProgram(shell, "/usr/bin:/bin") !== undefined) {
    const checked = spawnSync(shell, ["-n", file], { encoding: "utf8" });
    assert.deepEqual([checked.status, checked.stderr], [0, ""], shell);
  }
  return file;
}

Deno.test("bash completes commands, verbs, options and their values", () =>
  withPlace(async (place) => {
    const file = await script(place, "bash");
    const complete = (...words: string[]) => {
      const quoted = ["backstep", ...words].map((w) => `'${w}'`).join(" ");
      const line =
        `source ${file}; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _backstep; echo "\${COMPREPLY[*]}"`;
      const shell = spawnSync("bash", ["--norc", "-c", line], { encoding: "utf8" });
      assert.equal(shell.stderr, "");
      return shell.stdout.trim().split(" ").filter((w) => w !== "");
    };
    assert.deepEqual(complete("cl"), ["click", "click-at", "clipboard"]);
    assert.deepEqual(complete("session", "st"), ["start", "stop"]);
    assert.deepEqual(complete("run", "--k"), ["--keep"]);
    assert.deepEqual(complete("run", "x.yaml", "--session", "s"), ["simulated"]);
    assert.deepEqual(complete("apps", "--format", ""), ["text", "json", "quiet"]);
    assert.deepEqual(complete("run", "--vars-file", ""), [], "files are bash's own business");
    assert.deepEqual(complete("help", "wait-"), ["wait-idle"]);
  }));

Deno.test("the scripts for zsh and fish know every command", () =>
  withPlace(async (place) => {
    for (const shell of ["zsh", "fish"]) {
      const text = await Deno.readTextFile(await script(place, shell));
      for (const name of ["run", "click", "wait-idle", "session", "check"]) {
        assert.ok(text.includes(name), shell);
      }
      // Quotes of a shell come in pairs, once the escaped ones are away.
      assert.equal(text.replaceAll(`'\\''`, "").split("'").length % 2, 1, `${shell}: quotes are closed`);
    }
  }));

Deno.test("--keep is for a new private desktop: with another session it is a mistake, told before anything runs", () =>
  withPlace(async (place) => {
    place.file(
      "w.yaml",
      "name: W\napp: sim.calculator\nsession: simulated\nsteps: [ { launch: sim.calculator } ]\n",
    );
    const finished = await place.run(["run", "w.yaml", "--keep", "--format", "json"]);
    assert.equal(finished.code, 2);
    assert.match(
      failure(finished.out).message,
      /^Cannot run backstep run: --keep is for a new private desktop/,
    );
  }));

Deno.test("--mode background refuses what takes the focus, for one command and for a whole file", () =>
  withPlace(async (place) => {
    const simulated = ["--session", "simulated", "--format", "json"];
    const press = ["press", "Tab", "--app", "sim.settings", ...simulated];
    const refused = await place.run([...press, "--mode", "background"]);
    assert.deepEqual([refused.code, failure(refused.out).code], [1, "needs_focus"]);
    assert.match(refused.out, /mode: focus/);
    assert.equal((await place.run(press)).code, 0);
    place.file(
      "w.yaml",
      "name: W\napp: sim.settings\nsession: simulated\nmode: background\n" +
        "before: [ { launch: sim.settings } ]\nsteps: [ { press: Tab, irreversible: true } ]\n",
    );
    const run = await place.run(["run", "w.yaml", "--format", "json"]);
    assert.equal(run.code, 1);
    assert.match(run.out, /"needs_focus"/);
    assert.equal((await place.run(["run", "w.yaml", "--mode", "focus"])).code, 0);
    const misspelt = await place.run(["apps", "--mode", "focused"]);
    assert.match(misspelt.err, /--mode is background, focus; not "focused"/);
  }));

Deno.test("--root that is no folder is a mistake, told before anything runs", () =>
  withPlace(async (place) => {
    place.file("w.yaml", "name: W\nsession: simulated\nsteps: [ { launch: sim.calculator } ]\n");
    const finished = await place.run(["run", "w.yaml", "--root", "nowhere", "--format", "json"]);
    assert.equal(finished.code, 2);
    assert.match(failure(finished.out).message, /^Cannot run backstep run: --root names no folder: nowhere$/);
  }));
