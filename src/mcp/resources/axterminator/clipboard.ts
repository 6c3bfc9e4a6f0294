import type { Deadline } from "../../../base/call.ts";
import type { Json } from "../../../base/error.ts";
import type { Desktop } from "../../../desktop/desktop.ts";

/** Characters of the clipboard that are told. */
const MOST = 50_000;

/** The clipboard's text; null: it holds none. */
export async function clipboardOf(desktop: Desktop, deadline: Deadline): Promise<Json> {
  const text = await desktop.readClipboard(deadline.call());
  if (text === undefined) return { text: null };
  return text.length <= MOST ? { text } : { text: text.slice(0, MOST), cut: true, length: text.length };
}
