import { Deadline } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import type { Image, Participant } from "../contract/participant.ts";
import { itemName, itemRows } from "../desktop/actions/items.ts";
import { type Place, placeOf } from "../desktop/actions/place.ts";
import { compositeOf } from "../desktop/actions/set-composite.ts";
import { Role } from "../desktop/roles.ts";
import { mapOf } from "./element.ts";
import type { Anchor } from "./trail.ts";

/**
 * The text of a field that gives what is written there to its box only once it is left. While it has the keyboard, and
 * the box tells something else or nothing, nobody knows whether its text was taken: it cannot be restored as it was then.
 */
export function untilTaken(text: Participant, anchor: Anchor): Participant {
  return {
    ...text,
    describe: (): Json => ({ ...mapOf(text.describe()), taken: true }),
    async capture(desktop, call): Promise<Image> {
      const image = await text.capture(desktop, call);
      const deadline = Deadline.of(call, 5_000);
      const taken = await anchor.with(desktop, call, async (field) => {
        return isTaken(await placeOf(desktop, field, deadline, ["text", "value", "selection"]));
      });
      if (taken) return image;
      return { ...image, unrestorable: { text: "whether it accepted the written value is not reported" } };
    },
  };
}

function isTaken({ snapshot, row }: Place): boolean {
  if (!snapshot.has(row, "focused")) return true;
  const box = compositeOf(snapshot, row);
  if (box < 0) return true;
  const shown = snapshot.text(row);
  if (snapshot.role(box) === Role.spinButton) {
    const value = snapshot.value(box);
    return value !== undefined && value.minimum < value.maximum && String(value.current) === shown;
  }
  const items = itemRows(snapshot, box);
  return (snapshot.selected(box) ?? []).some((index) => {
    const item = items[index];
    return item !== undefined && itemName(snapshot, item) === shown;
  });
}
