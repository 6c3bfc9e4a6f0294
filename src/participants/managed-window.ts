import { Deadline } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";
import type { Image, Participant } from "../contract/participant.ts";
import { find, sendWindow, setFloating, workspaceOfKey } from "../wm/acts.ts";
import { type ReachManager, windowWords, workspaceKey } from "../wm/managed.ts";
import type { WmRect, WmWindow } from "../wm/model.ts";
import { placeWindow, retile } from "../wm/place.ts";
import { numbersIn } from "./element.ts";

/** Milliseconds for all that is written back of one window. */
const RESTORE = 5_000;

/**
 * The workspace of a window, whether it floats, and where it lies if so, by the window manager's own account. The place of
 * a tiled window is the tiling's: it goes back as far as its order does.
 */
export function managedWindowOf(reach: ReachManager, window: WmWindow): Participant {
  const { id } = window;
  const label = `place and workspace of ${windowWords(window)}`;
  return {
    kind: "managed-window",
    key: `managed window ${id}`,
    label,
    async capture(_desktop, call): Promise<Image> {
      const manager = await reach(call);
      const now = await find(manager, id, call);
      if (now === undefined) throw new BackstepError("stale", `Cannot read the ${label}: it is closed`);
      const on = (await manager.workspaces(call)).find((one) => one.id === now.workspace_id);
      return {
        properties: {
          workspace: on === undefined ? null : workspaceKey(manager.kind, on),
          floating: now.is_floating,
          ...(now.is_floating && now.content ? { rect: numbersOf(now.content) } : {}),
        },
        incidental: {
          // A tiled window that is not shown has the place that it had when it was.
          ...(now.is_floating || !now.rect || on?.is_active !== true ? {} : { tile: numbersOf(now.rect) }),
        },
      };
    },
    async restore({ properties, incidental = {} }, _desktop, call) {
      const deadline = Deadline.of(call, RESTORE);
      const manager = await reach(deadline.call());
      const methods: string[] = [];
      const { workspace, floating } = properties;
      if (typeof workspace === "string") {
        const target = workspaceOfKey(manager, workspace, await manager.workspaces(deadline.call()));
        methods.push((await sendWindow(manager, window, target, deadline)).method);
      }
      if (floating === false) methods.push((await setFloating(manager, window, false, deadline)).method);
      const rect = rectIn(properties["rect"]), tile = rectIn(incidental["tile"]);
      if (rect) methods.push((await placeWindow(manager, window, rect, deadline)).method);
      else if (tile) methods.push((await retile(manager, window, tile, deadline)).method);
      return methods.filter((one) => one !== "none").join(", ") || "none";
    },
    describe: (): Json => ({
      kind: "managed-window",
      id,
      title: window.title?.slice(0, 200) ?? null,
      app: window.app_id,
      pid: window.pid,
    }),
  };
}

/** A window that another process described: by its id, else the only one that is called the same. */
export function managedWindowAmong(
  described: {
    readonly id: number;
    readonly title: string | null;
    readonly app: string | null;
    readonly pid: number | null;
  },
  windows: readonly WmWindow[],
): WmWindow {
  const { id, title, app, pid } = described;
  // i3 gives new ids when it restarts in place, and an id may come again.
  const own = windows.filter((one) => one.app_id === app && one.pid === pid);
  const named = own.filter((one) => (one.title?.slice(0, 200) ?? null) === title);
  const found = own.find((one) => one.id === id) ?? (named.length === 1 ? named[0] : undefined);
  if (found !== undefined) return found;
  throw new BackstepError("app_not_running", `Cannot find ${windowWords({ id, title })} again`);
}

function numbersOf({ x, y, width, height }: WmRect): number[] {
  return [x, y, width, height];
}

function rectIn(value: Json | undefined): WmRect | undefined {
  const [x, y, width, height] = numbersIn(value);
  return x === undefined || y === undefined || width === undefined || height === undefined
    ? undefined
    : { x, y, width, height };
}
