import { Deadline } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";
import type { Participant } from "../contract/participant.ts";
import { isOn, setChecked } from "../desktop/actions/set-checked.ts";
import { groupOf } from "../desktop/group.ts";
import { copiedBy, drawnIn, labelOf, numbersIn } from "./element.ts";
import { statesOf } from "./together.ts";
import { Anchor, type Located } from "./trail.ts";

/**
 * Which buttons of a radio group are chosen: pressing one clears another, so that the rollback is to press the one that
 * was chosen. The group is the radio buttons below the nearest ancestor that holds more than one; where that holds two
 * groups, one of each is chosen, and each is restored.
 */
export function radioGroupOf(located: Located): Participant {
  const rows = groupOf(located.snapshot, located.row);
  const members = rows.map((row) => Anchor.of({ ...located, row, element: located.snapshot.element(row) }));
  return radioGroupAt(members, `choice in the group of ${labelOf(located)}`);
}

/** The same where the buttons are known by their anchors only. */
export function radioGroupAt(members: readonly Anchor[], label: string): Participant {
  return {
    kind: "radio",
    key: `radio ${members[0]?.key ?? label}`,
    label,
    ...(members[0] ? { ...copiedBy(members[0].application), ...drawnIn(members[0]) } : {}),
    rowsIn: (snapshot) => members.flatMap((one) => one.rowsIn(snapshot)),
    async capture(desktop, call) {
      const states = await statesOf(members, desktop, call);
      const positions = states.flatMap((one, at) => isOn(one) ? [at] : []);
      if (positions.length === 0) {
        return { properties: { chosen: [] }, unrestorable: { chosen: "none of the group was chosen" } };
      }
      return { properties: { chosen: positions } };
    },
    async restore(image, desktop, call) {
      const methods = new Set<string>();
      const deadline = Deadline.of(call, 5_000);
      for (const at of numbersIn(image.properties.chosen)) {
        const member = members[at];
        if (!member) {
          throw new BackstepError("unsupported", `Cannot restore ${label}: it had more buttons before`);
        }
        const done = await member.with(
          desktop,
          deadline.call(),
          (element) => setChecked(desktop, element, true, deadline),
        );
        if (done.method !== "none") methods.add(done.method);
      }
      return [...methods].join(", ") || "none";
    },
    describe: (): Json => ({ kind: "radio", label, members: members.map((m) => m.describe()) }),
  };
}
