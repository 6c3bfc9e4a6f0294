import type { Call } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import type { Image, Participant, PartlyRestored } from "../contract/participant.ts";
import type { Desktop, ElementRef, ReadCall, Reading } from "../desktop/desktop.ts";
import type { Application } from "../desktop/desktop.ts";
import { describeRow } from "../desktop/describe.ts";
import { isWeb } from "../desktop/toolkits.ts";
import { Role } from "../desktop/roles.ts";
import { Anchor, type Located } from "./trail.ts";

/** What a kind of element participant knows: how its state looks in a reading, and how it is written back. */
export interface ElementKind {
  readonly kind: string;
  /** For people: "text", "selection". */
  readonly aspect: string;
  image(reading: Reading): Image;
  /** Where `Desktop.read` is not the way to read it. Its place is not needed. */
  read?(desktop: Desktop, element: ElementRef, call: ReadCall): Promise<Reading>;
  restore(desktop: Desktop, element: ElementRef, image: Image, call: Call): Promise<string | PartlyRestored>;
}

/** `textfield "Name"`: how people and reports call an element. */
export function labelOf(located: Located): string {
  return describeRow(located.snapshot, located.row);
}

/** A participant that is one element and one aspect of it. */
export function elementParticipant(located: Located, kind: ElementKind): Participant {
  return participantAt(Anchor.of(located), `${kind.aspect} of ${labelOf(located)}`, kind);
}

/** The same where the element is known by its anchor only. */
export function participantAt(
  anchor: Anchor,
  label: string,
  kind: ElementKind,
  more: { readonly [key: string]: Json } = {},
): Participant {
  return {
    kind: kind.kind,
    key: keyOf(kind, anchor.key),
    label,
    ...copiedBy(anchor.application),
    ...drawnIn(anchor),
    // A cell of a spreadsheet that is scrolled away is brought into view.
    ...(anchor.trail.at(-1)?.role === Role.tableCell ? { moves: true } : {}),
    rowsIn: (snapshot) => anchor.rowsIn(snapshot),
    async capture(desktop, call) {
      const how: ReadCall = { ...call, place: false };
      const read = kind.read ?? ((_desktop, element) => desktop.read(element, how));
      return kind.image(await anchor.with(desktop, call, (element) => read(desktop, element, how)));
    },
    restore(image, desktop, call) {
      return anchor.with(desktop, call, (element) => kind.restore(desktop, element, image, call));
    },
    describe: (): Json => ({ kind: kind.kind, label, anchor: anchor.describe(), ...more }),
  };
}

/** By what a participant of this kind is told from others, of an anchor with this key. */
export function keyOf({ kind }: ElementKind, anchor: string): string {
  return `${kind} ${anchor}`;
}

/** What a participant says of what it is drawn in. */
export function drawnIn({ surface }: Pick<Anchor, "surface">): Pick<Participant, "surface"> {
  return surface === undefined ? {} : { surface };
}

/** What a participant says of an application that answers from a copy. */
export function copiedBy(application: Application): { readonly copied?: true } {
  return isWeb(application) ? { copied: true } : {};
}

/** The numbers of a list in an image; none for anything else. */
export function numbersIn(value: Json | undefined): number[] {
  return Array.isArray(value) ? value.filter((item): item is number => typeof item === "number") : [];
}

/** What a participant says of itself, with more to be added. */
export function mapOf(described: Json): { readonly [key: string]: Json } {
  return isMap(described) ? described : {};
}
