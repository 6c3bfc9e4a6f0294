import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import process from "node:process";

/** A display, a session bus and a window manager for one test, without src/session: just enough for the core. */
export class ScratchDesktop implements AsyncDisposable {
  readonly home = mkdtempSync("/tmp/bsx.");
  readonly sessionBus = `unix:path=${this.home}/bus`;
  display = "";
  readonly #children: ChildProcess[] = [];
  #server: ChildProcess | undefined;
  #manager: ChildProcess | undefined;
  readonly #more: Readonly<Record<string, string>>;

  private constructor(more: Readonly<Record<string, string>>) {
    this.#more = more;
  }

  /** `environment` is added to what its programs get. */
  static async start(environment: Readonly<Record<string, string>> = {}): Promise<ScratchDesktop> {
    const desktop = new ScratchDesktop(environment);
    try {
      const xvfb = desktop.#spawn("Xvfb", [
        ..."-displayfd 1 -screen 0 1280x800x24 -nolisten tcp -ac -noreset".split(" "),
      ]);
      desktop.#server = xvfb;
      desktop.display = `:${(await firstLine(xvfb)).trim()}`;
      const bus = desktop.#spawn("dbus-daemon", [
        ...`--session --nofork --nopidfile --print-address=1 --address=${desktop.sessionBus}`.split(" "),
      ]);
      await firstLine(bus);
      desktop.#manager = desktop.#spawn("openbox", ["--sm-disable"]);
      return desktop;
    } catch (error) {
      await desktop[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Signals the X server. */
  signalServer(signal: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void {
    // Deno's ChildProcess takes one signal only, whatever it is.
    if (this.#server?.pid !== undefined) process.kill(this.#server.pid, signal);
  }

  /** Signals the window manager. */
  signalManager(signal: "SIGSTOP" | "SIGCONT"): void {
    if (this.#manager?.pid !== undefined) process.kill(this.#manager.pid, signal);
  }

  /** Starts an application on it. */
  launch(program: string, args: readonly string[] = []): ChildProcess {
    return this.#spawn(program, args);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The accessibility launcher was started by the bus, not by us; it must go before the bus, or its own bus stays.
    for (const pid of this.#ours()) kill(pid);
    for (const child of this.#children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    }
    // What a program started meanwhile, and what dies by itself only later, writes into the home that is to go.
    const deadline = performance.now() + 20_000;
    for (let left = this.#ours(); left.length > 0 && performance.now() < deadline; left = this.#ours()) {
      for (const pid of left) kill(pid);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    rmSync(this.home, { recursive: true, force: true });
  }

  #spawn(program: string, args: readonly string[]): ChildProcess {
    const child = spawn(program, [...args], {
      env: this.#environment(),
      stdio: ["ignore", "pipe", "ignore"],
    });
    child.stdout?.on("data", () => {});
    this.#children.push(child);
    return child;
  }

  #environment(): Record<string, string> {
    return {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      HOME: this.home,
      XDG_RUNTIME_DIR: this.home,
      DISPLAY: this.display,
      DBUS_SESSION_BUS_ADDRESS: this.sessionBus,
      GSETTINGS_BACKEND: "memory",
      GDK_BACKEND: "x11",
      GTK_A11Y: "atspi",
      GSK_RENDERER: "cairo",
      LIBGL_ALWAYS_SOFTWARE: "1",
      LANG: "C.UTF-8",
      ...this.#more,
    };
  }

  /** Processes whose home is ours, or that have it on their command line: Chromium's write over their environment. */
  #ours(): number[] {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
      if (textOf(`/proc/${pid}/environ`)?.split("\0").includes(`HOME=${this.home}`)) return true;
      return textOf(`/proc/${pid}/cmdline`)?.includes(`${this.home}/`) ?? false;
    });
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** A file's text; undefined when the process ended meanwhile or is another user's. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${child.spawnfile} said nothing in 10 s`)), 10_000);
    const done = (then: () => void) => {
      clearTimeout(timer);
      then();
    };
    let text = "";
    child.stdout?.on("data", (chunk: Uint8Array) => {
      text += new TextDecoder().decode(chunk);
      if (text.includes("\n")) done(() => resolve(text));
    });
    child.once("error", (error) => done(() => reject(error)));
    child.once("exit", (code) => done(() => reject(new Error(`${child.spawnfile} ended with ${code}`))));
  });
}
