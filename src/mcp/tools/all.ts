import { TOOLS } from "../../tools/all.ts";
import type { Tool } from "../server/tool.ts";
import { audit } from "./a11y-audit.ts";
import { clipboard } from "./clipboard.ts";
import { connect } from "./connect.ts";
import { find } from "./find.ts";
import { findVisual } from "./find-visual.ts";
import { getAttributes } from "./get-attributes.ts";
import { getTree } from "./get-tree.ts";
import { getValue } from "./get-value.ts";
import { interfaceExplorer } from "./interface-explorer.ts";
import { isAccessible } from "./is-accessible.ts";
import { listApplications, listApps } from "./list-apps.ts";
import { quitApplication } from "./quit-application.ts";
import { runScript } from "./run-script.ts";
import { screenshot } from "./screenshot.ts";
import { plain } from "./serve.ts";
import { sessionInfo } from "./session-info.ts";
import { undo } from "./undo.ts";
import { visualDiff } from "./visual-diff.ts";
import { waitIdle } from "./wait-idle.ts";
import { managedTools } from "./window-manager.ts";
import { workflow } from "./workflow.ts";

/** Tools for which the server does more than their view says: it pages, caches, asks, waits. */
export const MORE: readonly Tool[] = [
  isAccessible,
  connect,
  listApps,
  find,
  findVisual,
  getTree,
  getAttributes,
  screenshot,
  getValue,
  waitIdle,
  workflow,
  visualDiff,
  audit,
  undo,
  clipboard,
  sessionInfo,
  runScript,
  quitApplication,
  listApplications,
  interfaceExplorer,
  ...managedTools,
];

const more: ReadonlyMap<string, Tool> = new Map(MORE.map((tool) => [tool.definition.name, tool]));

/** Every tool, in the order of the one list. */
export const tools: readonly Tool[] = TOOLS.map((view) => more.get(view.name) ?? plain(view));
