/**
 * The native core that the npm package carries: for linux-x64 and linux-arm64, stripped, and with no symbol of glibc that is
 * newer than the one Node 22 itself needs. What this machine has no compiler for is reported, not made up.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The newest version of glibc that a prebuilt core may ask for: Node 22's own binaries need it. */
export const OLDEST_GLIBC = "2.28";

/** The libraries that the core asks for besides glibc, and pkg-config's names of them. */
const XCB = ["xcb", "xcb-xtest", "xcb-shm", "xcb-damage", "xcb-xfixes", "xcb-composite"];

/** What a core of Linux consists of. */
const LINUX = ["libbackstep.so", "backstep-watcher"];

/** Milliseconds for one program. */
const DEADLINE = 300_000;

/** A platform that a core is built for, named as Node names it. */
interface Target {
  readonly platform: string;
  /** What the names of its compiler and binutils begin with where they cross. */
  readonly tools: string;
  /** What installs those. */
  readonly packages: string;
}

/** The platforms that the package carries a core for. */
export const TARGETS: readonly Target[] = [
  {
    platform: "linux-x64",
    tools: "x86_64-linux-gnu-",
    packages: "gcc-x86-64-linux-gnu libc6-dev-amd64-cross",
  },
  {
    platform: "linux-arm64",
    tools: "aarch64-linux-gnu-",
    packages: "gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
  },
];

/** A core that was built, or what is missing for it. */
export type BuiltCore =
  | {
    readonly platform: string;
    readonly folder: string;
    readonly files: readonly string[];
    /** What it needs of a system, in words. */
    readonly needs: string;
  }
  | { readonly platform: string; readonly missing: string };

/** Builds the core for a platform into `native/build/prebuilt/PLATFORM`; quick where nothing changed. */
export async function buildCore(target: Target, native: string): Promise<BuiltCore> {
  const { platform } = target;
  const own = platform === `${process.platform}-${process.arch}`;
  const tools = own ? "" : target.tools;
  if (!await isThere(`${tools}gcc`)) return { platform, missing: `apt-get install ${target.packages}` };
  const folder = join(native, "build/prebuilt", platform), objects = join(folder, "objects");
  mkdirSync(objects, { recursive: true });
  const xcb = own ? [] : await standIns([`${tools}gcc`], join(folder, "xcb"));
  await run("make", ["-s", "-j2", "OLDEST=1", `BUILD=${objects}`, `CC=${tools}gcc`, ...xcb], {
    cwd: native,
    timeout: DEADLINE,
    maxBuffer: 16 << 20,
  });
  for (const name of LINUX) {
    await run(`${tools}strip`, ["--strip-unneeded", "-o", join(folder, name), join(objects, name)], {
      timeout: DEADLINE,
    });
  }
  const glibc = await newestGlibc(`${tools}objdump`, folder);
  if (newer(glibc, OLDEST_GLIBC)) {
    throw new Error(
      `${folder} needs glibc ${glibc}, and may need ${OLDEST_GLIBC} at most (native/linux/oldest.h)`,
    );
  }
  return { platform, folder, files: LINUX, needs: `glibc ${glibc} or later` };
}

/** Builds the core of macOS, for both its architectures in one library, where the toolchain is there. */
export async function buildMacCore(native: string): Promise<BuiltCore> {
  const { stdout } = await run("make", ["-s", "-j2", "macos"], {
    cwd: native,
    timeout: DEADLINE,
    maxBuffer: 16 << 20,
  });
  if (stdout.includes("skipped")) return { platform: "darwin", missing: "tools/setup.sh --macos" };
  const folder = join(native, "build/macos"), files = ["libbackstep.dylib"];
  return { platform: "darwin", folder, files, needs: "macOS 13 or later; no Mac has run it" };
}

async function isThere(program: string): Promise<boolean> {
  try {
    await run(program, ["--version"], { timeout: DEADLINE });
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return false;
    throw thrown;
  }
}

/**
 * Libraries to link with where the platform's own are not there: the names and symbols of this machine's, which are the same
 * on every processor; none of them does anything. Returns what tells `make` of them.
 */
export async function standIns(
  [compiler, ...flags]: readonly [string, ...string[]],
  folder: string,
): Promise<string[]> {
  mkdirSync(join(folder, "include"), { recursive: true });
  const { stdout } = await run("pkg-config", ["--variable=libdir", "xcb"], { timeout: DEADLINE });
  const { stdout: include } = await run("pkg-config", ["--variable=includedir", "xcb"], {
    timeout: DEADLINE,
  });
  const headers = join(folder, "include/xcb");
  if (!existsSync(headers)) symlinkSync(join(include.trim(), "xcb"), headers);
  for (const name of XCB) {
    const real = join(stdout.trim(), `lib${name}.so`), made = join(folder, `lib${name}.so`);
    if (existsSync(made)) continue;
    const { stdout: dynamic } = await run("objdump", ["-p", real], { timeout: DEADLINE });
    const soname = /SONAME\s+(\S+)/.exec(dynamic)?.[1];
    if (soname === undefined) throw new Error(`${real} has no SONAME`);
    const { stdout: symbols } = await run("nm", ["-D", "--defined-only", real], { timeout: DEADLINE });
    const lines = [...symbols.matchAll(/ ([A-Za-z]) (xcb_\w+)$/gm)].map(([, kind, symbol]) =>
      kind === "T" ? `void ${symbol}(void) {}` : `long ${symbol}[4];`
    );
    writeFileSync(join(folder, `${name}.c`), `${lines.join("\n")}\n`);
    await run(compiler, [
      ...flags,
      "-shared",
      "-fPIC",
      `-Wl,-soname,${soname}`,
      "-o",
      made,
      join(folder, `${name}.c`),
    ], { timeout: DEADLINE });
    // A loader looks for it by this name.
    symlinkSync(made, join(folder, soname));
  }
  return [
    `XCB_CFLAGS=-I${join(folder, "include")}`,
    `XCB_LDLIBS=-L${folder} ${XCB.map((name) => `-l${name}`).join(" ")}`,
  ];
}

/** The newest version of glibc that a symbol of these files asks for. */
async function newestGlibc(objdump: string, folder: string): Promise<string> {
  let newest = "0";
  for (const name of LINUX) {
    const { stdout } = await run(objdump, ["-T", join(folder, name)], {
      timeout: DEADLINE,
      maxBuffer: 16 << 20,
    });
    for (const [, version = ""] of stdout.matchAll(/GLIBC_([\d.]+)/g)) {
      if (newer(version, newest)) newest = version;
    }
  }
  return newest;
}

/** Whether a version with dots comes after another. */
export function newer(one: string, other: string): boolean {
  const a = one.split(".").map(Number), b = other.split(".").map(Number);
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** Puts a built core where the package is made. */
export function placeCore(
  core: { readonly platform: string; readonly folder: string; readonly files: readonly string[] },
  into: string,
): void {
  const folder = join(into, "native/prebuilt", core.platform);
  mkdirSync(folder, { recursive: true });
  for (const name of core.files) {
    copyFileSync(join(core.folder, name), join(folder, name));
  }
}
