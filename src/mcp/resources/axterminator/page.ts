import type { McpSession } from "../../server/call.ts";
import { type DocumentPage, firstOf, nextOf } from "../../server/document-pages.ts";
import type { Json } from "../../../base/error.ts";
import { defined } from "../../../base/defined.ts";
import type { ResourceContents } from "../../server/resource.ts";
import { DATA_NOTE } from "../../server/untrusted.ts";

/**
 * A document as the contents of a resource: whole where it is small, else its first page, with `_meta.nextCursor`. For
 * the next page the client reads the same address with `?cursor=…`: see `nextPage`. `address` is the one that was asked
 * for, without a cursor.
 */
export function firstPage(session: McpSession, address: string, document: Json): ResourceContents {
  return contents(address, firstOf(session, address, document));
}

/** The page that a cursor means. Throws -32602 where the session has no such cursor for this address any more. */
export function nextPage(session: McpSession, address: string, cursor: string): ResourceContents {
  return contents(address, nextOf(session, address, cursor));
}

function contents(uri: string, { page, nextCursor }: DocumentPage): ResourceContents {
  return {
    uri,
    mimeType: "application/json",
    text: JSON.stringify(page),
    _meta: { note: DATA_NOTE, ...defined({ nextCursor }) },
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
