import type { Deadline } from "../base/call.ts";
import type { DesktopFolders } from "./environment.ts";
import type { Part, PartPlan } from "./part.ts";
import type { PartName } from "./programs.ts";
import type { Monitor } from "./settings/monitors.ts";
import type { DisplayKind } from "./settings/settings.ts";

/** Paths to use instead of the programs found on PATH. */
export type Programs = Partial<Readonly<Record<PartName, string>>>;

/** The screen of a display. */
export interface Screen {
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  /** Bits a pixel. */
  readonly depth: number;
  /** Pixels to one logical pixel; of use on Wayland alone, where the compositor scales. */
  readonly scale: number;
  /** Dots an inch; undefined: as Xvfb has it, 96. */
  readonly dpi: number | undefined;
  /** What it is divided into; none: it is one monitor. */
  readonly monitors: readonly Monitor[];
}

/** What the parts are made from. */
export interface PartsPlan {
  readonly folders: DesktopFolders;
  readonly environment: Readonly<Record<string, string>>;
  readonly screen: Screen;
  /** What kind of display it is to have. */
  readonly kind: DisplayKind;
  readonly gl: boolean;
  readonly windowManager: boolean;
  /** Whether the session bus starts what lies in the folder of services. */
  readonly services: boolean;
  readonly programs: Programs;
  /** Told of each part as soon as it runs, so that it can be ended whatever happens next. */
  started(part: Part): void;
}

/** A display as the other parts of its desktop see it. */
export interface RunningDisplay {
  /** ":7", or "wayland:/path/of/socket". */
  readonly display: string;
  /** By which applications find it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Settles when the window manager is in charge. */
  readonly managed: Promise<void>;
  /** Told where the accessibility bus is, once that runs; answers with what applications have to be told of it. */
  accessible(bus: string, deadline: Deadline): Promise<Readonly<Record<string, string>>>;
}

/** Starts a part of the plan's desktop: one that is told of, so that it ends with the others. */
export type StartPart = (
  name: PartName,
  how: Pick<PartPlan, "args" | "speaks" | "user"> & {
    /** Beside the desktop's own. */
    readonly variables?: Readonly<Record<string, string>>;
    /** In place of the desktop's own. */
    readonly environment?: Readonly<Record<string, string>>;
  },
) => Promise<Part>;
