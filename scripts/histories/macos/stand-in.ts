import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const LIBRARY = at("native/build/macos/x86_64/libbackstep.dylib");
const FORWARDED = at("native/build/macos/libstandin.so");
const SCRIPT = at("tests/fixtures/histories/macos.txt");

/** What a person, the system and the application itself do in the stand-in of macOS, which runs in this process. */
export interface StandIn {
  /** Everything as at first. */
  reset(): void;
  /** Effects of the script's language, as a person would bring them about. */
  person(pid: number, label: string, effects: string): void;
  kill(pid: number): void;
  launch(pid: number): void;
  /** What the person has granted this program: accessibility, or nothing. */
  grant(accessibility: boolean): void;
  /** What the applications said since the last reset, a line a fact. */
  account(): readonly string[];
}

/** The stand-in with the macOS core over it, which is the core of this process from here on; a text says what is missing. */
export function loadStandIn(script: string = SCRIPT): StandIn | string {
  if (process.arch !== "x64") return "The stand-in of macOS is written for x86-64";
  if (!existsSync(LIBRARY) || !existsSync(FORWARDED)) {
    return "The macOS core is not built: make -C native macos-macho (tools/setup.sh --macos)";
  }
  process.env["BACKSTEP_CORE"] = FORWARDED;
  process.env["BACKSTEP_MACHO"] = LIBRARY;
  process.env["BACKSTEP_STANDIN"] = script;
  const { symbols } = Deno.dlopen(FORWARDED, {
    si_reset: { parameters: [], result: "void" },
    si_load_file: { parameters: ["buffer"], result: "bool" },
    si_do: { parameters: ["i32", "buffer", "buffer"], result: "bool" },
    si_kill: { parameters: ["i32"], result: "void" },
    si_launch: { parameters: ["i32"], result: "void" },
    si_grant: { parameters: ["u32"], result: "void" },
    si_log: { parameters: [], result: "pointer" },
    si_log_clear: { parameters: [], result: "void" },
  });
  const text = (value: string) => new TextEncoder().encode(`${value}\0`);
  return {
    reset() {
      symbols.si_reset();
      symbols.si_log_clear();
      symbols.si_load_file(text(script));
    },
    person: (pid, label, effects) => void symbols.si_do(pid, text(label), text(effects)),
    kill: (pid) => symbols.si_kill(pid),
    launch: (pid) => symbols.si_launch(pid),
    grant: (accessibility) => symbols.si_grant(accessibility ? 15 : 0),
    account() {
      const said = symbols.si_log();
      if (said === null) return [];
      return new Deno.UnsafePointerView(said).getCString().split("\n").filter((line) => line !== "");
    },
  };
}
