import { type Call, Deadline } from "../base/call.ts";
import { defined } from "../base/defined.ts";
import type { Json } from "../base/error.ts";
import type { Image, Participant } from "../contract/participant.ts";
import type { Desktop, ElementRef, ReadCall } from "../desktop/desktop.ts";
import { barsIn, valueOfBar } from "../desktop/scroll-bars.ts";
import { offsetOf, type Scroller, scrollersOf, scrollToOffset } from "../desktop/actions/scroll-content.ts";
import { setNumber } from "../desktop/actions/set-number.ts";
import { labelOf } from "./element.ts";
import { Anchor, type Located } from "./trail.ts";

/**
 * How far everything is scrolled that may scroll an element: by scroll bars, or where the toolkit has none, by where the
 * content of each lies, the innermost first.
 */
export function scrollsOf(located: Located): Participant[] {
  const scrollers = scrollersOf(located.application, located.snapshot, located.row);
  if (scrollers.length === 0) return [scrolledBars(located, barsOf(located))];
  return scrollers.map((scroller) => scrolledContent(located, scroller));
}

function scrolledContent(located: Located, { area, content, document }: Scroller<number>): Participant {
  const at = (row: number) => ({ ...located, row, element: located.snapshot.element(row) });
  const anchors = { area: Anchor.of(at(area)), content: Anchor.of(at(content)), document };
  return scrolledContentAt(anchors, `scroll position of ${labelOf(at(area))}`);
}

/** The same where area and content are known by their anchors only. */
export function scrolledContentAt(anchors: Scroller<Anchor>, label: string): Participant {
  const { document } = anchors;
  const within = <R>(desktop: Desktop, call: Call, action: (scroller: Scroller<ElementRef>) => Promise<R>) =>
    anchors.area.with(
      desktop,
      call,
      (area) => anchors.content.with(desktop, call, (content) => action({ area, content, document })),
    );
  return {
    kind: "scroll",
    // Places are told from what lies in it: of two steps each may have another.
    key: `scroll ${anchors.area.key} by ${anchors.content.key}`,
    label,
    async capture(desktop, call): Promise<Image> {
      const deadline = Deadline.of(call, 5_000);
      const offset = await within(desktop, call, (scroller) => {
        return offsetOf(desktop, scroller, { ...deadline.call(), ...defined({ recent: call.recent }) });
      });
      if (offset === undefined) {
        return { properties: {}, unrestorable: { position: "its content has no place on the screen" } };
      }
      return { properties: { x: offset.x, y: offset.y } };
    },
    async restore(image, desktop, call) {
      const { x, y } = image.properties;
      if (typeof x !== "number" || typeof y !== "number") return "none";
      const done = await within(desktop, call, (scroller) => {
        return scrollToOffset(desktop, scroller, { x, y }, Deadline.of(call, 10_000));
      });
      return done.method;
    },
    describe: (): Json => ({
      kind: "scrolled-content",
      label,
      area: anchors.area.describe(),
      content: anchors.content.describe(),
      document,
    }),
  };
}

/** The scroll bars of an area, as rows. */
interface Bars {
  readonly area: number;
  readonly rows: readonly number[];
}

/** Those of the nearest ancestor (or itself) that has any. */
function barsOf({ snapshot, row }: Located): Bars {
  let area = row;
  let rows: number[] = [];
  for (; area >= 0; area = snapshot.parent(area)) {
    rows = barsIn(snapshot, area).flatMap((row) => valueOfBar(snapshot, row) ?? []);
    if (rows.length > 0) break;
  }
  return { area, rows };
}

/**
 * How far an area is scrolled: the values of the scroll bars of the nearest ancestor (or itself) that has any. An area
 * whose toolkit shows no scroll bars to accessibility cannot be restored exactly, and its image says so.
 */
function scrolledBars(located: Located, { area, rows }: Bars): Participant {
  const { snapshot } = located;
  const anchors = rows.map((row) => ({
    direction: snapshot.has(row, "horizontal") ? "horizontal" : "vertical",
    anchor: Anchor.of({ ...located, row, element: snapshot.element(row) }),
  }));
  const owner = area < 0 ? located : { ...located, row: area, element: snapshot.element(area) };
  return scrolledBarsAt(
    anchors,
    `scroll position of ${labelOf(owner)}`,
    `scroll ${Anchor.of(owner).key}`,
  );
}

/** A scroll bar, and which way it goes. */
export interface Bar {
  readonly direction: string;
  readonly anchor: Anchor;
}

/** The same where the bars are known by their anchors only. */
export function scrolledBarsAt(anchors: readonly Bar[], label: string, key: string): Participant {
  return {
    kind: "scroll",
    key,
    label,
    async capture(desktop, call): Promise<Image> {
      if (anchors.length === 0) {
        return { properties: {}, unrestorable: { position: "it shows no scroll bars" } };
      }
      const properties: Record<string, Json> = {};
      for (const { direction, anchor } of anchors) {
        const how: ReadCall = { ...call, place: false };
        const reading = await anchor.with(desktop, call, (element) => desktop.read(element, how));
        properties[direction] = reading.value ? Math.round(reading.value.current) : null;
      }
      return { properties };
    },
    async restore(image, desktop, call) {
      const methods = new Set<string>();
      const deadline = Deadline.of(call, 5_000);
      for (const { direction, anchor } of anchors) {
        const value = image.properties[direction];
        if (typeof value !== "number") continue;
        const done = await anchor.with(
          desktop,
          deadline.call(),
          (element) => setNumber(desktop, element, value, deadline),
        );
        if (done.method !== "none") methods.add(done.method);
      }
      return [...methods].join(", ") || "none";
    },
    describe: (): Json => ({
      kind: "scroll",
      label,
      bars: anchors.map((a) => ({ direction: a.direction, anchor: a.anchor.describe() })),
    }),
  };
}
