import { createHash } from "node:crypto";
import { differences } from "../../contract/participant.ts";
import type { Effect } from "../../contract/effect.ts";
import { isIncidental } from "../rollback/restore.ts";
import type { UndoEntry } from "../rollback/undo-log.ts";
import type { Mask } from "../secrets/mask.ts";

/** What an action was read back to have changed: enough to tell whether another one did the same, and no text of it. */
export interface StepChange {
  readonly effect: Effect;
  /** Of what it enrolled; passwords are left out. */
  readonly changed: readonly ChangedProperty[];
  /** The windows, dialogs and menus that stand are other ones than before. */
  readonly opened: boolean;
}

/** One property that an action changed. */
export interface ChangedProperty {
  /** Of what: "text", "toggle"… */
  readonly kind: string;
  readonly property: string;
  /** A checksum of what it was left as. */
  readonly left: string;
}

/** What an entry of the undo log says of its action. A secret leaves no checksum: a short one could be guessed by it. */
export function changeOf({ effect, beforeImages, opened }: UndoEntry, mask: Mask): StepChange {
  const changed = beforeImages.flatMap(({ participant, before, after }) => {
    if (after === undefined || before.secure || after.secure || isIncidental(before)) return [];
    return differences(participant.label, before, after).map(({ property, actual }): ChangedProperty => ({
      kind: participant.kind,
      property,
      left: createHash("sha256").update(JSON.stringify(mask.json(actual))).digest("hex").slice(0, 16),
    }));
  });
  return { effect, changed, opened: opened?.left !== undefined && opened.left.windows !== opened.before };
}
