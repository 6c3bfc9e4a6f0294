/**
 * The core and musl: Debian's musl, unpacked beside everything else, refuses the prebuilt core with words that `check` knows, and
 * loads the one that is built from the package's sources. No runtime runs there: none for musl is on npm without libraries of
 * its own, so applications are not driven.
 *
 * @module
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { whyNoCore } from "../../src/ffi/prebuilt.ts";
import { ABI } from "../../src/ffi/symbols.ts";
import { standIns } from "./core.ts";
import { DIST } from "./place.ts";
import { must, run } from "./run.ts";

/** Milliseconds for building a core on a machine that does much else. */
const LONGEST = 600_000;
const PACKAGES = ["musl", "musl-dev", "musl-tools"];
/** Headers that are no part of a C library. */
const HEADERS: Readonly<Record<string, string>> = {
  "linux": "/usr/include/linux",
  "asm-generic": "/usr/include/asm-generic",
  "asm": "/usr/include/x86_64-linux-gnu/asm",
};
const LOADER = `#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    void *core = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!core) return puts(dlerror()), 1;
    unsigned (*abi)(void) = dlsym(core, "backstep_abi");
    return printf("%u\\n", abi()), 0;
}
`;

/** Has musl load both cores of an installed package; rejects where it loads the wrong one, or `check` would not know why not. */
export async function onMusl(project: string): Promise<string> {
  if (`${process.platform}-${process.arch}` !== "linux-x64") {
    return "unverified: musl, which is tried on linux-x64";
  }
  const folder = join(DIST, "musl"), options = { cwd: folder, timeout: LONGEST };
  const specs = await musl(folder);
  const gcc = ["-specs", specs];
  writeFileSync(join(folder, "loader.c"), LOADER);
  await must("gcc", [...gcc, "-o", "loader", "loader.c"], options);
  const [include, libraries] = await standIns(["gcc", ...gcc], join(folder, "xcb"));
  const load = (core: string, env: Record<string, string> = { LD_LIBRARY_PATH: join(folder, "xcb") }) =>
    run(join(folder, "loader"), [core], { ...options, env });
  const native = join(project, "node_modules/backstep/native");
  const prebuilt = await load(join(native, "prebuilt/linux-x64/libbackstep.so"));
  const { says } = whyNoCore(prebuilt.stdout, { platform: "linux", arch: "x64" });
  if (prebuilt.code === 0 || says !== "the prebuilt core needs glibc, and this system has musl") {
    throw new Error(`musl and the prebuilt core: ${prebuilt.stdout}${says}`);
  }
  const sources = join(folder, "native");
  rmSync(sources, { recursive: true, force: true });
  cpSync(native, sources, { recursive: true });
  await must("make", [
    "-s",
    `CC=gcc ${gcc.join(" ")}`,
    `${include} -idirafter ${folder}/include`,
    `${libraries}`,
  ], { ...options, cwd: sources });
  const core = join(sources, "build/libbackstep.so");
  const built = await load(core);
  if (built.stdout !== `${ABI}\n`) {
    throw new Error(`musl and the core that was built for it: ${built.stdout}`);
  }
  const lacking = await load(core, {});
  const why = whyNoCore(lacking.stdout, { platform: "linux", arch: "x64", libc: { name: "musl" } }, false);
  if (why.says !== "the library libxcb.so.1 is missing") {
    throw new Error(`without xcb: ${lacking.stdout}${why.says}`);
  }
  return "musl: refuses the prebuilt core, and `check` knows its words; loads the core that make builds there";
}

/** Unpacks musl; returns the file that tells gcc to compile and link for it. */
async function musl(folder: string): Promise<string> {
  const root = join(folder, "root"),
    specs = join(folder, "specs"),
    lib = join(root, "usr/lib/x86_64-linux-musl");
  if (existsSync(specs)) return specs;
  for (const path of ["debs", "include"]) {
    rmSync(join(folder, path), { recursive: true, force: true });
    mkdirSync(join(folder, path), { recursive: true });
  }
  await must("apt-get", ["-o", "APT::Sandbox::User=root", "download", "-q", ...PACKAGES], {
    cwd: join(folder, "debs"),
  });
  await must("sh", ["-c", 'for deb in debs/*.deb; do dpkg -x "$deb" root; done'], { cwd: folder });
  for (const [name, path] of Object.entries(HEADERS)) {
    symlinkSync(realpathSync(path), join(folder, "include", name));
  }
  const libc = join(root, "lib/x86_64-linux-musl/libc.so"), loader = join(root, "lib/ld-musl-x86_64.so.1");
  for (const link of [loader, join(lib, "libc.so")]) {
    rmSync(link, { force: true });
    symlinkSync(libc, link);
  }
  const installed = readFileSync(join(lib, "musl-gcc.specs"), "utf8");
  writeFileSync(
    specs,
    installed.replaceAll("/usr/", `${root}/usr/`).replaceAll("/lib/ld-musl", `${root}/lib/ld-musl`),
  );
  return specs;
}
