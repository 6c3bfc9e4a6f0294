/** The stand-in of macOS in this process: its applications, and what they wrote down (native/tests/macos/standin/standin.h). */

const SYMBOLS = {
  si_do: { parameters: ["i32", "buffer", "buffer"], result: "bool" },
  si_kill: { parameters: ["i32"], result: "void" },
  si_launch: { parameters: ["i32"], result: "void" },
  si_account: { parameters: ["bool"], result: "void" },
  si_by: { parameters: ["buffer"], result: "void" },
  si_log: { parameters: [], result: "pointer" },
  si_log_clear: { parameters: [], result: "void" },
} as const;

const text = (words: string) => new TextEncoder().encode(`${words}\0`);

/** What the applications are told, and what they wrote. */
export class StandIn {
  readonly #library;

  constructor(file: string) {
    this.#library = Deno.dlopen(file, SYMBOLS);
    this.#library.symbols.si_account(true);
  }

  /** As somebody at the machine would, or as it is put back: "set #alpha AXValue \"x\"". */
  do(pid: number, effects: string, by: "person" | "reset"): void {
    const { symbols } = this.#library;
    symbols.si_by(text(by));
    symbols.si_do(pid, text(""), text(effects));
    symbols.si_by(text("caller"));
  }

  kill(pid: number): void {
    this.#library.symbols.si_kill(pid);
  }

  launch(pid: number): void {
    this.#library.symbols.si_launch(pid);
  }

  /** The lines since the last time. */
  drain(): string[] {
    const pointer = this.#library.symbols.si_log();
    const said = pointer === null ? "" : Deno.UnsafePointerView.getCString(pointer);
    this.#library.symbols.si_log_clear();
    return said.split("\n").filter((line) => line !== "");
  }
}
