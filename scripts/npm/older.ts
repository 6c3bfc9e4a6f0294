/**
 * The package on an older Debian: 11, with glibc 2.31 and nothing but its base system, in a folder of its own. What `check` asks for
 * is installed there as it says, until the core is loaded.
 *
 * @module
 */
import { cpSync, existsSync, globSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { DIST, RUNTIMES } from "./place.ts";
import { must, type Ran, run } from "./run.ts";

const RELEASE = "bullseye";
/** Milliseconds for fetching and unpacking the base system. */
const LONGEST = 600_000;
const DEBOOTSTRAP = "/usr/sbin/debootstrap";
/** The base system as it came, which each run copies. */
const BASE = "base";
const ENVIRONMENT = [
  "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  "HOME=/root",
  "DEBIAN_FRONTEND=noninteractive",
];

const Checked = z.object({
  findings: z.array(
    z.object({ name: z.string(), ok: z.boolean(), says: z.string(), fix: z.string().optional() }),
  ),
});

/** Where the package is in the older system. */
const COMMAND = "/srv/project/node_modules/backstep/bin.js";

/** Runs a program in the older system, with nothing of this machine's environment. */
type Inside = (program: string, ...args: string[]) => Promise<Ran>;

/**
 * Has `check` name each missing library with its package, and the demonstration run before and after. Resolves to "unverified" and
 * the reason where no such system can be made here; rejects where the package does not do as it must.
 */
export async function olderDebian(project: string): Promise<string> {
  const folder = join(DIST, RELEASE), root = join(folder, "root");
  const why = await makeBase(folder);
  if (why !== undefined) return `unverified: Debian 11, since ${why}`;
  rmSync(root, { recursive: true, force: true });
  await must("cp", ["--archive", "--reflink=auto", join(folder, BASE), root], { cwd: folder });
  const [node] = RUNTIMES;
  if (node === undefined) throw new Error("there is no Node");
  cpSync(node.program, join(root, "usr/local/bin/node"));
  cpSync(project, join(root, "srv/project"), { recursive: true, verbatimSymlinks: true });
  const inside: Inside = (program, ...args) =>
    run("chroot", [root, "/usr/bin/env", "--ignore-environment", ...ENVIRONMENT, program, ...args], {
      cwd: folder,
    });
  await demo(inside);
  const installed = await untilLoaded(inside);
  if (globSync("usr/lib/**/libwayland-client.so*", { cwd: root }).length > 0) {
    throw new Error("Wayland's library came along: that the core is loaded without it is not shown");
  }
  await demo(inside);
  return `Debian 11: check names ${
    installed.join(", ")
  }; then the core is loaded, without Wayland's library; demo`;
}

/** Makes the base system, which is kept; resolves to why it cannot be made where that is so. */
async function makeBase(folder: string): Promise<string | undefined> {
  const base = join(folder, BASE), part = `${base}.part`;
  if (process.getuid?.() !== 0) return "only root can make and enter one";
  if (existsSync(base)) return undefined;
  if (!existsSync(DEBOOTSTRAP)) return "there is no debootstrap (apt-get install debootstrap)";
  rmSync(part, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const made = await run(DEBOOTSTRAP, ["--variant=minbase", RELEASE, part], {
    cwd: folder,
    timeout: LONGEST,
  });
  const end = `${made.stdout}${made.stderr}`.trim().split("\n").at(-1) ?? "";
  if (made.code !== 0) return `debootstrap ended with ${made.code}: ${end}`;
  await must("chroot", [part, "apt-get", "update", "-q"], { cwd: folder });
  renameSync(part, base);
  return undefined;
}

/** Installs what `check` asks for, one after the other, until it finds the core. Returns the packages. */
async function untilLoaded(inside: Inside): Promise<string[]> {
  const packages: string[] = [];
  for (;;) {
    const { stdout, stderr } = await inside("node", COMMAND, "check", "--quick", "--format", "json");
    const core = Checked.parse(JSON.parse(stdout)).findings.find(({ name }) => name === "native core");
    if (core === undefined) throw new Error(`check says nothing of the core:\n${stdout}${stderr}`);
    if (core.ok && packages.length > 0) return packages;
    const missing = / the library (lib\S+) is missing$/.exec(core.says)?.[1];
    const named = /^sudo apt-get install (\S+) /.exec(core.fix ?? "")?.[1];
    if (missing === undefined || named === undefined || packages.includes(named)) {
      throw new Error(`Debian 11 with ${packages.join(", ") || "its base alone"}: ${core.says}: ${core.fix}`);
    }
    const { code, stderr: why } = await inside(
      "apt-get",
      "install",
      "-y",
      "-q",
      "--no-install-recommends",
      named,
    );
    if (code !== 0) {
      throw new Error(`${named}, which check names for ${missing}, cannot be installed:\n${why}`);
    }
    packages.push(named);
  }
}

async function demo(inside: Inside): Promise<void> {
  const { code, stdout, stderr } = await inside("node", COMMAND, "demo", "--session", "simulated");
  if (code !== 0) throw new Error(`the demonstration on Debian 11 ended with ${code}:\n${stdout}${stderr}`);
}
