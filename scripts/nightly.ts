/**
 * What takes too long for every change, or needs packages that not every machine has: `deno task nightly
 * [--only NAME,…] [--seed S] [--list]`. The jobs run one after another; each prints as it goes. Then a line for each, with
 * the last line that it printed, and a count: `nightly: 11 passed, 0 failed, 2 skipped, 141 min`. A job that needs something
 * which is missing is skipped and counted, and never passes. Exits 1 where a job failed.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { optionsOf } from "./options.ts";

/** Something that is run by itself. */
interface Job {
  readonly name: string;
  /** What it does, for `--list`. */
  readonly about: string;
  /** The program and its arguments; `deno` is this one. `seed` is the first one of what is random. */
  readonly command: (seed: number) => readonly [program: string, ...args: string[]];
  /** Files that must be there. */
  readonly needs?: readonly string[];
  /** Minutes after which it is ended. */
  readonly minutes: number;
}

const script = (name: string, ...args: string[]): readonly [string, ...string[]] => [
  "deno",
  "run",
  "-A",
  `scripts/${name}.ts`,
  ...args,
];
const tests = (...names: readonly string[]): readonly [string, ...string[]] => [
  "deno",
  "test",
  "-A",
  ...names.map((name) => `tests/${name}_test.ts`),
];
const VALGRIND = "/usr/bin/valgrind", CLANG = "/usr/bin/clang", SWAY = "/usr/bin/sway";

const JOBS: readonly Job[] = [
  {
    name: "asan",
    about: "the native core's suites under ASan and UBSan",
    command: () => ["make", "-C", "native", "asan"],
    minutes: 20,
  },
  {
    name: "fleet-chaos",
    about: "10,000 jobs of a fleet under 240 faults, judged by the world's own log",
    command: (seed) =>
      script("fleet-chaos", "--jobs", "10000", "--kills", "240", "--seed", `${seed}`, "--limit", "5400"),
    needs: ["/usr/lib/postgresql"],
    minutes: 100,
  },
  {
    name: "fleet-chaos-gtk3",
    about: "200 jobs of a fleet on GTK 3 desktops under 15 faults",
    command: (seed) =>
      script(
        "fleet-chaos",
        ...["--jobs", "200", "--kills", "15", "--on", "gtk3", "--workers", "2", "--desktops", "1"],
        ...["--seed", `${seed}`, "--limit", "1200"],
      ),
    needs: ["/usr/lib/postgresql"],
    minutes: 25,
  },
  {
    name: "valgrind",
    about: "the native core's suites under valgrind",
    command: () => ["make", "-C", "native", "valgrind"],
    needs: [VALGRIND],
    minutes: 40,
  },
  {
    name: "fuzz",
    about: "the decoders of the native core under libFuzzer, half a minute each",
    command: () => ["make", "-C", "native", "fuzz"],
    needs: [CLANG],
    minutes: 20,
  },
  {
    name: "macos",
    about:
      "the macOS core: both architectures linked, its suite as machine code and under ASan, deliberate faults",
    command: () => ["make", "-C", "native", "macos", "macos-macho", "macos-asan", "macos-mutants"],
    minutes: 20,
  },
  {
    name: "histories-macos",
    about: "50 random workflows over the macOS core and on the simulated desktop, which must agree",
    command: (
      seed,
    ) => [
      "sh",
      "-c",
      `make -C native macos build/macos/libstandin.so && exec ${process.execPath} run -A scripts/histories.ts --on macos --seed ${seed}`,
    ],
    minutes: 10,
  },
  {
    name: "histories",
    about: "10,000 random workflows on the simulated desktop",
    command: (seed) => script("histories", "--count", "10000", "--seed", `${seed}`),
    minutes: 10,
  },
  {
    name: "histories-mutants",
    about: "bugs in the engine, each of which the histories must notice",
    command: (seed) => script("histories", "--mutants", "--count", "8000", "--seed", `${seed}`),
    minutes: 10,
  },
  {
    name: "fleet-items",
    about: "1,000 work items of a fleet, a tenth rejected, a twentieth failing at random",
    command: (seed) => script("fleet-items", "--items", "1000", "--seed", `${seed}`),
    needs: ["/usr/lib/postgresql"],
    minutes: 20,
  },
  {
    name: "fleet-items-gtk3",
    about: "100 work items on GTK 3, judged by the application's own account",
    command: (seed) => script("fleet-items", "--items", "100", "--on", "gtk3", "--seed", `${seed}`),
    needs: ["/usr/lib/postgresql"],
    minutes: 20,
  },
  ...(["gtk3", "gtk4", "qt", "quick", "chromium", "webkit"] as const).map((toolkit): Job => ({
    name: `histories-${toolkit}`,
    about: `50 random workflows on ${toolkit} and on the simulated desktop, which must agree`,
    command: (seed) => script("histories", "--on", toolkit, "--seed", `${seed}`),
    minutes: 20,
  })),
  ...(["gtk3", "gtk4", "qt", "quick", "chromium", "webkit"] as const).map((toolkit): Job => ({
    name: `histories-wayland-${toolkit}`,
    about: `50 random workflows on ${toolkit} on Wayland, which must agree with the simulated desktop`,
    command: (seed) =>
      script("histories", "--on", toolkit, "--display", "wayland", "--count", "50", "--seed", `${seed}`),
    needs: [SWAY],
    minutes: 20,
  })),
  ...(["gtk3", "chromium"] as const).map((toolkit): Job => ({
    name: `edits-${toolkit}`,
    about: `50 random edits of a file while dev runs it on ${toolkit}, judged by the application's account`,
    command: (seed) => script("edits", "--on", toolkit, "--seed", `${seed}`),
    minutes: 20,
  })),
  ...(["gtk3", "gtk4", "qt", "chromium"] as const).map((toolkit): Job => ({
    name: `travel-${toolkit}`,
    about: `30 random jumps between steps, and forks, on ${toolkit}, judged by the application's account`,
    command: (seed) => script("travel", "--on", toolkit, "--seed", `${seed}`),
    minutes: 20,
  })),
  {
    name: "wayland",
    about: "24 buttons and typed texts on six toolkits on Wayland, at scale 1 and 2 and on a second output",
    command: () => script("wayland"),
    needs: [SWAY, "/usr/bin/Xwayland", "/usr/bin/chromium"],
    minutes: 20,
  },
  {
    name: "wayland-forms",
    about: "the forms of workflows/ and their rollbacks on Wayland, which must end as on X11",
    command: () => tests("wayland_workflows"),
    needs: [SWAY, "/usr/bin/chromium", "/usr/bin/qt6ct"],
    minutes: 20,
  },
  {
    name: "attack",
    about: "1,000 random nasty applications on five toolkits",
    command: (seed) => script("attack", "--count", "1000", "--seed", `${seed}`),
    minutes: 90,
  },
  {
    name: "attack-mutants",
    about: "bugs in the engine, each of which the nasty applications must show",
    command: () => script("attack", "--mutants"),
    minutes: 60,
  },
  ...(["gtk3", "gtk4", "qt", "chromium"] as const).map((toolkit): Job => ({
    name: `matrix-${toolkit}`,
    about: `every way to a control that destroys, in every mode, on ${toolkit}`,
    command: () => script("matrix", "--on", toolkit),
    minutes: 60,
  })),
  {
    name: "crash-matrix",
    about: "a run that is killed at each journal write, platform call and artefact, then recovered",
    command: () => script("crash-matrix"),
    minutes: 90,
  },
  {
    name: "restless",
    about:
      "programs in whose windows things come and go are read and clicked: none may end, and each click counts once",
    command: () => script("restless"),
    minutes: 20,
  },
  {
    name: "untuned",
    about: "workflows and their twins on the applications of tests/untuned that are installed",
    command: () => script("untuned"),
    minutes: 60,
  },
  {
    name: "firefox",
    about: "a form and the claims of Firefox, its places at scale 2",
    command: () => tests("acts_firefox", "firefox_form", "firefox_roles", "firefox_untuned", "places"),
    needs: ["/usr/bin/firefox-esr"],
    minutes: 20,
  },
  {
    name: "swing",
    about: "a form and the claims of Java Swing",
    command: () => tests("acts_swing", "swing"),
    needs: ["/usr/share/java/java-atk-wrapper.jar", "/usr/bin/javac"],
    minutes: 20,
  },
  {
    name: "dialogs",
    about: "twenty dialogs each of Mousepad, Geany, Thunar and Evince, opened and closed by clicks",
    command: () => tests("dialogs_applications"),
    needs: ["/usr/bin/geany", "/usr/bin/thunar", "/usr/bin/evince"],
    minutes: 20,
  },
  {
    name: "npm",
    about: "the npm package on Node 22, Node 24 and Bun, with each way to get it",
    command: () => ["deno", "run", "-A", "npm-build.ts", "--verify"],
    minutes: 60,
  },
  {
    name: "conformance",
    about: "the conformance suites of the Model Context Protocol",
    command: () => script("conformance"),
    minutes: 10,
  },
  {
    name: "soak",
    about: "200 sessions over HTTP that are dropped, 10,000 calls at once",
    command: () => script("soak"),
    minutes: 10,
  },
  {
    name: "cycles",
    about: "300 lives of a session among GTK 3 applications that die",
    command: () => ["deno", "run", "-A", "tests/cycles.ts", "300"],
    minutes: 60,
  },
  {
    name: "doc-examples",
    about: "the examples in the documentation of the code",
    command: () => ["deno", "test", "-A", "--quiet", "--doc", "--ignore=tests,**/*_test.ts", "src", "mod.ts"],
    minutes: 20,
  },
  ...["core", "engine", "visual", "audit", "runner", "intelligence", "mcp", "tokens", "step", "ffi"].map((
    bench,
  ): Job => ({
    name: `bench-${bench}`,
    about: `deno task bench ${bench}`,
    command: () => script("bench", bench),
    minutes: 20,
  })),
  {
    name: "bench-wayland",
    about: "deno task bench wayland",
    command: () => script("bench", "wayland"),
    needs: [SWAY],
    minutes: 20,
  },
];

/** What came of a job. */
interface Finished {
  readonly job: Job;
  readonly came: "passed" | "failed" | "skipped";
  /** The last line that it printed, or why it was skipped. */
  readonly last: string;
  readonly seconds: number;
}

const ROOT = new URL("..", import.meta.url);

/** After this much longer it is ended at once. */
const GRACE = 30_000;

function run(job: Job, seed: number): Promise<Finished> {
  const [program, ...args] = job.command(seed);
  const began = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program === "deno" ? process.execPath : program, args, {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1" },
    });
    let last = "", late = false, killing: ReturnType<typeof setTimeout> | undefined;
    const ending = setTimeout(() => {
      late = true;
      child.kill("SIGTERM");
      killing = setTimeout(() => child.kill("SIGKILL"), GRACE);
    }, job.minutes * 60_000);
    const tell = (chunk: Uint8Array, to: NodeJS.WriteStream) => {
      to.write(chunk);
      last = new TextDecoder().decode(chunk).split("\n").filter((line) => line.trim() !== "").at(-1) ?? last;
    };
    const interrupt = () => child.kill("SIGINT");
    process.once("SIGINT", interrupt);
    child.stdout.on("data", (chunk) => tell(chunk, process.stdout));
    child.stderr.on("data", (chunk) => tell(chunk, process.stderr));
    const end = (came: Finished["came"], why = last) => {
      clearTimeout(ending);
      clearTimeout(killing);
      process.off("SIGINT", interrupt);
      resolve({ job, came, last: why, seconds: (performance.now() - began) / 1_000 });
    };
    child.on("error", (fault) => end("failed", fault.message));
    child.on("close", (code) => {
      if (late) end("failed", `ended after ${job.minutes} minutes: ${last}`);
      else end(code === 0 ? "passed" : "failed");
    });
  });
}

const USAGE = `deno task nightly [--only NAME,…] [--seed S] [--list]

  --only   jobs by their names, or by what several begin with: histories, matrix, bench
  --seed   the first one of what is random, a whole number; default by the clock
  --list   all jobs, and what each does`;

const { values } = optionsOf(USAGE, {
  options: {
    only: { type: "string", multiple: true, default: [] },
    seed: { type: "string" },
    list: { type: "boolean", default: false },
  },
});

/** The jobs that are asked for: by a name, or by what several begin with (`bench`, `matrix`). */
function chosen(only: readonly string[]): readonly Job[] {
  const names = only.flatMap((names) => names.split(","));
  for (const name of names) {
    if (JOBS.some((job) => isMeant(job, name))) continue;
    console.error(`There is no nightly job "${name}": there are ${JOBS.map((job) => job.name).join(", ")}`);
    process.exit(2);
  }
  return names.length === 0 ? JOBS : JOBS.filter((job) => names.some((name) => isMeant(job, name)));
}

function isMeant(job: Job, name: string): boolean {
  const isOne = JOBS.some((other) => other.name === name);
  return isOne ? job.name === name : job.name.startsWith(`${name}-`);
}

const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!Number.isSafeInteger(seed) || seed < 0) {
  console.error(`--seed is a whole number, not ${values.seed}`);
  process.exit(2);
}
const jobs = chosen(values.only);
if (values.list) {
  for (const { name, about } of jobs) console.log(`${name.padEnd(28)}${about}`);
} else {
  const finished: Finished[] = [];
  for (const job of jobs) {
    const missing = (job.needs ?? []).filter((path) => !existsSync(path));
    console.log(`\n== ${job.name}: ${job.about}`);
    finished.push(
      missing.length > 0
        ? { job, came: "skipped", last: `missing: ${missing.join(", ")}`, seconds: 0 }
        : await run(job, seed),
    );
  }
  console.log(`\nnightly, seed ${seed}`);
  for (const { job, came, last, seconds } of finished) {
    console.log(`${came.padEnd(8)}${job.name.padEnd(28)}${`${Math.round(seconds)} s`.padStart(7)}  ${last}`);
  }
  const count = (wanted: Finished["came"]) => finished.filter(({ came }) => came === wanted).length;
  const minutes = Math.round(finished.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
  console.log(
    `nightly: ${count("passed")} passed, ${count("failed")} failed, ${
      count("skipped")
    } skipped, ${minutes} min`,
  );
  process.exitCode = count("failed") === 0 ? 0 : 1;
}
