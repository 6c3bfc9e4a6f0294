import { z } from "zod";
import type { Call } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";
import type { Participant } from "../contract/participant.ts";
import type { Application, Window } from "../desktop/desktop.ts";
import { reachManager } from "../session/reach-manager.ts";
import type { Session } from "../session/session.ts";
import { checkGroupAt } from "./check-group.ts";
import { untilTaken } from "./box-field.ts";
import { cellTextAt } from "./cell-text.ts";
import { checkedCellsAt } from "./checked-cells.ts";
import { chosenItemsAt } from "./chosen-items.ts";
import { chosenRowsAt } from "./chosen-rows.ts";
import { clipboardOf } from "./clipboard.ts";
import { participantAt } from "./element.ts";
import { EXPANSION } from "./expansion.ts";
import { filesOf } from "./files.ts";
import type { FileStore } from "./declared-file.ts";
import { focusOf } from "./focus.ts";
import { NUMBER, SPIN } from "./number.ts";
import { processOf } from "./process.ts";
import { radioGroupAt } from "./radio.ts";
import { scrolledBarsAt, scrolledContentAt } from "./scroll.ts";
import { onlyChosen, withItem } from "./combo-entry.ts";
import { selectionAt, shownAt, shownInsideAt } from "./selection.ts";
import { TEXT_SELECTION } from "./text-selection.ts";
import { TEXT, withScroll } from "./text.ts";
import { releasedBy, TOGGLE } from "./toggle.ts";
import { Anchor } from "./trail.ts";
import { managedFocus } from "./managed-focus.ts";
import { managedWindowAmong, managedWindowOf } from "./managed-window.ts";
import { shownWorkspaces } from "./shown-workspaces.ts";
import { windowOf } from "./window.ts";

const Trail = z.array(z.object({ role: z.number(), name: z.string(), id: z.string(), nth: z.number() }));
const Owner = { application: z.string(), pid: z.number() };
const Anchored = z.object({ ...Owner, trail: Trail });
type Anchored = z.infer<typeof Anchored>;
const label = z.string();
const Bars = z.object({
  kind: z.literal("scroll"),
  label,
  bars: z.array(z.object({ direction: z.string(), anchor: Anchored })),
});

/** Each participant in its own words, as `describe` answers them. The first that fits is meant. */
const Described = z.union([
  z.object({ kind: z.literal("clipboard") }),
  z.object({ kind: z.literal("files"), given: z.string(), path: z.string(), facts: z.boolean().optional() }),
  z.object({ kind: z.literal("process"), application: z.string() }),
  z.object({ kind: z.literal("focus"), ...Owner, trail: Trail }),
  z.object({ kind: z.literal("radio"), label, members: z.array(Anchored) }),
  z.object({ kind: z.literal("check-group"), label, own: z.number(), members: z.array(Anchored) }),
  z.object({
    kind: z.literal("toggle"),
    label,
    anchor: Anchored,
    others: z.array(Anchored.extend({ key: z.string().optional() })).optional(),
  }),
  z.object({ kind: z.literal("expansion"), label, anchor: Anchored }),
  z.object({ kind: z.literal("number"), label, anchor: Anchored }),
  z.object({ kind: z.literal("spin"), label, anchor: Anchored }),
  z.object({
    kind: z.literal("text"),
    label,
    anchor: Anchored,
    scrolled: Bars.optional(),
    taken: z.boolean().optional(),
    box: Anchored.optional(),
    fixed: z.boolean().optional(),
  }),
  z.object({ kind: z.literal("text-selection"), label, anchor: Anchored }),
  z.object({
    kind: z.literal("cell"),
    label,
    anchor: Anchored,
    at: z.object({ index: z.number(), beside: z.array(z.string()), count: z.number(), part: z.number() }),
  }),
  z.object({ kind: z.literal("window"), title: z.string(), pid: z.number() }),
  z.object({
    kind: z.literal("managed-window"),
    id: z.number(),
    title: z.string().nullable(),
    app: z.string().nullable(),
    pid: z.number().nullable(),
  }),
  z.object({ kind: z.literal("shown-workspaces") }),
  z.object({ kind: z.literal("managed-focus") }),
  z.object({ kind: z.literal("shown-inside"), label, anchor: Anchored }),
  z.object({ kind: z.literal("items"), label, anchor: Anchored }),
  z.object({ kind: z.literal("rows"), label, anchor: Anchored }),
  z.object({ kind: z.literal("checks"), label, anchor: Anchored }),
  z.object({ kind: z.literal("shown"), label, anchor: Anchored }),
  z.object({
    kind: z.literal("selection"),
    label,
    anchor: Anchored,
    silent: z.boolean(),
    box: Anchored.nullable(),
  }),
  Bars,
  z.object({
    kind: z.literal("scrolled-content"),
    label,
    area: Anchored,
    content: Anchored,
    document: z.boolean(),
  }),
]);

/** Kinds of what window managers and the window system know. */
type OfWindows = "window" | "managed-window" | "shown-workspaces" | "managed-focus";

/** Where participants of another process are to be found again. */
export interface Revival {
  readonly session: Session;
  /** What files held is kept here. */
  readonly store: FileStore;
}

/**
 * A participant that another process enrolled, from what it wrote down of it: elements are found by locator and
 * fingerprint, never by an address. `key` tells which of them were the same thing. Throws `app_not_running` when its
 * application is gone, `invalid` when the words are none.
 */
export async function revive(
  described: Json,
  key: string,
  { session, store }: Revival,
  call: Call,
): Promise<Participant> {
  const parsed = Described.safeParse(described);
  if (!parsed.success) {
    throw new BackstepError("invalid", "Cannot find again what was protected: its description is not known", {
      hint: "It was written by another version of backstep.",
    });
  }
  const { data } = parsed;
  if (data.kind === "window") {
    return { ...windowOf(theWindow(data, await session.desktop.windows(call))), key };
  }
  if (data.kind === "managed-window") {
    const reach = reachManager(session);
    const windows = await (await reach(call)).windows(call);
    return { ...managedWindowOf(reach, managedWindowAmong(data, windows)), key };
  }
  if (data.kind === "shown-workspaces") return { ...shownWorkspaces(reachManager(session)), key };
  if (data.kind === "managed-focus") return { ...managedFocus(reachManager(session)), key };
  const running = "given" in data || data.kind === "clipboard" || data.kind === "process"
    ? []
    : await session.desktop.applications(call);
  const anchor = (one: Anchored) => Anchor.at(theOne(one, running), one.trail);
  const bars = (one: z.infer<typeof Bars>) =>
    scrolledBarsAt(one.bars.map((b) => ({ ...b, anchor: anchor(b.anchor) })), one.label, key);
  return { ...participant(data), key };

  function participant(data: Exclude<z.infer<typeof Described>, { kind: OfWindows }>): Participant {
    switch (data.kind) {
      case "clipboard":
        return clipboardOf();
      case "files":
        return filesOf({
          given: data.given,
          path: data.path,
          store,
          late: session.kind !== "attached",
          plain: data.facts !== true,
        });
      case "process":
        return processOf(session.launcher, data.application);
      case "focus":
        return focusOf({ application: theOne(data, running) }, data.trail);
      case "radio":
        return radioGroupAt(data.members.map(anchor), data.label);
      case "check-group":
        return checkGroupAt(data.members.map(anchor), data.own, data.label);
      case "toggle":
        return releasedBy(
          participantAt(anchor(data.anchor), data.label, TOGGLE),
          anchor(data.anchor),
          (data.others ?? []).map((one) => ({ anchor: anchor(one), key: one.key })),
        );
      case "expansion":
        return participantAt(anchor(data.anchor), data.label, EXPANSION);
      case "number":
        return participantAt(anchor(data.anchor), data.label, NUMBER);
      case "spin":
        return participantAt(anchor(data.anchor), data.label, SPIN);
      case "text": {
        const plain = participantAt(anchor(data.anchor), data.label, TEXT);
        const text = data.taken === true ? untilTaken(plain, anchor(data.anchor)) : plain;
        if (data.box !== undefined) return withItem(text, anchor(data.box));
        if (data.fixed === true) return onlyChosen(text);
        return data.scrolled === undefined ? text : withScroll(text, bars(data.scrolled));
      }
      case "text-selection":
        return participantAt(anchor(data.anchor), data.label, TEXT_SELECTION);
      case "cell":
        return cellTextAt(anchor(data.anchor), data.label, data.at);
      case "shown-inside":
        return shownInsideAt(anchor(data.anchor), data.label);
      case "items":
        return chosenItemsAt(anchor(data.anchor), data.label);
      case "rows":
        return chosenRowsAt(anchor(data.anchor), data.label);
      case "checks":
        return checkedCellsAt(anchor(data.anchor), data.label);
      case "shown":
        return shownAt(anchor(data.anchor), data.label);
      case "selection": {
        const box = data.box === null ? undefined : anchor(data.box);
        return selectionAt(anchor(data.anchor), data.label, { box, silent: data.silent });
      }
      case "scroll":
        return bars(data);
      case "scrolled-content": {
        const { area, content, document } = data;
        return scrolledContentAt({ area: anchor(area), content: anchor(content), document }, data.label);
      }
    }
  }
}

/** The running application that is meant; where several have the name, the one with the process id. */
function theOne(
  { application, pid }: { readonly application: string; readonly pid: number },
  running: readonly Application[],
): Application {
  const named = running.filter((one) => (one.id ?? one.name) === application);
  const found = named.find((one) => one.pid === pid) ?? (named.length === 1 ? named[0] : undefined);
  if (found) return found;
  throw new BackstepError(
    named.length === 0 ? "app_not_running" : "ambiguous",
    named.length === 0
      ? `Cannot find ${application} again: it no longer runs`
      : `Cannot tell which ${application} is meant: ${named.length} run, and none is the one that was there`,
  );
}

/** The window of its process that has its title, or its only one. */
function theWindow(
  { title, pid }: { readonly title: string; readonly pid: number },
  windows: readonly Window[],
): Window {
  const own = windows.filter((one) => one.pid === pid && !one.popup);
  const named = own.filter((one) => one.title.slice(0, 200) === title);
  const found = named.length === 1 ? named[0] : own.length === 1 ? own[0] : undefined;
  if (found) return found;
  throw new BackstepError(
    "app_not_running",
    `Cannot find window ${JSON.stringify(title.slice(0, 60))} again`,
  );
}
