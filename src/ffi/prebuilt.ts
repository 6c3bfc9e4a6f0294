import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isDeno } from "../base/runtime.ts";

/** The platforms that the npm package carries a core for, as Node names them. */
const PREBUILT = ["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64"];

/** The oldest glibc that a prebuilt core runs with: the one that Node 22 itself needs. */
const OLDEST_GLIBC = "2.28";

/** What decides whether a prebuilt core can run here. */
export interface Machine {
  /** `process.platform`. */
  readonly platform: string;
  /** `process.arch`. */
  readonly arch: string;
  /** The C library of this process; undefined: it is not known. */
  readonly libc?: { readonly name: "musl" } | { readonly name: "glibc"; readonly version: string };
}

/** Why there is no core, and what a person can do. */
export interface Reason {
  readonly says: string;
  readonly fix: string;
}

/** The folder that holds `src/` and `native/`: a clone, or the npm package. */
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Where the core is that this machine would load: the one that was built here, else the prebuilt one. */
export function corePath(
  { platform, arch }: Pick<Machine, "platform" | "arch"> = process,
  root: string = ROOT,
): string {
  // One library holds both architectures of macOS.
  const [made, kept, name] = platform === "darwin"
    ? ["macos", "darwin", "libbackstep.dylib"]
    : ["", `${platform}-${arch}`, "libbackstep.so"];
  const built = join(root, "native/build", made, name);
  const prebuilt = join(root, "native/prebuilt", kept, name);
  return !isThere(built) && isThere(prebuilt) ? prebuilt : built;
}

/** Whoever may load a library and not read it has named the one of a clone, which counts as there. */
function isThere(path: string): boolean {
  try {
    return existsSync(path);
  } catch {
    return true;
  }
}

/** Why the core could not be loaded; `said` is what the loader reported. One that was built on musl runs there. */
export function whyNoCore(
  said: string,
  machine: Machine,
  isPrebuilt: boolean = true,
  root: string = ROOT,
): Reason {
  const { platform, arch, libc } = machine;
  const name = `${platform}-${arch}`;
  if (platform === "darwin") return onMac(said, root);
  if (platform !== "linux") return elsewhere(machine);
  const source = `${fromSource(root)}. The simulated desktop works without.`;
  const isMusl = libc?.name === "musl" || /ld-musl|Error (?:loading|relocating)/.test(said);
  if (isMusl && isPrebuilt) {
    return {
      says: "the prebuilt core needs glibc, and this system has musl",
      fix: `Build it: ${fromSource(root, ALPINE)}. The simulated desktop works without.`,
    };
  }
  const library = /(lib[\w.+-]+\.so[\w.]*)(?:: cannot open shared object file|: No such file)/.exec(said)
    ?.[1];
  if (library?.startsWith("libxcb")) {
    return { says: `the library ${library} is missing`, fix: packagesOf(library) };
  }
  const lacking = /version [`']?GLIBC_([\d.]+)'? not found/.exec(said)?.[1];
  const old = isPrebuilt && libc?.name === "glibc" && isOlder(libc.version, OLDEST_GLIBC)
    ? libc.version
    : undefined;
  if (old !== undefined || lacking !== undefined) {
    const found = libc?.name === "glibc" ? `, and this system has ${libc.version}` : "";
    return {
      says: `the prebuilt core needs glibc ${lacking ?? OLDEST_GLIBC}${found}`,
      fix: `Build it: ${source}`,
    };
  }
  if (!PREBUILT.includes(name)) {
    return { says: `there is no prebuilt core for ${name}`, fix: `Build it: ${source}` };
  }
  return { says: said.slice(0, 500), fix: `Build it: ${source}` };
}

/** The core of macOS was compiled and tested on Linux: what a Mac's loader says of it is passed on whole. */
function onMac(said: string, root: string): Reason {
  return {
    says: said.slice(0, 500),
    fix: `Build it: make -C ${join(root, "native")} macos (with Xcode's command line tools). ` +
      "The simulated desktop works without.",
  };
}

/** There is a core for Linux and macOS. */
function elsewhere({ platform, arch }: Pick<Machine, "platform" | "arch">): Reason {
  return {
    says: `there is no native core for ${platform}-${arch} yet`,
    fix: "Use the simulated desktop: --session simulated. Applications can be driven on Linux, and on macOS.",
  };
}

/** Why this runtime can call no native code; `said` is what its package for that reported. */
export function whyNoCalls(said: string, machine: Pick<Machine, "platform" | "arch">): Reason {
  if (machine.platform !== "linux" && machine.platform !== "darwin") return elsewhere(machine);
  const reported = said.slice(0, 500).replace(/[.?!]$/, "");
  return {
    says: `koffi, which calls it, has nothing for ${machine.platform}-${machine.arch} here: ${reported}`,
    fix: "Install Backstep on this machine, with optional packages: npm install --include=optional. " +
      "The simulated desktop works without.",
  };
}

/** What installs a library of X11, on Debian by its very package. */
function packagesOf(library: string): string {
  const [, base = library, version = ""] = /^(.+)\.so\.?(\d*)/.exec(library) ?? [];
  return `sudo apt-get install ${base}${version} (Fedora: sudo dnf install libxcb; Arch: sudo pacman -S libxcb; Alpine: doas apk add libxcb). ` +
    "The simulated desktop works without.";
}

/** How the core is built on this machine: in a clone by its script, in the package by make. */
export function fromSource(root: string = ROOT, needs: string = DEBIAN): string {
  const script = join(root, "tools/setup.sh"), native = join(root, "native");
  return existsSync(script) ? script : `make -C ${native} (${needs})`;
}

/** What building it takes, by the names of Debian's packages. */
const DEBIAN =
  "with gcc, make, pkg-config and the xcb headers: libxcb1-dev libxcb-xtest0-dev libxcb-shm0-dev " +
  "libxcb-damage0-dev libxcb-xfixes0-dev libxcb-composite0-dev";
/** The same by Alpine's. */
const ALPINE = "Alpine: doas apk add build-base pkgconf linux-headers libxcb-dev";

function isOlder(one: string, other: string): boolean {
  const [a = 0, b = 0] = one.split(".").map(Number), [c = 0, d = 0] = other.split(".").map(Number);
  return a < c || (a === c && b < d);
}

/** What this process runs on. The runtime's report is asked only where a core could not be loaded: it takes a while. */
export function thisMachine(): Machine {
  const { platform, arch } = process;
  if (platform !== "linux" || isDeno) return { platform, arch };
  const report: unknown = process.report.getReport();
  const version = glibcOf(report);
  if (version !== undefined) return { platform, arch, libc: { name: "glibc", version } };
  return { platform, arch, libc: { name: "musl" } };
}

/** Node's report names the glibc that it runs with, and none on musl. */
function glibcOf(report: unknown): string | undefined {
  if (typeof report !== "object" || report === null || !("header" in report)) return undefined;
  const { header } = report;
  if (typeof header !== "object" || header === null || !("glibcVersionRuntime" in header)) return undefined;
  const { glibcVersionRuntime } = header;
  return typeof glibcVersionRuntime === "string" ? glibcVersionRuntime : undefined;
}
