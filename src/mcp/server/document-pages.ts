import { randomBytes } from "node:crypto";
import type { Json } from "../../base/error.ts";
import type { McpSession } from "./call.ts";
import { split } from "./document-split.ts";
import { INVALID_PARAMS, ProtocolError } from "./wire.ts";

/** Bytes of one page of a document, after section 18 of the tool specification. */
const PAGE_BYTES = 100 * 1024;
/** Documents of which a session can read on; the one that was begun first is forgotten first. */
const KEPT = 8;

interface Kept {
  readonly name: string;
  readonly pages: readonly Json[];
}

/** What one session is reading page by page: all pages are of the same moment. */
const kept = new WeakMap<McpSession, Map<string, Kept>>();

/** One page of a document; see `split` for what pages look like. */
export interface DocumentPage {
  readonly page: Json;
  /** Absent: it is the last. */
  readonly nextCursor?: string;
}

/** A document whole where it is small, else its first page. `name` is what it has to be asked for by to read on. */
export function firstOf(session: McpSession, name: string, document: Json): DocumentPage {
  const pages = split(document, PAGE_BYTES);
  const [page = null] = pages;
  if (pages.length === 1) return { page };
  const mine = kept.get(session) ?? new Map<string, Kept>();
  kept.set(session, mine);
  const id = randomBytes(6).toString("hex");
  mine.set(id, { name, pages });
  const [oldest] = mine.keys();
  if (mine.size > KEPT && oldest !== undefined) mine.delete(oldest);
  return { page, nextCursor: `${id}-1` };
}

/** The page that a cursor means. Throws -32602 where the session has no such cursor of this document any more. */
export function nextOf(session: McpSession, name: string, cursor: string): DocumentPage {
  const [id = "", number = ""] = cursor.split("-");
  const document = kept.get(session)?.get(id);
  const at = /^\d{1,6}$/.test(number) ? Number(number) : 0;
  const page = document?.name === name && at > 0 ? document.pages[at] : undefined;
  if (document === undefined || page === undefined) {
    throw new ProtocolError(
      INVALID_PARAMS,
      `Cannot read on at cursor "${cursor.slice(0, 60)}": it is not known`,
      {
        uri: name,
        hint:
          `Cursors are of one session and address, and the last ${KEPT} documents; read it again without one.`,
      },
    );
  }
  return at + 1 < document.pages.length ? { page, nextCursor: `${id}-${at + 1}` } : { page };
}
