// The macOS core on Linux: its x86-64 library's own machine code, run over the stand-in of Apple's frameworks. A process of its
// own, since a process has one core.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { spawn } from "node:child_process";

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const LIBRARY = at("native/build/macos/x86_64/libbackstep.dylib");
const FORWARDED = at("native/build/macos/libstandin.so");

/** Why these tests cannot run here; undefined: they can. */
export function whyNoMacCore(): string | undefined {
  if (process.arch !== "x64") return "the stand-in is written for x86-64";
  if (existsSync(LIBRARY) && existsSync(FORWARDED)) return undefined;
  return "no macOS core: make -C native macos-macho (tools/setup.sh --macos)";
}

/** What a program answered, and what the applications say of what happened to them. */
export interface MacRun {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** One line a fact. */
  readonly account: readonly string[];
}

/** Runs Deno with the macOS core over a script of applications. */
export async function onMac(
  args: readonly string[],
  { script = "form.txt", input = "", files = {}, timeout = 120_000 }: {
    readonly script?: string;
    readonly input?: string;
    /** Written beside each other; "{folder}" in an argument is where. */
    readonly files?: Readonly<Record<string, string>>;
    readonly timeout?: number;
  } = {},
): Promise<MacRun> {
  const folder = mkdtempSync(join(tmpdir(), "backstep-mac-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const account = join(folder, "account.log");
    writeFileSync(account, "");
    const child = spawn(process.execPath, args.map((one) => one.replaceAll("{folder}", folder)), {
      timeout,
      env: {
        ...process.env,
        PATH: `${at("tests/fixtures/macos/bin")}:${process.env["PATH"] ?? ""}`,
        BACKSTEP_CORE: FORWARDED,
        BACKSTEP_MACHO: LIBRARY,
        BACKSTEP_STANDIN: at(`native/tests/macos/apps/${script}`),
        STANDIN_ACCOUNT: account,
        XDG_STATE_HOME: folder,
        NO_COLOR: "1",
      },
    });
    let out = "", err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => out += text);
    child.stderr.setEncoding("utf8").on("data", (text: string) => err += text);
    child.stdin.end(input);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    return {
      code,
      out,
      err,
      account: readFileSync(account, "utf8").split("\n").filter((line) => line !== ""),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The command line. */
export async function backstepOnMac(
  args: readonly string[],
  options?: Parameters<typeof onMac>[1],
): Promise<MacRun> {
  return await onMac(["run", "-A", "--no-check", at("bin.ts"), ...args], options);
}

/** Fails with what was written where it did not end as it should. */
export function finished(run: MacRun, code: number): void {
  assert.equal(run.code, code, `${run.out}\n${run.err}`);
}
