import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import { XConnection } from "../../x11/connection.ts";
import { openRandr, type Randr } from "../../x11/randr.ts";
import { getProperty, numbersOf, type Property } from "../../x11/requests.ts";
import { openXkb, type Xkb } from "../../x11/xkb.ts";
import type { Link } from "../connection.ts";
import { timed } from "../socket.ts";

/** The names of properties, types, states and messages that are used. */
const NAMES = [
  "UTF8_STRING",
  "WM_CLASS",
  "WM_CLIENT_MACHINE",
  "WM_HINTS",
  "WM_NAME",
  "_NET_ACTIVE_WINDOW",
  "_NET_CLIENT_LIST",
  "_NET_CLOSE_WINDOW",
  "_NET_CURRENT_DESKTOP",
  "_NET_DESKTOP_NAMES",
  "_NET_DESKTOP_VIEWPORT",
  "_NET_FRAME_EXTENTS",
  "_NET_MOVERESIZE_WINDOW",
  "_NET_NUMBER_OF_DESKTOPS",
  "_NET_SUPPORTED",
  "_NET_SUPPORTING_WM_CHECK",
  "_NET_WM_ACTION_MOVE",
  "_NET_WM_ALLOWED_ACTIONS",
  "_NET_WM_DESKTOP",
  "_NET_WM_NAME",
  "_NET_WM_PID",
  "_NET_WM_STATE",
  "_NET_WM_STATE_DEMANDS_ATTENTION",
  "_NET_WM_STATE_HIDDEN",
  "_NET_WM_WINDOW_TYPE",
  "_NET_WM_WINDOW_TYPE_DESKTOP",
  "_NET_WM_WINDOW_TYPE_DOCK",
  "_XKB_RULES_NAMES",
] as const;
/** Words of four bytes of a property that are read at most: 4096 windows, or 16 KiB of text. */
const MOST_WORDS = 4_096;

/** A name that the client uses. */
export type AtomName = typeof NAMES[number];

/** A connection to a display, with what its atoms and extensions are. */
export class EwmhLink implements Link {
  readonly x: XConnection;
  /** Undefined: the display has no RandR 1.5. */
  readonly randr: Randr | undefined;
  /** Undefined: the display has no X Keyboard Extension. */
  readonly xkb: Xkb | undefined;
  readonly #atoms: ReadonlyMap<AtomName, number>;

  private constructor(
    x: XConnection,
    atoms: ReadonlyMap<AtomName, number>,
    randr: Randr | undefined,
    xkb: Xkb | undefined,
  ) {
    this.x = x;
    this.#atoms = atoms;
    this.randr = randr;
    this.xkb = xkb;
  }

  /** Rejects with `no_desktop`, `timeout`, `cancelled`, `unsupported` and `invalid`. */
  static async open(display: string, authority: string | undefined, deadline: Deadline): Promise<EwmhLink> {
    const x = await XConnection.open(display, authority, deadline);
    try {
      const atoms = () => Promise.all(NAMES.map(async (name) => [name, await x.atom(name)] as const));
      const ask = () => Promise.all([atoms(), openRandr(x), openXkb(x)]);
      const [named, randr, xkb] = await answered(ask, `reach display ${display}`, deadline);
      return new EwmhLink(x, new Map(named), randr, xkb);
    } catch (error) {
      x.close();
      throw error;
    }
  }

  get root(): number {
    return this.x.screen.root;
  }

  get closed(): BackstepError | undefined {
    return this.x.closed;
  }

  get finished(): () => void {
    return this.x.finished;
  }

  set finished(finished: () => void) {
    this.x.finished = finished;
  }

  close(): void {
    this.x.close();
  }

  atom(name: AtomName): number {
    const atom = this.#atoms.get(name);
    if (atom === undefined) throw new BackstepError("internal", `Cannot name ${name}: it was not asked for`);
    return atom;
  }

  property(window: number, name: AtomName): Promise<Property | undefined> {
    return this.x.ask(getProperty(window, this.atom(name), MOST_WORDS));
  }

  /** A property of numbers; none where it is absent. */
  async numbers(window: number, name: AtomName): Promise<readonly number[]> {
    return numbersOf(await this.property(window, name));
  }
}

/** What is asked of a display, with a deadline. Rejects with a BackstepError. */
export function answered<T>(ask: () => Promise<T>, doing: string, deadline: Deadline): Promise<T> {
  return timed(deadline, doing, "unknown", (resolve, reject) => {
    ask().then(resolve, (error: unknown) => {
      if (error instanceof BackstepError) return reject(error);
      const why = error instanceof Error ? error.message : String(error);
      reject(new BackstepError("refused", `Cannot ${doing}: ${why}`, { cause: error }));
    });
    return () => {};
  });
}
