import { Deadline } from "../base/call.ts";
import { defined } from "../base/defined.ts";
import { type Json, toBackstepError } from "../base/error.ts";
import type { Image, Participant } from "../contract/participant.ts";
import { isOn, setChecked } from "../desktop/actions/set-checked.ts";
import { rowHas } from "../desktop/state-words.ts";
import { Role } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { isQt } from "../desktop/toolkits.ts";
import { checkGroupOf, checkGroupRows } from "./check-group.ts";
import { type ElementKind, elementParticipant, keyOf, mapOf } from "./element.ts";
import { Anchor, type Located } from "./trail.ts";

/** Whether a check box, switch or toggle button is on. */
export function toggleOf(located: Located): Participant {
  const beside = checkGroupRows(located);
  if (beside.length > 1) return checkGroupOf(located, beside);
  const toggle = elementParticipant(located, TOGGLE);
  const { snapshot } = located;
  const on = pressedAround(snapshot, located.row);
  return releasedBy(
    toggle,
    Anchor.of(located),
    on.map((row) => {
      const anchor = Anchor.of({ ...located, row, element: snapshot.element(row) });
      return { anchor, key: keyOf(TOGGLE, anchor.key) };
    }),
  );
}

/** How a toggle is read and written. */
export const TOGGLE: ElementKind = {
  kind: "toggle",
  aspect: "state",
  image(reading) {
    const checked = isOn(reading);
    return checked === undefined
      ? { properties: { checked: "mixed" }, unrestorable: { checked: "a mixed state cannot be set" } }
      : { properties: { checked } };
  },
  async restore(desktop, element, image, call) {
    const { checked } = image.properties;
    if (typeof checked !== "boolean") return "none";
    return (await setChecked(desktop, element, checked, Deadline.of(call, 5_000))).method;
  },
};

const ON: Image = { properties: { checked: true } };

/** Toggle buttons beside it that count: more are tools of many kinds. */
const MOST = 40;

/**
 * The toggle buttons around one that is off that are on: below the nearest ancestor that holds any. Where one of several is always on, it
 * can only be released by a press of that one.
 */
function pressedAround(snapshot: Snapshot, row: number): number[] {
  if (!isToggleButton(snapshot, row) || rowHas(snapshot, row, "checked")) return [];
  for (let up = snapshot.parent(row); up > 0; up = snapshot.parent(up)) {
    const on: number[] = [];
    for (let at = up + 1; at < snapshot.end(up); at++) {
      if (isToggleButton(snapshot, at) && rowHas(snapshot, at, "checked")) on.push(at);
    }
    if (on.length > 0) return on.slice(0, MOST);
  }
  return [];
}

/** GTK 4 gives its toggle buttons the role of push buttons, and Qt that of check boxes. */
function isToggleButton(snapshot: Snapshot, row: number): boolean {
  const role = snapshot.role(row);
  if (role === Role.checkBox) return isQt(snapshot.origin.application);
  return role === Role.toggleButton || role === Role.pushButton;
}

/** A toggle button that was on beside another, with the key of its participant. */
export interface OnBeside {
  readonly anchor: Anchor;
  /** Absent where another process enrolled it, and did not say. */
  readonly key?: string | undefined;
}

/** A toggle button that does not go off when it is pressed again, but when one of those is pressed that were on before it. */
export function releasedBy(toggle: Participant, own: Anchor, others: readonly OnBeside[]): Participant {
  if (others.length === 0) return toggle;
  return {
    ...toggle,
    beside: new Map(others.flatMap(({ key }) => key === undefined ? [] : [[key, ON]])),
    describe: (): Json => ({
      ...mapOf(toggle.describe()),
      others: others.map(({ anchor, key }) => ({ ...mapOf(anchor.describe()), ...defined({ key }) })),
    }),
    async restore(image, desktop, call) {
      try {
        return await toggle.restore(image, desktop, call);
      } catch (thrown) {
        if (toBackstepError(thrown).code !== "no_effect" || image.properties["checked"] !== false) {
          throw thrown;
        }
        const deadline = Deadline.of(call, 5_000);
        for (const { anchor } of others) {
          const { method } = await anchor.with(
            desktop,
            deadline.call(),
            (element) => setChecked(desktop, element, true, deadline),
          );
          const now = await own.with(
            desktop,
            deadline.call(),
            (element) => desktop.read(element, { ...deadline.call(), place: false }),
          );
          if (isOn(now) === false) return method;
        }
        throw thrown;
      }
    },
  };
}
