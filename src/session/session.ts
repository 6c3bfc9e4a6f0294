import type { Call } from "../base/call.ts";
import type { Desktop, DesktopKind } from "../desktop/desktop.ts";
import type { WindowManager } from "../wm/model.ts";
import type { DesktopSettings } from "./settings/settings.ts";
import type { Unsaved } from "./unsaved.ts";

/** An application that can be launched. */
export interface CatalogueEntry {
  /** Id of its desktop entry or of its bundle, or the name of its program. */
  readonly id: string;
  /** What people call it: "Text Editor". */
  readonly name: string;
  /** The program that its entry or bundle starts: a path, or a name (on PATH, in the bundle); on a simulated desktop its id. */
  readonly executable: string;
}

/** What launching answered. */
export interface LaunchResult {
  /** Process id, on a simulated desktop a made-up one. */
  readonly processId: number;
  /** What people call it: "Text Editor". */
  readonly applicationName: string;
  /** It was there before: its window was raised, nothing was started. */
  readonly wasAlreadyRunning: boolean;
  /** False: it has a window, and no accessibility tree. Absent: it has one. */
  readonly accessible?: false;
}

/** How an application is quit. */
export interface QuitOptions extends Call {
  /** What is answered where it asks about unsaved work. Default `fail`: the question is left open. */
  readonly unsaved?: Unsaved;
  /** Where several processes have the name, only this one. */
  readonly pid?: number;
}

/** What quitting answered. */
export interface QuitResult {
  /** What people call it: "Text Editor". */
  readonly applicationName: string;
}

/** A running application with a user interface. */
export interface RunningApplication {
  /** Id of its desktop entry where known, else its name. The word is that of the tool specification. */
  readonly bundleId: string;
  /** What its desktop entry says, else what it calls itself. */
  readonly name: string;
  /** Process id, on a simulated desktop a made-up one. */
  readonly processId: number;
  /** None of its windows is on the screen: all are minimised. */
  readonly isHidden: boolean;
  /** The words that this session launched it by, as they were written; absent: none. */
  readonly words?: readonly string[];
}

/** Beside what every call takes: what an application is started with. */
export interface LaunchOptions extends Call {
  /** Further arguments. */
  readonly args?: readonly string[];
  /** Variables of its environment, beside those of the desktop. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts and ends applications on a session's desktop. */
export interface Launcher {
  /** Everything that can be launched on this desktop. */
  catalogue(): Promise<readonly CatalogueEntry[]>;
  /** The application that `launch` would start by a path, whatever the path is called. Absent: paths have no id of their own. */
  at?(path: string): CatalogueEntry | undefined;
  /**
   * Errors: `invalid` (empty id), `app_not_found`, `launch_failed`, `unsupported` (arguments or variables, on a simulated
   * desktop; variables for an application that runs already with others).
   */
  launch(id: string, options?: LaunchOptions): Promise<LaunchResult>;
  /** Closes as a person would. Errors: `invalid`, `app_not_running`, `quit_blocked`. */
  quit(id: string, options?: QuitOptions): Promise<QuitResult>;
  /** What runs now and has a window. */
  list(call?: Call): Promise<readonly RunningApplication[]>;
}

/** How a session ends. */
export interface CloseOptions {
  /** Leave a private desktop standing: a run that was cut off on its rollback may need it. Default false. */
  readonly leave?: boolean;
}

/** A desktop with what belongs to it: its launcher, and how it ends. */
export interface Session {
  /** Private, the user's own, or in memory. */
  readonly kind: DesktopKind;
  /** For people: ":7 (private k3f9xz)", ":0 (yours)", "simulated". */
  readonly label: string;
  /** Sees and acts; it ends with the session. */
  readonly desktop: Desktop;
  /** Starts and ends applications on it. */
  readonly launcher: Launcher;
  /** HOME of what runs on it; undefined on a simulated desktop. */
  readonly home: string | undefined;
  /** Id of a private desktop, for `session list` and `session stop`. */
  readonly id: string | undefined;
  /** What a private desktop was asked to be like; undefined elsewhere. */
  readonly settings?: DesktopSettings | undefined;
  /**
   * The window manager of the desktop, connected by the first call; it ends with the session. Undefined: none answers.
   * Absent on a simulated desktop.
   */
  windowManager?(call?: Call): Promise<WindowManager | undefined>;
  /**
   * Where the pointer is, in pixels of the screen; undefined: on no screen of this desktop. Absent where the display does not
   * tell: Wayland, a simulated desktop. Throws `no_desktop` and `timeout`.
   */
  pointer?(call?: Call): Promise<{ readonly x: number; readonly y: number } | undefined>;
  /**
   * Replaces a private desktop by a new one with a clean HOME: what ran on it is gone, and `desktop`, `launcher`, `home`,
   * `label` and `id` are the new one's. Absent where a desktop cannot be replaced.
   */
  rebuild?(call?: Call): Promise<void>;
  /** Ends what belongs to it: a private desktop is torn down unless it is kept. */
  close(options?: CloseOptions): Promise<void>;
}
