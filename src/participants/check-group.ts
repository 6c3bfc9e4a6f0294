import { Deadline } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import type { Participant } from "../contract/participant.ts";
import { isOn, setChecked } from "../desktop/actions/set-checked.ts";
import type { Desktop, ReadCall } from "../desktop/desktop.ts";
import { groupOf } from "../desktop/group.ts";
import { Role } from "../desktop/roles.ts";
import { isGtk4 } from "../desktop/toolkits.ts";
import { labelOf } from "./element.ts";
import { statesOf } from "./together.ts";
import { Anchor, type Located } from "./trail.ts";

/** Rows of the check boxes that stand beside this one, itself among them, where a click on one may clear another. */
export function checkGroupRows({ application, snapshot, row }: Located): number[] {
  if (!isGtk4(application) || snapshot.role(row) !== Role.checkBox) return [row];
  return groupOf(snapshot, row);
}

/**
 * The check boxes beside one another. GTK 4 (4.8) gives its radio buttons the role of check boxes, and nothing
 * distinguishes them before the click: all are looked at, and the rollback is to press first what was on, which clears what
 * took its place, and then to clear what is still on.
 */
export function checkGroupOf(located: Located, rows: readonly number[]): Participant {
  const { snapshot } = located;
  const members = rows.map((row) => Anchor.of({ ...located, row, element: snapshot.element(row) }));
  return checkGroupAt(members, rows.indexOf(located.row), `state of ${labelOf(located)} and those beside it`);
}

/** The same where the check boxes are known by their anchors only. */
export function checkGroupAt(members: readonly Anchor[], own: number, label: string): Participant {
  const look = async (desktop: Desktop, call: ReadCall): Promise<(boolean | "mixed")[]> =>
    (await statesOf(members, desktop, call)).map((one) => isOn(one) ?? "mixed");
  return {
    kind: "toggle",
    key: `toggles ${members[0]?.key ?? ""}`,
    label,
    rowsIn: (snapshot) => members.flatMap((one) => one.rowsIn(snapshot)),
    async capture(desktop, call) {
      const checked: Json[] = await look(desktop, call);
      if (checked[own] !== "mixed") return { properties: { checked } };
      return { properties: { checked }, unrestorable: { mixed: "a mixed state cannot be set" } };
    },
    async restore(image, desktop, call) {
      const { checked } = image.properties;
      if (!Array.isArray(checked)) return "none";
      const methods = new Set<string>();
      const deadline = Deadline.of(call, 5_000);
      for (const want of [true, false]) {
        // Read again where something was pressed in between: it may have cleared the rest.
        const now = await look(desktop, { ...deadline.call(), recent: true });
        for (const [at, anchor] of members.entries()) {
          if (checked[at] !== want || now[at] === want) continue;
          const done = await anchor.with(
            desktop,
            deadline.call(),
            (element) => setChecked(desktop, element, want, deadline),
          );
          if (done.method !== "none") methods.add(done.method);
        }
      }
      return [...methods].join(", ") || "none";
    },
    describe: (): Json => ({ kind: "check-group", label, own, members: members.map((m) => m.describe()) }),
  };
}
