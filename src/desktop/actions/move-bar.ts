import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import type { Attempts, Done } from "./attempts.ts";
import { until } from "./read-back.ts";

/**
 * Moves a scroll bar by pixels, as far as it goes. `moved` is false where it is at its end already; undefined: it has no value, or
 * does not take one.
 */
export async function moveBar(
  desktop: Desktop,
  bar: ElementRef,
  by: number,
  attempts: Attempts,
  deadline: Deadline,
  how: { readonly prepares?: true } = {},
): Promise<Done & { readonly moved: boolean } | undefined> {
  const { value } = await desktop.read(bar, { ...deadline.call(), recent: true, place: false });
  if (value === undefined) return undefined;
  const wanted = Math.min(value.maximum, Math.max(value.minimum, value.current + by));
  if (wanted === value.current) return { ...attempts.done("none", true), moved: false };
  const done = await attempts.attempt("Value.CurrentValue", async () => {
    await desktop.act(bar, { do: "setValue", value: wanted }, { ...deadline.call(), ...how });
    return (await until(desktop, bar, (now) => now.value?.current !== value.current, deadline)).held;
  });
  return done && { ...done, moved: true };
}
