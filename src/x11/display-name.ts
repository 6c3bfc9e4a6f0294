import { BackstepError } from "../base/error.ts";

/** Where X servers listen: display ":7" at X7. */
const SOCKETS = "/tmp/.X11-unix/X";

/** What DISPLAY says. */
export interface DisplayName {
  /** Of its socket. */
  readonly path: string;
  /** As the authority file has it; empty for a display that is named by its path. */
  readonly number: string;
  /** Counts from 0. */
  readonly screen: number;
}

/**
 * Where a display of this machine listens: ":7", ":7.1", "unix:7", or the path of a socket, as libxcb reads them. Throws
 * `unsupported` for a display of another machine, `invalid` for no display.
 *
 * @example
 * ```ts
 * import { displayNameOf } from "./display-name.ts";
 * if (displayNameOf(":7.1").screen !== 1) throw new Error();
 * ```
 */
export function displayNameOf(display: string): DisplayName {
  const path = /^(?:unix:)?(\/.+?)(?:\.(\d+))?$/.exec(display);
  if (path !== null) return { path: path[1] ?? "", number: "", screen: Number(path[2] ?? 0) };
  const [, host, number, screen] = /^(.*):(\d+)(?:\.(\d+))?$/.exec(display) ?? [];
  if (number === undefined) {
    throw new BackstepError("invalid", `Cannot reach display "${display}": it has no number`, {
      hint: 'DISPLAY is like ":0" or ":0.0".',
    });
  }
  if (host !== "" && host !== "unix") {
    throw new BackstepError("unsupported", `Cannot reach display "${display}": it is on another machine`, {
      hint: 'A display of this machine is like ":0".',
    });
  }
  return { path: SOCKETS + number, number, screen: Number(screen ?? 0) };
}
