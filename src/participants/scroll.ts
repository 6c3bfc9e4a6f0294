import { Deadline } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import type { Image, Participant } from "../contract/participant.ts";
import { setNumber } from "../desktop/hands/set-number.ts";
import { Interface } from "../desktop/interfaces.ts";
import { Role } from "../desktop/roles.ts";
import { labelOf } from "./element.ts";
import { Anchor, type Located } from "./trail.ts";

/**
 * How far an area is scrolled: the values of the scroll bars of the nearest ancestor (or itself) that has any. An area
 * whose toolkit shows no scroll bars to accessibility cannot be put back exactly, and its image says so.
 */
export function scrollOf(located: Located): Participant {
  const { snapshot } = located;
  let area = located.row;
  let bars: number[] = [];
  for (; area >= 0; area = snapshot.parent(area)) {
    bars = snapshot.children(area).flatMap((row) => {
      if (snapshot.role(row) !== Role.scrollBar) return [];
      // GTK 4 keeps the value in a child of the bar.
      const holder = [row, ...snapshot.children(row)].find((r) => snapshot.implements(r, Interface.value));
      return holder === undefined ? [] : [holder];
    });
    if (bars.length > 0) break;
  }
  const anchors = bars.map((row) => ({
    direction: snapshot.has(row, "horizontal") ? "horizontal" : "vertical",
    anchor: new Anchor({ ...located, row, element: snapshot.element(row) }),
  }));
  const owner = area < 0 ? located : { ...located, row: area, element: snapshot.element(area) };
  const label = `scroll position of ${labelOf(owner)}`;
  return {
    kind: "scroll",
    key: `scroll ${new Anchor(owner).key}`,
    label,
    async capture(desktop, call): Promise<Image> {
      if (anchors.length === 0) {
        return { properties: {}, unrestorable: { position: "it shows no scroll bars" } };
      }
      const properties: Record<string, Json> = {};
      for (const { direction, anchor } of anchors) {
        const reading = await anchor.with(desktop, call, (element) => desktop.read(element, call));
        properties[direction] = reading.value ? Math.round(reading.value.current) : null;
      }
      return { properties };
    },
    async restore(image, desktop, call) {
      const methods = new Set<string>();
      for (const { direction, anchor } of anchors) {
        const value = image.properties[direction];
        if (typeof value !== "number") continue;
        const done = await anchor.with(
          desktop,
          call,
          (element) => setNumber(desktop, element, value, Deadline.of(call, 5_000)),
        );
        if (done.method !== "none") methods.add(done.method);
      }
      return [...methods].join(", ") || "none";
    },
    describe: (): Json => ({ kind: "scroll", label, bars: anchors.map((a) => a.anchor.describe()) }),
  };
}
