import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { build, type Built, MOST_INSTALLED, REFERENCE } from "../scripts/npm/build.ts";
import { consume, judged } from "../scripts/npm/consume.ts";
import { RUNTIMES } from "../scripts/npm/place.ts";
import { must, run } from "../scripts/npm/run.ts";
import { runtimesMissing } from "../scripts/npm/runtimes.ts";
import { commandOf, conform, overStdio, rollBack } from "../scripts/npm/try.ts";
import { SUITES } from "../scripts/conformance.ts";

if (runtimesMissing !== undefined) console.log(`The npm package is not tested: ${runtimesMissing}`);

const Checked = z.object({
  sessions: z.record(z.string(), z.boolean()),
  findings: z.array(
    z.object({ name: z.string(), ok: z.boolean(), says: z.string(), fix: z.string().optional() }),
  ),
});

Deno.test({
  name: "the npm package is installed without scripts, and works on Node",
  ignore: runtimesMissing !== undefined,
  async fn(t) {
    const built = await build();
    const [node] = RUNTIMES;
    assert.ok(node);
    const { project } = built;
    await t.step("it is small, and has the core of this machine", () => {
      assert.ok(built.installed.bytes <= MOST_INSTALLED);
      assert.ok(built.cores.some((core) => core.platform === "linux-x64" && "folder" in core));
    });
    await t.step("the reference of the library is what its declarations say", () => {
      assert.equal(readFileSync(REFERENCE, "utf8"), built.reference, "run `deno task npm`");
    });
    // Each of these rejects where it is not so.
    const step = (name: string, action: () => Promise<string>) =>
      t.step(name, async () => {
        console.log(await action());
      });
    const stdio = { command: node.program, args: [commandOf(project)] };
    await step(
      "a form of GTK 3 is rolled back and read back, by the core that it brings",
      () => rollBack(node, project, "workflows/form-rollback.yaml"),
    );
    await t.step("the program of docs/how-to/library.md drives a real application", () => drives(built));
    await step("its server speaks the protocol over stdio", () => overStdio(stdio));
    await step("its server passes the protocol's suite", () => conform(node, project, SUITES.slice(0, 1)));
    await step("each export has its types", () => consume(project));
    await step("arethetypeswrong and publint find nothing", () => judged(built.tarball.path));
    await t.step("what is not installed is asked for by its name and version", () => asksForPeers(built));
    await t.step("a machine without a library of X11, or with an old glibc, is told so", () => lacks(built));
    await t.step("the core is built from the sources that it brings", () => builds(built));
    await t.step("a system without a core, or without koffi's, is told so", () => elsewhere(built));
  },
});

/** The page's own program, as it is and with a button that the application does not have. */
async function drives({ project }: Built): Promise<void> {
  const [node] = RUNTIMES;
  assert.ok(node);
  const page = readFileSync(new URL("../docs/how-to/library.md", import.meta.url), "utf8");
  const [, program = ""] = /```ts\n(.*?)```/s.exec(page) ?? [];
  const said = async (text: string) => {
    writeFileSync(join(project, "fill.ts"), text);
    return await must(node.program, ["fill.ts"], { cwd: project });
  };
  assert.equal(await said(program), "passed none\n");
  const wrong = program.replace('toHaveValue("75")', 'toHaveValue("76")');
  assert.notEqual(wrong, program);
  assert.equal(await said(wrong), "failed restored\n");
}

/** A picture is to be read, and the package that reads it is an optional one. */
async function asksForPeers({ project }: Built): Promise<void> {
  const [node] = RUNTIMES;
  assert.ok(node);
  const program = `
    const { ocrBackend } = await import(${
    JSON.stringify(join(project, "node_modules/backstep/src/vision/ocr-backend.js"))
  });
    const frame = { width: 1, height: 1, rgba: new Uint8Array(4) };
    try { await ocrBackend(() => new Uint8Array()).locate(frame, "Save"); } catch (error) { console.log(error.hint); }`;
  const { stdout } = await run(node.program, ["--input-type=module", "--eval", program], { cwd: project });
  assert.match(
    stdout,
    /^Install it beside backstep: npm install tesseract\.js@[\d.]+ @tesseract\.js-data\/eng@[\d.]+$/m,
  );
}

/** What `check` finds wrong with the core; the demonstration says the same, and runs on the simulated desktop. */
async function findingOf(project: string, options: readonly string[], env: Record<string, string>) {
  const [node] = RUNTIMES;
  assert.ok(node);
  const backstep = (...args: string[]) =>
    run(node.program, [...options, commandOf(project), ...args], { cwd: project, env });
  const { sessions, findings } = Checked.parse(
    JSON.parse((await backstep("check", "--quick", "--format", "json")).stdout),
  );
  assert.deepEqual(sessions, { isolated: false, simulated: true, attach: false });
  const demo = await backstep("demo");
  assert.equal(demo.code, 0, demo.stderr);
  const found = findings.find(({ name }) => name === "native core");
  assert.ok(found !== undefined && !found.ok);
  assert.ok(demo.stdout.startsWith(`${found.says}.\n`), demo.stdout.slice(0, 300));
  return found;
}

/** The core with another name, or another version, where it says what it needs: the system's loader finds neither. */
async function lacks({ project }: Built): Promise<void> {
  const real = readFileSync(
    join(project, "node_modules/backstep/native/prebuilt/linux-x64/libbackstep.so"),
    "latin1",
  );
  const folder = mkdtempSync(join(tmpdir(), "backstep-lacks-"));
  try {
    const checkWith = (core: string) => {
      assert.notEqual(core, real);
      const path = join(folder, "libbackstep.so");
      writeFileSync(path, core, "latin1");
      return findingOf(project, [], { BACKSTEP_CORE: path, BACKSTEP_STATE: join(folder, "state") });
    };
    const library = await checkWith(real.replace("libxcb-xtest.so.0", "libxcb-xtesx.so.0"));
    assert.match(library.says, /: the library libxcb-xtesx\.so\.0 is missing$/);
    assert.match(library.fix ?? "", /^sudo apt-get install libxcb-xtesx0 /);
    const old = await checkWith(real.replace("GLIBC_2.27", "GLIBC_9.27"));
    assert.match(old.says, /: the prebuilt core needs glibc 9\.27, and this system has \d+\.\d+$/);
    assert.match(old.fix ?? "", /^Build it: make -C .*\/node_modules\/backstep\/native \(with gcc/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** By the command that is named where no core fits: what it builds comes before what was prebuilt. */
async function builds({ project }: Built): Promise<void> {
  const [node] = RUNTIMES;
  assert.ok(node);
  const sources = join(project, "node_modules/backstep/native");
  try {
    await must("make", ["-s", "-j2", "-C", sources], { cwd: project });
    const said = await must(node.program, [commandOf(project), "check", "--quick", "--format", "json"], {
      cwd: project,
    });
    const core = Checked.parse(JSON.parse(said)).findings.find(({ name }) => name === "native core");
    assert.match(core?.says ?? "", /native\/build\/libbackstep\.so, version \d+$/);
  } finally {
    rmSync(join(sources, "build"), { recursive: true, force: true });
  }
}

/** A Mac, for which the runtime takes itself; and Linux where koffi's build was left out of the install. */
async function elsewhere({ project }: Built): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "backstep-elsewhere-"));
  const first = join(folder, "first.cjs"), env = { BACKSTEP_STATE: join(folder, "state") };
  const builds = join(project, "node_modules/@koromix"), away = join(project, "node_modules/.koromix");
  try {
    writeFileSync(
      first,
      'Object.defineProperties(process, { platform: { value: "darwin" }, arch: { value: "arm64" } });',
    );
    const mac = await findingOf(project, ["--require", first], env);
    // Koffi's build for a Mac is not here, and what it would load is no library of Linux.
    assert.match(mac.says, /^Cannot load the native core.*darwin/);
    assert.match(mac.fix ?? "", /npm install --include=optional|make -C \S+ macos/);
    renameSync(builds, away);
    const without = await findingOf(project, [], env);
    assert.match(without.says, /: koffi, which calls it, has nothing for linux-x64 here: /);
    assert.match(without.fix ?? "", /npm install --include=optional/);
  } finally {
    if (existsSync(away)) renameSync(away, builds);
    rmSync(folder, { recursive: true, force: true });
  }
}
