import { type Call, type Deadline, pause } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { done, find, noEffect, none, present, setFloating, type WmDone } from "./acts.ts";
import { type ManagedDesktop, readUntil, windowWords } from "./managed.ts";
import type { WmRect, WmWindow } from "./model.ts";

/** Sides of a window's content on the screen, in logical pixels; those left out stay. */
export type WmSides = { readonly [side in keyof WmRect]?: number | undefined };

const SIDES = ["x", "y", "width", "height"] as const;
/** Times that a place is corrected: decorations count into what is set, and not into what is asked. */
const CORRECTIONS = 6;
/** Milliseconds that one correction is given to show. */
const SHOWS = 600;
/** Milliseconds that a place has to stand. */
const STANDS = 100;
/** Steps that a tiled window is moved past its neighbours. */
const SHIFTS = 20;

/**
 * Has a window float, and puts its content where it is asked to be. Errors: `stale`, `refused`, `no_effect` where it lies
 * elsewhere, `unsupported` where the window manager does not tell where.
 */
export async function placeWindow(
  manager: ManagedDesktop,
  window: WmWindow,
  sides: WmSides,
  deadline: Deadline,
): Promise<WmDone> {
  const doing = `place ${windowWords(window)}`;
  const { id } = window;
  const floated = await setFloating(manager, window, true, deadline);
  let now = await placed(manager, window, doing, deadline.call());
  const goal: WmRect = {
    x: sides.x ?? now.content.x,
    y: sides.y ?? now.content.y,
    width: sides.width ?? now.content.width,
    height: sides.height ?? now.content.height,
  };
  if (isLike(now.content, goal, SIDES)) return floated;
  let set = now.rect;
  // A client of Wayland may yet draw itself as large as it was: what is read holds once a correction has stood for a moment.
  const stands = async (turn: number) => {
    if (turn > 0) {
      await pause(STANDS, deadline.signal);
      now = await placed(manager, window, doing, deadline.call());
    }
    return isLike(now.content, goal, SIDES);
  };
  for (let turn = 0; !await stands(turn) && turn < CORRECTIONS; turn++) {
    const { content } = now;
    set = {
      x: set.x,
      y: set.y,
      width: Math.max(1, set.width + goal.width - content.width),
      height: Math.max(1, set.height + goal.height - content.height),
    };
    if (!isLike(content, goal, ["width", "height"])) {
      const { width, height } = set;
      await manager.perform({ do: "resize", window: id, width, height }, deadline.call());
      now = await shown(manager, window, doing, deadline, (seen) => !isLike(seen, content, SIDES));
    }
    const by = { x: goal.x - now.content.x, y: goal.y - now.content.y };
    // What is set may lie elsewhere than what is read by as much as a decoration is wide.
    set = {
      ...set,
      x: (turn === 0 ? now.rect.x : set.x) + by.x,
      y: (turn === 0 ? now.rect.y : set.y) + by.y,
    };
    if (isLike(now.content, goal, ["x", "y"])) continue;
    await manager.perform({ do: "move", window: id, to: { x: set.x, y: set.y }, by }, deadline.call());
    const last = now.content;
    now = await shown(manager, window, doing, deadline, (seen) => !isLike(seen, last, SIDES));
  }
  if (isAt(now.content, goal)) return done(manager, "place");
  throw noEffect(
    doing,
    "it lies elsewhere",
    { wanted: { ...goal }, found: { ...now.content } },
    "The window may have a least or a fixed size, or the window manager may keep it on an output.",
  );
}

/** Moves a tiled window past its neighbours until it is where it was, as far as that goes. */
export async function retile(
  manager: ManagedDesktop,
  window: WmWindow,
  goal: WmRect,
  deadline: Deadline,
): Promise<WmDone> {
  let now = await find(manager, window.id, deadline.call());
  const workspace = now?.workspace_id;
  let steps = 0;
  for (; steps < SHIFTS && now && !now.is_floating && now.rect && !isAt(now.rect, goal); steps++) {
    const { rect } = now;
    const [dx, dy] = [goal.x - rect.x, goal.y - rect.y];
    if (Math.abs(dx) <= 1 && Math.abs(dy) <= 1) break;
    const towards = Math.abs(dx) >= Math.abs(dy) ? (dx < 0 ? "left" : "right") : dy < 0 ? "up" : "down";
    await manager.perform({ do: "shift", window: window.id, towards }, deadline.call());
    const seen = await readUntil(
      manager,
      (call) => find(manager, window.id, call),
      (next) => next?.rect !== null && next?.rect !== undefined && !isAt(next.rect, rect),
      deadline,
      SHOWS,
    );
    now = seen.last;
    if (!seen.held || now?.workspace_id !== workspace) break;
  }
  return steps === 0 ? none() : done(manager, "shift");
}

/** Does it lie there, give or take a pixel: a scaled output rounds. */
export function isAt(rect: WmRect, goal: WmRect): boolean {
  return isLike(rect, goal, SIDES, 1);
}

function isLike(rect: WmRect, goal: WmRect, sides: readonly (keyof WmRect)[], within = 0): boolean {
  return sides.every((side) => Math.abs(rect[side] - goal[side]) <= within);
}

interface Placed extends WmWindow {
  readonly rect: WmRect;
  readonly content: WmRect;
}

async function placed(
  manager: ManagedDesktop,
  window: WmWindow,
  doing: string,
  call: Call,
): Promise<Placed> {
  const now = await present(manager, window, doing, call);
  const { rect, content } = now;
  if (rect !== null && content !== null) return { ...now, rect, content };
  throw new BackstepError("unsupported", `Cannot ${doing}: ${manager.kind} does not say where it lies`, {
    hint: "niri says it of floating windows from version 25.08 on.",
  });
}

async function shown(
  manager: ManagedDesktop,
  window: WmWindow,
  doing: string,
  deadline: Deadline,
  holds: (content: WmRect) => boolean,
): Promise<Placed> {
  const read = (call: Call) => placed(manager, window, doing, call);
  return (await readUntil(manager, read, ({ content }) => holds(content), deadline, SHOWS)).last;
}
