import type { Deadline } from "../base/call.ts";
import { onDisplay, request, text, u32 } from "./display-connection.ts";

/** A request of the X11 core protocol. */
const CHANGE_PROPERTY = 18;
/** The predefined atom STRING. */
const STRING = 31;

/**
 * Writes a text property on the root window of a display of ours, whose authority file lets us in, and has the
 * server confirm that it did. Rejects with `no_desktop` or `timeout`.
 */
export async function setRootProperty(
  display: string,
  authority: string,
  name: string,
  value: string,
  deadline: Deadline,
): Promise<void> {
  const doing = `set ${name} on display ${display}`;
  await onDisplay({ display, authority, doing, deadline }, async ({ root, atom, tell }) => {
    const bytes = text(value);
    const change = [u32(root), u32(await atom(name)), u32(STRING), u32(8), u32(bytes.length), bytes];
    await tell(request(CHANGE_PROPERTY, 0, change));
  });
}
