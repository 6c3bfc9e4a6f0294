import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { corePath, whyNoCalls, whyNoCore } from "./prebuilt.ts";

const ROOT = "/p/node_modules/backstep";
const glibc = (version: string) => ({ name: "glibc", version }) as const;
const x64 = { platform: "linux", arch: "x64" } as const;

Deno.test("a missing library of X11 is named with the package that has it", () => {
  const { says, fix } = whyNoCore(
    "libxcb-xtest.so.0: cannot open shared object file: No such file or directory",
    { ...x64, libc: glibc("2.36") },
  );
  assert.equal(says, "the library libxcb-xtest.so.0 is missing");
  assert.match(fix, /^sudo apt-get install libxcb-xtest0 \(Fedora/);
  assert.match(
    whyNoCore("libxcb.so.1: cannot open shared object file", x64).fix,
    /apt-get install libxcb1 /,
  );
});

Deno.test("an old glibc is named, by the loader's words or by the machine", () => {
  const said = "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.28' not found (required by libbackstep.so)";
  assert.equal(
    whyNoCore(said, { ...x64, libc: glibc("2.17") }).says,
    "the prebuilt core needs glibc 2.28, and this system has 2.17",
  );
  assert.equal(whyNoCore(said, x64).says, "the prebuilt core needs glibc 2.28");
  assert.match(
    whyNoCore("anything", { ...x64, libc: glibc("2.9") }, true, ROOT).fix,
    /Build it: make -C \/p\/node_modules\/backstep\/native \(with gcc/,
  );
  assert.equal(whyNoCore("anything", { ...x64, libc: glibc("2.28") }).says, "anything");
});

Deno.test("musl is named, by the loader's words or by the machine", () => {
  const says = "the prebuilt core needs glibc, and this system has musl";
  assert.equal(whyNoCore("dlopen failed", { ...x64, libc: { name: "musl" } }).says, says);
  assert.equal(
    whyNoCore("Error loading shared library ld-linux-x86-64.so.2: No such file", x64).says,
    says,
  );
  // What musl 1.2.3 says of the prebuilt core (scripts/npm/musl.ts).
  const relocating = whyNoCore(
    "Error relocating libbackstep.so: gnu_get_libc_version: symbol not found",
    x64,
    true,
    ROOT,
  );
  assert.equal(relocating.says, says);
  assert.match(
    relocating.fix,
    /^Build it: make -C \/p\/node_modules\/backstep\/native \(Alpine: doas apk add /,
  );
  // One that was built there only lacks a library.
  const built = whyNoCore("Error loading shared library libxcb-shm.so.0: No such file", {
    ...x64,
    libc: { name: "musl" },
  }, false);
  assert.equal(built.says, "the library libxcb-shm.so.0 is missing");
});

Deno.test("a processor without a prebuilt core is told how to build one, another system that there is none", () => {
  const riscv = whyNoCore(
    "cannot open",
    {
      platform: "linux",
      arch: "riscv64",
    },
    true,
    ROOT,
  );
  assert.equal(riscv.says, "there is no prebuilt core for linux-riscv64");
  assert.match(
    riscv.fix,
    /make -C \/p\/node_modules\/backstep\/native \(with gcc, make, pkg-config and the xcb headers: libxcb1-dev/,
  );
  const mac = whyNoCore("not found", { platform: "darwin", arch: "arm64" });
  assert.equal(mac.says, "not found");
  assert.match(mac.fix, /make -C \S+\/native macos/);
  assert.match(whyNoCore("not found", { platform: "win32", arch: "x64" }).fix, /--session simulated/);
});

Deno.test("where koffi has nothing to call with, a system without a core hears of that, Linux how to install it", () => {
  const said = "Cannot find the native Koffi module; did you bundle it correctly?";
  assert.equal(
    whyNoCalls(said, { platform: "win32", arch: "x64" }).says,
    "there is no native core for win32-x64 yet",
  );
  const linux = whyNoCalls(said, x64);
  assert.equal(linux.says, `koffi, which calls it, has nothing for linux-x64 here: ${said.slice(0, -1)}`);
  assert.match(linux.fix, /npm install --include=optional/);
});

Deno.test("what was built here comes before what was prebuilt, and each platform has its own", () => {
  const root = mkdtempSync(join(tmpdir(), "core-"));
  try {
    const built = join(root, "native/build/libbackstep.so");
    const arm = join(root, "native/prebuilt/linux-arm64/libbackstep.so");
    const on = (arch: string) => corePath({ platform: "linux", arch }, root);
    mkdirSync(dirname(arm), { recursive: true });
    writeFileSync(arm, "");
    assert.deepEqual([on("arm64"), on("x64")], [arm, built]);
    mkdirSync(dirname(built), { recursive: true });
    writeFileSync(built, "");
    assert.equal(on("arm64"), built);
    const mac = join(root, "native/prebuilt/darwin/libbackstep.dylib");
    mkdirSync(dirname(mac), { recursive: true });
    writeFileSync(mac, "");
    assert.equal(corePath({ platform: "darwin", arch: "arm64" }, root), mac);
  } finally {
    rmSync(root, { recursive: true });
  }
});
