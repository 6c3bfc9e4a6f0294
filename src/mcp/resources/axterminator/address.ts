import { cursorOf } from "./page.ts";
import { ProtocolError, RESOURCE_NOT_FOUND } from "../../server/wire.ts";

/** What an address of this family means. */
export type Address =
  | { readonly what: "status" }
  | { readonly what: "apps" }
  | { readonly what: "clipboard" }
  | {
    readonly what: "tree";
    readonly app: string;
    /** One of its windows; absent: all of it. */
    readonly window: number | undefined;
    /** Where a tree of several pages goes on, and its address without that. */
    readonly page: { readonly address: string; readonly cursor: string | undefined };
  }
  | { readonly what: "screenshot" | "state" | "events"; readonly app: string };

const SCHEME = "axterminator://";
const WINDOW = /^app\/([^?#]+)\/window\/(\d{1,6})\/tree$/s;
const VIEW = /^app\/([^?#]+)\/(tree|screenshot|state|events)$/s;

/**
 * Takes an address apart; undefined: it is of another family. A `{name}` is percent-decoded, so that slashes and question
 * marks may stand in it. Throws -32002 for what this family does not have.
 */
export function parseAddress(uri: string): Address | undefined {
  if (!uri.toLowerCase().startsWith(SCHEME)) return undefined;
  const { address, cursor } = cursorOf(uri);
  const path = address.slice(SCHEME.length);
  if (cursor === undefined) {
    if (path === "system/status") return { what: "status" };
    if (path === "apps") return { what: "apps" };
    if (path === "clipboard") return { what: "clipboard" };
  }
  const [, window, index] = WINDOW.exec(path) ?? [];
  const page = { address, cursor };
  if (window !== undefined) return { what: "tree", app: decoded(window, uri), window: Number(index), page };
  const [, app, view] = VIEW.exec(path) ?? [];
  if (app !== undefined && view === "tree") {
    return { what: "tree", app: decoded(app, uri), window: undefined, page };
  }
  if (app !== undefined && cursor === undefined && isView(view)) {
    return { what: view, app: decoded(app, uri) };
  }
  throw noSuch(uri, "there is no such resource");
}

/** The address of what there is to see of an application. */
export function addressOf(name: string, view: "tree" | "screenshot" | "state" | "events"): string {
  return `${SCHEME}app/${encodeURIComponent(name)}/${view}`;
}

/** -32002, with what may help to put it right. */
export function noSuch(
  uri: string,
  why: string,
  data: { readonly [key: string]: string | readonly string[] } = {},
): ProtocolError {
  return new ProtocolError(RESOURCE_NOT_FOUND, `Resource not found: ${uri.slice(0, 500)}: ${why}`, {
    uri: uri.slice(0, 2_000),
    ...data,
  });
}

function isView(view: string | undefined): view is "screenshot" | "state" | "events" {
  return view === "screenshot" || view === "state" || view === "events";
}

function decoded(name: string, uri: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw noSuch(uri, "its name is not percent-encoded as it should be");
  }
}
