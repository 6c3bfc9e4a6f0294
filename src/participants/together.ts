import { toBackstepError } from "../base/error.ts";
import type { Desktop, ElementRef, ReadCall, StateBits } from "../desktop/desktop.ts";
import type { Anchor } from "./trail.ts";

/** An element that is on or off, as far as its states and its role tell. */
export type Flag = StateBits & { readonly role: number };

/**
 * The states of several elements of one application at one moment: asked of all at once where the desktop can, else each is
 * read. What is not where it was is found again by its trail.
 */
export async function statesOf(
  members: readonly Anchor[],
  desktop: Desktop,
  call: ReadCall,
): Promise<Flag[]> {
  const elements = members.flatMap(({ element }) => element ?? []);
  const states = elements.length === members.length ? await atOnce(elements, desktop, call) : [];
  const flags = states.flatMap((one, at) =>
    one ? [{ ...one, role: members[at]?.trail.at(-1)?.role ?? 0 }] : []
  );
  if (flags.length === members.length) return flags;
  return await Promise.all(
    members.map((member) =>
      member.with(desktop, call, (element) => desktop.read(element, { ...call, place: false }))
    ),
  );
}

/** None where they cannot be asked so, since they are of several processes, or one of them has been removed: then each is by itself. */
async function atOnce(
  elements: readonly ElementRef[],
  desktop: Desktop,
  call: ReadCall,
): Promise<readonly (StateBits | undefined)[]> {
  if (elements.some(({ bus }) => bus !== elements[0]?.bus)) return [];
  try {
    return await desktop.statesOf?.(elements, call) ?? [];
  } catch (thrown) {
    if (toBackstepError(thrown).code !== "stale") throw thrown;
    return [];
  }
}
