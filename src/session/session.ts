import type { Call } from "../base/call.ts";
import type { Desktop, DesktopKind } from "../desktop/desktop.ts";

/** An application that can be launched. */
export interface CatalogueEntry {
  /** Id of its desktop entry, or the name of its program. */
  readonly id: string;
  readonly name: string;
  readonly executable: string;
}

/** What launching answered. */
export interface LaunchResult {
  readonly processId: number;
  readonly applicationName: string;
  readonly wasAlreadyRunning: boolean;
}

/** What quitting answered. */
export interface QuitResult {
  readonly applicationName: string;
}

/** A running application with a user interface. */
export interface RunningApplication {
  readonly bundleId: string;
  readonly name: string;
  readonly processId: number;
  readonly isHidden: boolean;
}

/** Starts and ends applications on a session's desktop. */
export interface Launcher {
  catalogue(): Promise<readonly CatalogueEntry[]>;
  /** Errors: `invalid` (empty id), `app_not_found`, `launch_failed`. */
  launch(id: string, options?: Call & { readonly args?: readonly string[] }): Promise<LaunchResult>;
  /** Closes as a person would. Errors: `invalid`, `app_not_running`, `quit_blocked`. */
  quit(id: string, call?: Call): Promise<QuitResult>;
  list(call?: Call): Promise<readonly RunningApplication[]>;
}

/** How a session ends. */
export interface CloseOptions {
  /** Leave a private desktop standing: a run that was cut off on its way back may need it. Default false. */
  readonly leave?: boolean;
}

/** A desktop with what belongs to it: its launcher, and how it ends. */
export interface Session {
  readonly kind: DesktopKind;
  readonly label: string;
  readonly desktop: Desktop;
  readonly launcher: Launcher;
  /** HOME of what runs on it; undefined on a simulated desktop. */
  readonly home: string | undefined;
  /** Id of a private desktop, for `session list` and `session stop`. */
  readonly id: string | undefined;
  /** Ends what belongs to it: a private desktop is torn down unless it is kept. */
  close(options?: CloseOptions): Promise<void>;
}
