import type { Deadline } from "../../../base/call.ts";
import { BackstepError, type Json } from "../../../base/error.ts";
import type { Desktop } from "../../../desktop/desktop.ts";
import { match, UI_SCHEME, UiPaths } from "../../../desktop/selector/mod.ts";
import { quote } from "../../../desktop/quote.ts";
import { fieldsOf } from "../../../desktop/selector/match.ts";
import { parseUiPath } from "../../../desktop/selector/xpath.ts";
import { Snapshot } from "../../../desktop/snapshot.ts";
import { rowHas } from "../../../desktop/state-words.ts";
import { axOf, isInteractive, wordOf } from "../../../desktop/vocabulary.ts";
import { axActions } from "../../../desktop/ax-actions.ts";
import { shownRows } from "../../../desktop/shown-rows.ts";
import { brief } from "../../../operations/element-info.ts";
import { capabilitiesOf, isShown } from "../../../operations/explore-element.ts";
import { applicationOf } from "../../../operations/explore-scope.ts";
import type { McpCall } from "../../server/call.ts";
import { noSuch } from "../axterminator/address.ts";
import { invalid, type MacosAddress } from "./address.ts";
import { applicationNamed, type Named, namedApplications } from "./applications.ts";

/** One element as the published shape has it. */
type Node = { readonly [key: string]: Json };

/** Paths shown of those that an address fits. */
const LISTED = 5;

/** `macos://ui/{path}`: the element with what is below it, or the elements in it that a person can act on. */
export async function uiOf(
  address: Extract<MacosAddress, { what: "ui" }>,
  uri: string,
  call: McpCall,
  deadline: Deadline,
): Promise<Json> {
  const { desktop } = call.session.host.desktop;
  const found = await theElement(address.path, uri, call, deadline, desktop);
  return address.interactable ? interactableIn(found, address) : treeOf(found, address.maxDepth);
}

/** An element in a whole tree. */
export interface Located {
  readonly named: Named;
  readonly snapshot: Snapshot;
  readonly row: number;
}

async function theElement(
  path: string,
  uri: string,
  call: McpCall,
  deadline: Deadline,
  desktop: Desktop,
): Promise<Located> {
  const selector = read(path, uri);
  const app = applicationOf(path);
  if (app === undefined) {
    throw invalid(uri, 'a path begins with its application: AXApplication[@bundleIdentifier="…"]');
  }
  const named = await applicationNamed(app, uri, call, deadline);
  const snapshot = await desktop.snapshot(named.application, {
    ...deadline.call(),
    fields: [...new Set([...fieldsOf(selector), "extents" as const, "id" as const, "actions" as const])],
  });
  const rows = match(selector, calledAs(snapshot, app));
  const [row, ...more] = rows;
  if (row === undefined) {
    throw noSuch(uri, `nothing in ${named.name} is at this path`, { application: named.bundleId });
  }
  if (more.length > 0) {
    const paths = new UiPaths(snapshot, named.bundleId);
    const some = rows.slice(0, LISTED).map((one) => paths.of(one));
    throw invalid(
      uri,
      `${rows.length} elements are at this path, such as ${some.join(" and ").slice(0, 1_000)}`,
    );
  }
  return { named, snapshot, row };
}

function read(path: string, uri: string) {
  try {
    return parseUiPath(path);
  } catch (thrown) {
    if (thrown instanceof BackstepError && thrown.code === "selector") {
      throw invalid(uri, `${thrown.message}${thrown.hint === undefined ? "" : `\n${thrown.hint}`}`);
    }
    throw thrown;
  }
}

/** The application was found already, by more than it calls itself: then the path's own name for it holds. */
function calledAs(snapshot: Snapshot, app: string): Snapshot {
  const { application } = snapshot.origin;
  return new Snapshot(snapshot.columns, { ...snapshot.origin, application: { ...application, id: app } });
}

/**
 * The element with those below it that show; where none shows, as in a closed menu, all of them. `truncated` says that
 * there is more below than `maxDepth` levels, `hidden` how many were left out.
 */
function treeOf({ named, snapshot, row: root }: Located, maxDepth: number): Json {
  const paths = new UiPaths(snapshot, named.bundleId);
  const shown = shownRows(snapshot, isShown);
  const all = !snapshot.children(root).some((child) => shown[child] === 1);
  const visit = (row: number, level: number): Node => {
    const below = snapshot.children(row);
    const seen = all ? below : below.filter((child) => shown[child] === 1);
    const deeper = level >= maxDepth && seen.length > 0;
    const hidden = below.length - seen.length;
    return {
      ...nodeOf(snapshot, row, paths),
      ...(deeper ? { truncated: true } : {}),
      ...(hidden > 0 ? { hidden } : {}),
      children: deeper ? [] : seen.map((child) => visit(child, level + 1)),
    };
  };
  return visit(root, 0);
}

function nodeOf(snapshot: Snapshot, row: number, paths: UiPaths): Node {
  const title = snapshot.name(row), description = snapshot.description(row);
  return {
    role: axOf(snapshot, row).role,
    ...(title === "" ? {} : { title: brief(title) }),
    ...(description === "" ? {} : { description: brief(description) }),
    path: paths.of(row),
    enabled: rowHas(snapshot, row, "enabled") || snapshot.parent(row) < 0,
  };
}

/** What a person can act on, one after another in the order of the tree. */
function interactableIn(
  { named, snapshot, row: root }: Located,
  { maxDepth, limit }: Extract<MacosAddress, { what: "ui" }>,
): Json {
  const paths = new UiPaths(snapshot, named.bundleId);
  const found: Node[] = [];
  const visit = (row: number, level: number): void => {
    if (found.length >= limit) return;
    if (isInteractive(wordOf(snapshot, row)) && isShown(snapshot, row)) {
      const { role } = axOf(snapshot, row);
      const capabilities = capabilitiesOf(snapshot, row, role, axActions(snapshot.actions(row), role), {});
      const { description: _untold, ...node } = nodeOf(snapshot, row, paths);
      found.push({ ...node, capabilities: capabilities.filter((can) => can !== "hasChildren") });
    }
    if (level < maxDepth) { for (const child of snapshot.children(row)) visit(child, level + 1); }
  };
  visit(root, 0);
  return found;
}

/** Paths that begin as what was typed: of applications, and of what is directly below the last whole step. */
export async function completePath(value: string, call: McpCall, deadline: Deadline): Promise<string[]> {
  const all = await namedApplications(call, deadline);
  const app = applicationOf(UI_SCHEME + value);
  const named = all.find((one) => one.bundleId === app);
  const step = value.endsWith("/") ? value.length - 1 : lastSlash(value);
  if (named === undefined || step < 0) {
    return all.map(({ bundleId }) => `AXApplication[@bundleIdentifier=${quote(bundleId)}]`)
      .filter((path) => path.startsWith(value));
  }
  const { desktop } = call.session.host.desktop;
  const snapshot = await desktop.snapshot(named.application, {
    ...deadline.call(),
    fields: ["id", "extents"],
  });
  const paths = new UiPaths(snapshot, named.bundleId);
  const parent = UI_SCHEME + value.slice(0, step);
  const found: string[] = [];
  for (let row = 1; row < snapshot.size; row++) {
    const path = paths.of(row);
    const up = snapshot.parent(row);
    if (up >= 0 && paths.of(up) === parent && path.startsWith(UI_SCHEME + value)) {
      found.push(path.slice(UI_SCHEME.length));
    }
  }
  return found;
}

/** Where the last step begins, minus one: the last slash outside of quotes; -1: there is one step. */
function lastSlash(path: string): number {
  let quoted = false, last = -1;
  for (let at = 0; at < path.length; at++) {
    if (path[at] === "\\") at++;
    else if (path[at] === '"') quoted = !quoted;
    else if (path[at] === "/" && !quoted) last = at;
  }
  return last;
}
