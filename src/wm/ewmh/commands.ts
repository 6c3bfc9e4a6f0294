import { BackstepError, type Json } from "../../base/error.ts";
import { isMap } from "../../base/json.ts";
import { unlessGone } from "../../x11/connection.ts";
import { isViewable, managerMessage } from "../../x11/requests.ts";
import type { AtomName, EwmhLink } from "./link.ts";
import { idOfDesktop, readRoot, type Root } from "./root.ts";
import { placesOf } from "./windows.ts";

/**
 * What a window manager that keeps to EWMH can be asked for: one action as a map. Those that niri has are written as for
 * niri. `reference` names a workspace; `focus` may be false alone, since EWMH does not follow a window. A window is placed by
 * its frame, as `rect` of `windows` has it, in pixels; what is left out stays.
 */
export type EwmhCommand =
  | { readonly FocusWindow: { readonly id: number } }
  | { readonly CloseWindow: { readonly id: number } }
  | { readonly FocusWorkspace: { readonly reference: { readonly Id: number } } }
  | {
    readonly MoveWindowToWorkspace: {
      readonly window_id: number;
      readonly reference: { readonly Id: number };
      readonly focus?: false;
    };
  }
  | {
    readonly PlaceWindow: {
      readonly id: number;
      readonly x?: number;
      readonly y?: number;
      readonly width?: number;
      readonly height?: number;
    };
  };

/** Says that a person asked, so that no window manager takes it for a program that wants attention. */
const PERSON = 2;
/** "The corner of the content goes there": i3 takes every place for that one. */
const STATIC = 10;
/** The largest number of pixels that X11 has. */
const MOST_PIXELS = 32_767;

type Fields = { readonly [key: string]: Json };

/** Sends a command. Rejects with `invalid`, `refused`, `unsupported` and `no_desktop`. */
export async function sendCommand(link: EwmhLink, command: Json): Promise<void> {
  const [name, ...others] = isMap(command) ? Object.keys(command) : [];
  const fields = isMap(command) && name !== undefined ? command[name] : undefined;
  const act = name === undefined ? undefined : ACTIONS.get(name);
  if (name === undefined || others.length > 0 || act === undefined || !isMap(fields)) {
    throw new BackstepError("invalid", "Cannot command the window manager: it takes one action as a map", {
      hint: `Write {"FocusWindow": {"id": 5}}, or another of ${[...ACTIONS.keys()].join(", ")}.`,
    });
  }
  const strange = Object.keys(fields).find((one) => !act.fields.includes(one));
  if (strange !== undefined) throw invalid(name, `it has no field "${strange.slice(0, 50)}"`);
  const doing = `have the window manager do ${name}`;
  const [root, supported] = await Promise.all([
    readRoot(link, doing),
    link.numbers(link.root, "_NET_SUPPORTED"),
  ]);
  if (!supported.includes(link.atom(act.message))) {
    throw new BackstepError("unsupported", `Cannot ${doing}: it does not support ${act.message}`);
  }
  const { window, data } = await act.compose(link, root, fields, doing);
  // The list of windows may be older than the windows.
  if (await unlessGone(link.x.ask(isViewable(window))) === undefined) throw noWindow(window, doing);
  await link.x.tell(managerMessage(link.root, window, link.atom(act.message), data));
}

interface Action {
  readonly fields: readonly string[];
  readonly message: AtomName;
  compose(
    link: EwmhLink,
    root: Root,
    fields: Fields,
    doing: string,
  ): { window: number; data: readonly number[] } | Promise<{ window: number; data: readonly number[] }>;
}

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["FocusWindow", {
    fields: ["id"],
    message: "_NET_ACTIVE_WINDOW",
    compose: (_, root, { id }, doing) => ({ window: windowIn(root, id, doing), data: [PERSON, 0, 0] }),
  }],
  ["CloseWindow", {
    fields: ["id"],
    message: "_NET_CLOSE_WINDOW",
    compose: (_, root, { id }, doing) => ({ window: windowIn(root, id, doing), data: [0, PERSON] }),
  }],
  ["FocusWorkspace", {
    fields: ["reference"],
    message: "_NET_CURRENT_DESKTOP",
    compose: (link, root, { reference }, doing) => ({
      window: link.root,
      data: [desktopIn(root, reference, doing), 0],
    }),
  }],
  ["MoveWindowToWorkspace", {
    fields: ["window_id", "reference", "focus"],
    message: "_NET_WM_DESKTOP",
    compose(_, root, { window_id, reference, focus = false }, doing) {
      if (focus !== false) throw invalid("MoveWindowToWorkspace", "EWMH does not follow a window");
      return {
        window: windowIn(root, window_id, doing),
        data: [desktopIn(root, reference, doing), PERSON],
      };
    },
  }],
  ["PlaceWindow", {
    fields: ["id", "x", "y", "width", "height"],
    message: "_NET_MOVERESIZE_WINDOW",
    compose: place,
  }],
]);

/** The message places and sizes the content. */
async function place(link: EwmhLink, root: Root, fields: Fields, doing: string) {
  const window = windowIn(root, fields["id"], doing);
  const x = pixels("x", fields["x"], -MOST_PIXELS), y = pixels("y", fields["y"], -MOST_PIXELS);
  const width = pixels("width", fields["width"], 1), height = pixels("height", fields["height"], 1);
  const places = await unlessGone(placesOf(link, window));
  if (places === undefined) throw noWindow(window, doing);
  const { rect, content } = places;
  const inner = (size: number | undefined, border: number) => size && Math.max(1, size - border);
  const values = [
    x === undefined ? undefined : x + content.x - rect.x,
    y === undefined ? undefined : y + content.y - rect.y,
    inner(width, rect.width - content.width),
    inner(height, rect.height - content.height),
  ];
  const given = values.reduce<number>(
    (bits, one, at) => one === undefined ? bits : bits | (1 << (8 + at)),
    0,
  );
  return { window, data: [STATIC | given | (PERSON << 12), ...values.map((one) => one ?? 0)] };
}

function pixels(name: string, value: Json | undefined, least: number): number | undefined {
  if (value === undefined) return undefined;
  const fits = typeof value === "number" && Number.isInteger(value) && value >= least && value <= MOST_PIXELS;
  if (!fits) throw invalid("PlaceWindow", `${name} is a whole number from ${least} to ${MOST_PIXELS}`);
  return value;
}

function windowIn(root: Root, id: Json | undefined, doing: string): number {
  if (typeof id === "number" && root.windows.includes(id)) return id;
  throw noWindow(id ?? null, doing);
}

function noWindow(id: Json, doing: string): BackstepError {
  return new BackstepError(
    "refused",
    `Cannot ${doing}: there is no window ${JSON.stringify(id).slice(0, 50)}`,
  );
}

function desktopIn(root: Root, reference: Json | undefined, doing: string): number {
  const id = isMap(reference) ? reference["Id"] : undefined;
  for (let desktop = 0; desktop < root.desktops; desktop++) if (idOfDesktop(desktop) === id) return desktop;
  const named = (JSON.stringify(reference) ?? "").slice(0, 50);
  throw new BackstepError("refused", `Cannot ${doing}: there is no workspace ${named}`, {
    hint: `Write {"Id": 1}; there are ${root.desktops}.`,
  });
}

function invalid(name: string, why: string): BackstepError {
  return new BackstepError("invalid", `Cannot command ${name}: ${why}`);
}
