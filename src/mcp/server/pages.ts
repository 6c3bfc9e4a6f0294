import { Buffer } from "node:buffer";
import { INVALID_PARAMS, ProtocolError } from "./wire.ts";

/** Entries of a list that one answer carries: many clients ask for the first page only. */
export const PAGE = 200;

/** One page of a list, and where the next begins. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Absent: there is no more. */
  readonly nextCursor?: string;
}

/** The page that a cursor names; -32602 for one that is none of ours. */
export function pageOf<T>(all: readonly T[], cursor: string | undefined, size: number = PAGE): Page<T> {
  const from = cursor === undefined ? 0 : placeOf(cursor);
  const items = all.slice(from, from + size);
  return from + size < all.length ? { items, nextCursor: cursorOf(from + size) } : { items };
}

function cursorOf(place: number): string {
  return Buffer.from(`at:${place}`).toString("base64url");
}

function placeOf(cursor: string): number {
  const place = /^at:(\d{1,9})$/.exec(Buffer.from(cursor, "base64url").toString())?.[1];
  if (place === undefined) {
    throw new ProtocolError(
      INVALID_PARAMS,
      "Cannot go on with the list: the cursor is none of this server's",
      {
        cursor: cursor.slice(0, 100),
      },
    );
  }
  return Number(place);
}
