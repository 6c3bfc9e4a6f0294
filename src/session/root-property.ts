import type { Deadline } from "../base/call.ts";
import { text } from "../x11/bytes.ts";
import { onDisplay } from "../x11/display-connection.ts";
import { ATOM_STRING, changeProperty } from "../x11/requests.ts";

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
  await onDisplay({ display, authority, doing, deadline }, async (connection) => {
    const atom = await connection.atom(name);
    await connection.tell(changeProperty(connection.screen.root, atom, ATOM_STRING, text(value)));
  });
}
