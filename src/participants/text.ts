import { Deadline } from "../base/call.ts";
import { toBackstepError } from "../base/error.ts";
import type { Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import type { Participant } from "../contract/participant.ts";
import type { ReadCall, Reading } from "../desktop/desktop.ts";
import { scrollersOf } from "../desktop/actions/scroll-content.ts";
import { compositeOf } from "../desktop/actions/set-composite.ts";
import { setText } from "../desktop/actions/set-text.ts";
import { readCell } from "../desktop/actions/set-cell.ts";
import { contentOf } from "../desktop/content.ts";
import { isSheetCell, sourceOf } from "../desktop/actions/sheet-cell.ts";
import { Role } from "../desktop/roles.ts";
import { hasState, State } from "../desktop/states.ts";
import { type ElementKind, elementParticipant, mapOf } from "./element.ts";
import { undoTo } from "./own-undo.ts";
import { scrollsOf } from "./scroll.ts";
import { untilTaken } from "./box-field.ts";
import { Anchor, type Located } from "./trail.ts";

/**
 * The text of an entry or text area, with its caret as far as that goes. Where lines can be broken it goes back by the
 * application's own undo if that reads back exact, else it is written. The text of a password field is never read:
 * undoing clears it, and says that this is not what was there.
 */
export function textOf(located: Located): Participant {
  const text = plainTextOf(located);
  const [bars, ...others] = isLong(located) ? scrollsOf(located) : [];
  return bars === undefined || others.length > 0 ? text : withScroll(text, bars);
}

/** Is it a text in which lines can be broken, with scroll bars of its own? */
function isLong({ application, snapshot, row }: Located): boolean {
  return snapshot.has(row, "multiLine") && scrollersOf(application, snapshot, row).length === 0;
}

/** How far a text is scrolled goes with it as its caret does: whatever writes into it scrolls to what it wrote. */
export function withScroll(text: Participant, bars: Participant): Participant {
  return {
    ...text,
    describe: (): Json => ({ ...mapOf(text.describe()), scrolled: bars.describe() }),
    async capture(desktop, call) {
      const image = await text.capture(desktop, call);
      const scroll = await attempt(() => bars.capture(desktop, call));
      return scroll ? { ...image, incidental: { ...image.incidental, scroll: scroll.properties } } : image;
    },
    async restore(image, desktop, call) {
      const method = await text.restore(image, desktop, call);
      const scroll = image.incidental?.["scroll"];
      if (isMap(scroll)) await attempt(() => bars.restore({ properties: scroll }, desktop, call));
      return method;
    },
  };
}

/** What is incidental fails nothing; only an interrupt is heard. */
async function attempt<R>(action: () => Promise<R>): Promise<R | undefined> {
  try {
    return await action();
  } catch (thrown) {
    if (toBackstepError(thrown).code === "cancelled") throw thrown;
    return undefined;
  }
}

function plainTextOf(located: Located): Participant {
  const text = elementParticipant(located, TEXT);
  return compositeOf(located.snapshot, located.row) < 0 ? text : untilTaken(text, Anchor.of(located));
}

/** How a text is read and written. */
export const TEXT: ElementKind = {
  kind: "text",
  aspect: "text",
  async read(desktop, element, call) {
    const reading = await desktop.read(element, call);
    return isSheetCell(reading) ? await readCell(desktop, element, Deadline.of(call, 5_000)) : reading;
  },
  image(reading) {
    if (reading.role === Role.passwordText) {
      return {
        properties: {},
        unrestorable: { text: "the content of a password field is never read" },
        secure: true,
      };
    }
    if (reading.text === undefined) {
      return { properties: {}, unrestorable: { text: "the application does not let it be read" } };
    }
    if (isSheetCell(reading)) return { properties: { text: sourceOf(reading) ?? "" } };
    if (reading.textCut) {
      return { properties: {}, unrestorable: { text: "it is longer than what is read back" } };
    }
    return {
      properties: { text: contentOf(reading) ?? reading.text },
      incidental: { caret: reading.caret },
    };
  },
  async restore(desktop, element, image, call) {
    const text = image.properties.text;
    // What could not be read must not be overwritten; only a password is cleared, since what we typed may not stay.
    if (typeof text !== "string" && image.secure !== true) return "none";
    const deadline = Deadline.of(call, 5_000);
    // What the write read back does, where nothing was sent since.
    const recently: ReadCall = { ...call, recent: true, place: false };
    const { exact, sent } = typeof text === "string"
      ? await undoTo(desktop, element, text, deadline.within(deadline.remaining() / 2))
      : { exact: false, sent: "" };
    const method = exact ? sent : [sent, await written()].filter((part) => part !== "").join(", ");
    const caret = image.incidental?.caret;
    if (typeof caret === "number" && caret >= 0) await restoreCaret(caret);
    if (method === "none" || !isRich(await desktop.read(element, recently))) return method;
    return { method, left: { formatting: "what is typed comes without the formatting that was there" } };

    async function written(): Promise<string> {
      return (await setText(desktop, element, typeof text === "string" ? text : "", deadline)).method;
    }

    async function restoreCaret(at: number) {
      const now = await desktop.read(element, recently);
      if (now.caret !== at && now.text !== undefined && at <= [...now.text].length) {
        await desktop.act(element, { do: "caret", at }, call).catch(ignoreUnsupported);
      }
    }
  },
};

/** What a page shows of its own that can be written in: it may hold bold text, links and pictures, which nobody can type. */
function isRich(reading: Reading): boolean {
  const { tag } = reading.attributes;
  // Firefox: "AM" in a field for a time is text that is completed, and nothing else.
  if (hasState(reading.statesLow, reading.statesHigh, State.supportsAutocompletion)) return false;
  return tag !== undefined && tag !== "input" && tag !== "textarea";
}

/** A caret is incidental: a toolkit that cannot set one is no failure of the text's rollback. */
function ignoreUnsupported(thrown: unknown): void {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  if (code !== "unsupported" && code !== "refused") throw thrown;
}
