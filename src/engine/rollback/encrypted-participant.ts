import { BackstepError, type Json } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";
import type { Image, Participant } from "../../contract/participant.ts";
import type { UndoEntry } from "./undo-log.ts";
import { MASK, type Mask } from "../secrets/mask.ts";

const WHY = "a secret stood there, which is written down nowhere";

/**
 * A participant of a run that another process had begun: secrets are masked in what was written down of it, so that what is
 * read now is compared with them masked, and what was masked is never written.
 */
export function encryptedParticipant(participant: Participant, mask: Mask): Participant {
  return {
    ...participant,
    async capture(desktop, call) {
      return masked(await participant.capture(desktop, call), mask);
    },
    async restore(image, desktop, call) {
      if (!isMaskedImage(image) && !Object.values(image.unrestorable ?? {}).includes(WHY)) {
        return await participant.restore(image, desktop, call);
      }
      throw new BackstepError("secure", `Cannot put ${participant.label} back: ${WHY}`, {
        hint: "Restore it yourself.",
      });
    },
  };
}

/**
 * What held a secret before an action cannot be written back. Where an earlier action that is rolled back too says how the same
 * thing was before, it goes back to that at once; elsewhere it is named as what is lost, and never counts as restored.
 */
export function reachBack(entries: readonly UndoEntry[]): UndoEntry[] {
  return entries.map((entry, index) => {
    if (!entry.beforeImages.some(({ before }) => isMaskedImage(before))) return entry;
    const since = entries.slice(0, index).findLastIndex(({ barrier }) => barrier) + 1;
    const earlier = entries.slice(since, index).flatMap(({ beforeImages: images }) => images);
    const images = entry.beforeImages.map((one) => {
      if (!isMaskedImage(one.before)) return one;
      const first = earlier.find((other) =>
        other.participant.key === one.participant.key && !isMaskedImage(other.before)
      );
      return { ...one, before: first?.before ?? lost(one.before) };
    });
    return { ...entry, beforeImages: images };
  });
}

function lost(image: Image): Image {
  const all = Object.entries(image.properties);
  const gone = all.filter(([, value]) => holdsMask(value)).map(([property]) => [property, WHY] as const);
  return {
    ...image,
    properties: Object.fromEntries(all.filter(([, value]) => !holdsMask(value))),
    unrestorable: { ...image.unrestorable, ...Object.fromEntries(gone) },
  };
}

/** Does it hold what cannot be written: the mask of a secret? */
function isMaskedImage({ properties }: Image): boolean {
  return holdsMask(properties);
}

function masked(image: Image, mask: Mask): Image {
  const { properties, ...rest } = image;
  const hidden = mask.json({ properties });
  const kept = isMap(hidden) && isMap(hidden["properties"]) ? hidden["properties"] : properties;
  return { ...rest, properties: kept };
}

function holdsMask(value: Json): boolean {
  if (typeof value === "string") return value.includes(MASK);
  if (isList(value)) return value.some(holdsMask);
  return isMap(value) && Object.values(value).some(holdsMask);
}
