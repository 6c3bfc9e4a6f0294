import { readFileSync } from "node:fs";
import process from "node:process";
import type { Window } from "../desktop/desktop.ts";
import type { InputEvent } from "../desktop/input-events.ts";
import { reachedAt } from "./look.ts";
import type { Observer } from "./observer.ts";

/** Processes above a command that are looked at. */
const MOST = 64;

/** Milliseconds in which a press may still make another window the active one. */
const ACTIVATES = 200;

/**
 * The windows of the terminal that this command runs in: those of the processes above it. What is done there is meant for the
 * command, and is no act of the workflow.
 */
export class OwnTerminal {
  readonly #observer: Pick<Observer, "windows" | "windowsAt">;
  readonly #own = ownProcesses();
  /** The last press: whether it was in one of them. */
  #pressed = { own: false, at: -Infinity };

  constructor(observer: Pick<Observer, "windows" | "windowsAt">) {
    this.#observer = observer;
  }

  /** Is this done there? */
  takes(event: InputEvent): boolean {
    const { windows, windowsAt } = this.#observer;
    const isOwn = (window: Window | undefined) => window !== undefined && this.#own.has(window.pid);
    if (event.what === "key" || event.what === "text") {
      // A press may have given the keyboard to another window than the one that had it when that was asked.
      return this.#pressed.at + ACTIVATES > windowsAt
        ? this.#pressed.own
        : isOwn(windows.find(({ active }) => active));
    }
    const own = isOwn(reachedAt(windows, event.x, event.y)?.window);
    if (event.what === "button" && event.down) this.#pressed = { own, at: performance.now() };
    return own;
  }
}

function ownProcesses(): ReadonlySet<number> {
  const own = new Set<number>();
  for (let pid = process.ppid; pid > 1 && own.size < MOST; pid = parentOf(pid)) own.add(pid);
  return own;
}

/** The parent of a process; 0: it is gone, or another user's. */
function parentOf(pid: number): number {
  try {
    // The name, in brackets, may hold anything: what follows the last one is the state and the parent.
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0; // it ended meanwhile, or this is no Linux: then nothing above it is known
  }
}
