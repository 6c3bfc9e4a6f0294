import { BackstepError } from "./base/error.ts";
import type { Operation } from "./contract/operation.ts";
import { assertion } from "./operations/assert.ts";
import { audit } from "./operations/audit.ts";
import { attributes } from "./operations/attributes.ts";
import { click } from "./operations/click.ts";
import { clickAt } from "./operations/click-at.ts";
import { clipboard } from "./operations/clipboard.ts";
import { drag } from "./operations/drag.ts";
import { explore } from "./operations/explore.ts";
import { find } from "./operations/find.ts";
import { findVisual } from "./operations/find-visual.ts";
import { focus } from "./operations/focus.ts";
import { hover } from "./operations/hover.ts";
import { launch } from "./operations/launch.ts";
import { listApplications } from "./operations/list-applications.ts";
import { listWindows } from "./operations/list-windows.ts";
import { matchTree } from "./operations/match-tree.ts";
import { pause } from "./operations/pause.ts";
import { press } from "./operations/press.ts";
import { quit } from "./operations/quit.ts";
import { readText } from "./operations/read-text.ts";
import { runScriptOperation } from "./operations/run-script.ts";
import { screenshot } from "./operations/screenshot.ts";
import { scroll } from "./operations/scroll.ts";
import { select } from "./operations/select.ts";
import { set } from "./operations/set.ts";
import { tree } from "./operations/tree.ts";
import { type } from "./operations/type.ts";
import { value } from "./operations/value.ts";
import { visualDiff } from "./operations/visual-diff.ts";
import { wait } from "./operations/wait.ts";
import { waitIdle } from "./operations/wait-idle.ts";
import { window } from "./operations/window.ts";
import { workspace } from "./operations/workspace.ts";

/** The one list that all interfaces are made from, with the types of each. */
export const typedCatalogue = [
  listApplications,
  launch,
  quit,
  listWindows,
  find,
  findVisual,
  readText,
  tree,
  explore,
  value,
  attributes,
  click,
  clickAt,
  hover,
  type,
  set,
  select,
  press,
  focus,
  scroll,
  drag,
  window,
  workspace,
  wait,
  waitIdle,
  assertion,
  matchTree,
  audit,
  screenshot,
  visualDiff,
  clipboard,
  runScriptOperation,
  pause,
] as const;

/** Every operation there is, in the order of help texts. */
export const catalogue: readonly Operation[] = typedCatalogue;

/** One of them, with its name and its types: what programs call them by. */
export type CatalogueOperation = (typeof typedCatalogue)[number];

/** The operation of this name with its types, for an interface that has a command or a tool of its own for it. */
export function operationNamed<const N extends CatalogueOperation["name"]>(
  name: N,
): Extract<CatalogueOperation, { readonly name: N }> {
  const isNamed = (one: CatalogueOperation): one is Extract<CatalogueOperation, { readonly name: N }> =>
    one.name === name;
  const found = typedCatalogue.find(isNamed);
  if (found === undefined) throw new BackstepError("internal", `Cannot find the operation ${name}`);
  return found;
}
