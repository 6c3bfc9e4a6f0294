import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { Attempts, type Done } from "./attempts.ts";
import { entryOf } from "./items.ts";
import { label } from "./label.ts";
import { placeOf } from "./place.ts";
import { setNumber } from "./set-number.ts";
import { setText } from "./set-text.ts";

/** Makes a spin button show this: by its number where that is another, and by its field where it still shows something else. */
export async function setShown(
  desktop: Desktop,
  spin: ElementRef,
  shown: string,
  number: number | undefined,
  deadline: Deadline,
): Promise<Done> {
  const before = await desktop.read(spin, deadline.call());
  const attempts = new Attempts(`make ${label(spin, before)} show ${JSON.stringify(shown)}`);
  let done = attempts.done("none", true);
  if (number !== undefined && before.value?.current !== number) {
    done = await setNumber(desktop, spin, number, deadline);
  }
  if ((await desktop.read(spin, deadline.call())).text === shown) return done;
  const { snapshot, row } = await placeOf(desktop, spin, deadline, ["text"]);
  const field = entryOf(snapshot, row);
  if (field !== undefined) {
    const written = await setText(desktop, snapshot.element(field), shown, deadline);
    return written.method === "none" ? done : written;
  }
  attempts.refuse("XTEST keys", "unsupported", "it has no field");
  throw attempts.failure();
}
