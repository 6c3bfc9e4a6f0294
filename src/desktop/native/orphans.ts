import { processStat } from "../../base/process-stat.ts";
import type { WmWindow } from "../../wm/model.ts";

type Owned = Pick<WmWindow, "id" | "pid" | "is_x11">;

/**
 * Finds windows whose process has ended. A compositor lists them until it reads that the connection is closed, which the kernel
 * does after it closed others, such as that to the accessibility bus. A process that was never seen running tells nothing: the
 * compositor may know it under another number, from outside of a container. Nor does one of X11, whose number is its own claim.
 */
export class Orphans {
  /** When the process of a window began, by the window's id. */
  #began = new Map<number, number>();

  /** The windows without those whose process was seen before, and has ended. */
  without<W extends Owned>(windows: readonly W[]): W[] {
    const began = new Map<number, number>();
    const left = windows.filter(({ id, pid, is_x11 }) => {
      if (pid === null || is_x11 === true) return true;
      const stat = processStat(pid);
      const first = this.#began.get(id) ?? (stat?.exiting === false ? stat.start : undefined);
      if (first === undefined) return true;
      began.set(id, first);
      return stat?.exiting === false && stat.start === first;
    });
    this.#began = began;
    return left;
  }
}
