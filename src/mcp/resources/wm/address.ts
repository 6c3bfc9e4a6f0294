import { INVALID_PARAMS, ProtocolError } from "../../server/wire.ts";
import { noSuch } from "../axterminator/address.ts";

/** What an address of this family means, without its query. */
export type WmAddress =
  | { readonly what: Single }
  | { readonly what: "output" | "modes" | "workspaces"; readonly output: string }
  | { readonly what: "workspace" | "workspace-windows"; readonly output: string; readonly workspace: number }
  | {
    readonly what: "window";
    readonly id: number;
    /** The workspace that the address names it below; absent: none. */
    readonly below?: { readonly output: string; readonly workspace: number };
  }
  | { readonly what: "layer"; readonly id: string };

/** What there is one of. */
type Single =
  | "roots"
  | "outputs"
  | "windows"
  | "layers"
  | "keyboard-layouts"
  | "keyboard-layout"
  | "overview-state";
/** Every kind of resource. */
export type WmWhat = WmAddress["what"];

export const SCHEME = "niri://";

/** The addresses without a variable. */
const SINGLES: ReadonlyMap<string, Single> = new Map([
  ["", "roots"],
  ["outputs", "outputs"],
  ["windows", "windows"],
  ["layers", "layers"],
  ["keyboard-layouts", "keyboard-layouts"],
  ["keyboard-layouts/current", "keyboard-layout"],
  ["overview-state", "overview-state"],
]);

/** Is it of this family? */
export function isWmUri(uri: string): boolean {
  return uri.slice(0, SCHEME.length).toLowerCase() === SCHEME;
}

/**
 * Takes apart what stands before the query. Segments are percent-decoded one by one: WHATWG's parser would fold `..`, and
 * a name may hold slashes. One slash at the end is accepted. Throws -32002 for what this family does not have.
 */
export function parseAddress(path: string, uri: string): WmAddress {
  const text = path.endsWith("/") ? path.slice(0, -1) : path;
  const single = SINGLES.get(text);
  if (single !== undefined) return { what: single };
  const [root = "", name = "", ...rest] = text.split("/").map((segment) => decoded(segment, uri));
  if (text.split("/").some((segment) => segment === "")) throw unknown(uri, "a segment of its path is empty");
  if (root === "outputs") return below(name, rest, uri);
  if (rest.length === 0 && root === "windows") return { what: "window", id: idOf(name, "window", uri) };
  if (rest.length === 0 && root === "layers") return { what: "layer", id: name };
  throw unknown(uri, hintFor(root));
}

function below(
  output: string,
  [child, id, grandchild, window, ...more]: readonly string[],
  uri: string,
): WmAddress {
  if (child === undefined) return { what: "output", output };
  if (id === undefined && (child === "modes" || child === "workspaces")) return { what: child, output };
  if (child !== "workspaces" || id === undefined || more.length > 0) throw unknown(uri);
  const workspace = idOf(id, "workspace", uri);
  if (grandchild === undefined) return { what: "workspace", output, workspace };
  if (grandchild !== "windows") throw unknown(uri);
  if (window === undefined) return { what: "workspace-windows", output, workspace };
  return { what: "window", id: idOf(window, "window", uri), below: { output, workspace } };
}

/** The address as this server writes it: without a slash at the end, a window without its workspace. */
export function addressUri(address: WmAddress): string {
  switch (address.what) {
    case "roots":
      return SCHEME;
    case "keyboard-layout":
      return uriOf("keyboard-layouts", "current");
    case "output":
      return uriOf("outputs", address.output);
    case "modes":
    case "workspaces":
      return uriOf("outputs", address.output, address.what);
    case "workspace":
      return uriOf("outputs", address.output, "workspaces", address.workspace);
    case "workspace-windows":
      return uriOf("outputs", address.output, "workspaces", address.workspace, "windows");
    case "window":
      return uriOf("windows", address.id);
    case "layer":
      return uriOf("layers", address.id);
    default:
      return uriOf(address.what);
  }
}

/** An address of these segments, each percent-encoded. */
export function uriOf(...segments: readonly (string | number)[]): string {
  return SCHEME + segments.map((segment) => encodeURIComponent(String(segment).toWellFormed())).join("/");
}

/** -32602, with what is wrong with the address. */
export function invalidQuery(uri: string, why: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `Invalid resource address: ${why}`, { uri: uri.slice(0, 2_000) });
}

/** The text that percent-encoding stands for; -32602 where it stands for none. */
export function decoded(text: string, uri: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidQuery(uri, "it is not percent-encoded as it should be");
  }
}

/** Ids are whole numbers; what is none names nothing. */
function idOf(segment: string, what: string, uri: string): number {
  const id = /^(0|[1-9]\d{0,15})$/.test(segment) ? Number(segment) : NaN;
  if (Number.isSafeInteger(id)) return id;
  throw noSuch(uri, `the id of a ${what} is a whole number, not "${segment.slice(0, 60)}"`);
}

function unknown(uri: string, why = "there is no such resource") {
  return noSuch(uri, why, {
    roots: [...SINGLES.keys()].filter((path) => path !== "").map((path) => SCHEME + path),
  });
}

function hintFor(root: string): string {
  if (root === "workspaces") {
    return "workspaces are below their output: read niri://outputs/{name}/workspaces";
  }
  return "there is no such resource";
}
