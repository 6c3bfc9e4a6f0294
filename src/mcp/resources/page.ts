import { randomBytes } from "node:crypto";
import type { Json } from "../../base/error.ts";
import type { McpSession } from "../session.ts";
import { INVALID_PARAMS, ProtocolError } from "../wire.ts";
import type { ResourceContents } from "../resource.ts";
import { DATA_NOTE } from "../untrusted.ts";
import { split } from "./split.ts";

/** Bytes of one page of a resource, after section 18 of the tool specification. */
export const PAGE_BYTES = 100 * 1024;
/** Documents of which a session can read on; the one that was begun first is forgotten first. */
const KEPT = 8;

interface Kept {
  readonly address: string;
  readonly pages: readonly Json[];
}

/** What one session is reading page by page: all pages are of the same moment. */
const kept = new WeakMap<McpSession, Map<string, Kept>>();

/**
 * A document as the contents of a resource: whole where it is small, else its first page, with `_meta.nextCursor`. For
 * the next page the client reads the same address with `?cursor=…`: see `nextPage`, and `split` for what pages look like.
 * `address` is the one that was asked for, without a cursor.
 */
export function firstPage(session: McpSession, address: string, document: Json): ResourceContents {
  const pages = split(document, PAGE_BYTES);
  if (pages.length === 1) return contents(address, pages[0] ?? null, undefined);
  const mine = kept.get(session) ?? new Map<string, Kept>();
  kept.set(session, mine);
  const id = randomBytes(6).toString("hex");
  mine.set(id, { address, pages });
  const [oldest] = mine.keys();
  if (mine.size > KEPT && oldest !== undefined) mine.delete(oldest);
  return contents(address, pages[0] ?? null, `${id}-1`);
}

/** The page that a cursor means. Throws -32602 where the session has no such cursor for this address any more. */
export function nextPage(session: McpSession, address: string, cursor: string): ResourceContents {
  const [id = "", number = ""] = cursor.split("-");
  const document = kept.get(session)?.get(id);
  const at = /^\d{1,6}$/.test(number) ? Number(number) : 0;
  const page = document?.address === address && at > 0 ? document.pages[at] : undefined;
  if (document === undefined || page === undefined) {
    throw new ProtocolError(
      INVALID_PARAMS,
      `Cannot read on at cursor "${cursor.slice(0, 60)}": it is not known`,
      {
        uri: address,
        hint:
          `Cursors are of one session and address, and the last ${KEPT} documents; read it again without one.`,
      },
    );
  }
  return contents(address, page, at + 1 < document.pages.length ? `${id}-${at + 1}` : undefined);
}

function contents(uri: string, document: Json, nextCursor: string | undefined): ResourceContents {
  return {
    uri,
    mimeType: "application/json",
    text: JSON.stringify(document),
    _meta: { note: DATA_NOTE, ...(nextCursor === undefined ? {} : { nextCursor }) },
  };
}

/** An address without its cursor, where it has one as a parameter of its query: the last `?` begins it. */
export function cursorOf(uri: string): { readonly address: string; readonly cursor: string | undefined } {
  const found = /^(.*)([?&])cursor=([0-9A-Za-z%-]{0,100})(?:&(.*))?$/s.exec(uri);
  if (found === null) return { address: uri, cursor: undefined };
  const [, before = "", mark = "", cursor = "", after] = found;
  const rest = after === undefined || after === "" ? "" : `${mark}${after}`;
  return { address: before + rest, cursor };
}
