/**
 * What `deno task npm --verify` tries beyond building: the types, every runtime on real applications, the protocol's
 * conformance, every way to get the package, an older Debian, the core for another processor and with another C library, and
 * the unit tests. Each check prints a line; all are run.
 *
 * @module
 */
import { join } from "node:path";
import process from "node:process";
import { emulated } from "./emulated.ts";
import { consume, judged } from "./consume.ts";
import { olderDebian } from "./older.ts";
import { onMusl } from "./musl.ts";
import { DIST, ROOT, type Runtime, RUNTIMES } from "./place.ts";
import { must } from "./run.ts";
import { UNDER_TEST } from "../../tests/_under-test.ts";
import { commandOf, conform, overStdio, rollBack, startOf } from "./try.ts";
import { ways } from "./ways.ts";

const ROLLBACKS = [
  "workflows/form-rollback.yaml",
  "workflows/gtk4-form-rollback.yaml",
  "workflows/browser-form-rollback.yaml",
];
/** The one that is also run on Wayland, whose library the core loads at run time. */
const ON_WAYLAND = "workflows/form-rollback.yaml";

const NODES = RUNTIMES.filter(({ name }) => name !== "bun");

/** A server on another runtime may take this much of the time that one on Deno takes until it answers. */
const SLOWER = 1.5;
/** Starts of each; the median counts. */
const STARTS = 15;

/** What is verified, by the names that `--only` takes, in this order. */
const PARTS: Readonly<Record<string, (project: string, tarball: string) => readonly Check[]>> = {
  types: (project) => [() => consume(project)],
  publish: (_, tarball) => [() => judged(tarball)],
  rollbacks: (project) =>
    RUNTIMES.flatMap((runtime) => [
      ...ROLLBACKS.map((file) => () => rollBack(runtime, project, file)),
      () => rollBack(runtime, project, ON_WAYLAND, ["--display", "wayland"]),
    ]),
  stdio: (project) => [
    ...RUNTIMES.map((runtime) => () => stdio(runtime, project)),
    ...NODES.map((runtime) => () => ownTests(runtime, project)),
  ],
  conformance: (project) => NODES.map((runtime) => () => conform(runtime, project)),
  start: (project) => [() => starts(project)],
  ways: (_, tarball) => ways(tarball),
  debian11: (project) => [() => olderDebian(project)],
  arm64: (_, tarball) => [() => emulated(tarball)],
  musl: (project) => [() => onMusl(project)],
  unit: (project) => [() => unitTests(project)],
};

type Check = () => Promise<string>;

/** The parts that are named, by commas; every part where none is. Throws for a name that is none. */
export function partsOf(only: string | undefined): string[] {
  const all = Object.keys(PARTS), wanted = only?.split(",") ?? all;
  const unknown = wanted.filter((name) => !all.includes(name));
  if (unknown.length > 0) {
    throw new Error(`Cannot verify ${unknown.join(", ")}: the parts are ${all.join(", ")}`);
  }
  return all.filter((name) => wanted.includes(name));
}

/** Runs the checks of these parts, prints a line for each, and answers whether none failed. */
export async function verify(
  tarball: string,
  parts: readonly string[] = partsOf(undefined),
): Promise<boolean> {
  const project = join(DIST, "installed");
  const checks = parts.flatMap((name) => PARTS[name]?.(project, tarball) ?? []);
  let failed = 0, unverified = 0;
  for (const check of checks) {
    const began = performance.now();
    let mark: string, said: string;
    try {
      said = await check();
      mark = said.startsWith("unverified") ? "–" : "✓";
      if (mark === "–") unverified++;
    } catch (thrown) {
      failed++;
      [mark, said] = ["✗", thrown instanceof Error ? thrown.message : String(thrown)];
    }
    console.log(`${mark} ${said} [${((performance.now() - began) / 1_000).toFixed(1)} s]`);
  }
  const left = Object.keys(PARTS).filter((name) => !parts.includes(name));
  console.log(
    `npm: ${checks.length - failed - unverified} verified, ${failed} failed, ${unverified} unverified${
      left.length === 0 ? "" : `; not run: ${left.join(", ")}`
    }`,
  );
  return failed === 0;
}

async function stdio({ name, program }: Runtime, project: string): Promise<string> {
  return `${name} MCP over stdio: ${await overStdio({ command: program, args: [commandOf(project)] })}`;
}

/** The project's own tests of the protocol over stdio, against the package's server. */
async function ownTests({ name, program }: Runtime, project: string): Promise<string> {
  const said = await must(process.execPath, ["test", "-A", "--quiet", "tests/mcp_stdio_test.ts"], {
    cwd: ROOT,
    env: { [UNDER_TEST]: JSON.stringify([program, commandOf(project)]) },
    timeout: 600_000,
  });
  return `${name} the project's tests of MCP over stdio: ${said.trim().split("\n").at(-1)}`;
}

/** Deno and each runtime start their servers by turns: what else the machine does falls on all of them. */
async function starts(project: string): Promise<string> {
  const deno = ["run", "--quiet", "--cached-only", "-P=mcp", join(ROOT, "bin.ts")];
  const servers = [
    { name: "Deno", command: process.execPath, args: deno },
    ...RUNTIMES.map(({ name, program }) => ({ name, command: program, args: [commandOf(project)] })),
  ].map((server) => ({ ...server, took: new Array<number>() }));
  // The first one keeps what it compiled.
  for (const server of servers) await startOf(server);
  for (let turn = 0; turn < STARTS; turn++) {
    for (const server of servers) server.took.push(await startOf(server));
  }
  const median = (took: number[]) => took.sort((one, other) => one - other)[STARTS >> 1] ?? NaN;
  const [base, ...others] = servers.map(({ name, took }) => ({ name, median: median(took) }));
  if (base === undefined) throw new Error("nothing was started");
  const words = others.map(({ name, median }) =>
    `${name} ${Math.round(median)} ms, ${(median / base.median).toFixed(2)}x`
  );
  const line = `mcp serve answers after ${Math.round(base.median)} ms on Deno; ${words.join("; ")}`;
  if (others.some(({ median }) => !(median <= SLOWER * base.median))) {
    throw new Error(`${line}; at most ${SLOWER}x`);
  }
  return line;
}

/** The project's own unit tests on Node 22 and 24, on the very files of the package. */
async function unitTests(project: string): Promise<string> {
  const script = join(ROOT, "scripts/npm/node-tests.ts"), like = join(project, "node_modules/backstep");
  const said = await must(process.execPath, ["run", "-A", script, "--like", like], {
    cwd: ROOT,
    timeout: 3_600_000,
  });
  return `unit tests: ${
    said.trim().split("\n").filter((line) => /^(?:node |the same )/.test(line)).join("; ")
  }`;
}
