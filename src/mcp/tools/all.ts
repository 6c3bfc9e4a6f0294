import type { Tool } from "../tool.ts";
import {
  click,
  clickAt,
  drag,
  keyPress,
  launchApplication,
  quitApplication,
  scroll,
  setValue,
  type,
} from "./acting.ts";
import { assertState, audit, visualDiff } from "./checks.ts";
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
import { listWindows } from "./list-windows.ts";
import { runScript } from "./run-script.ts";
import { screenshot } from "./screenshot.ts";
import { sessionInfo } from "./session-info.ts";
import { undo } from "./undo.ts";
import { waitIdle } from "./wait-idle.ts";
import { workflow } from "./workflow.ts";

/** Every tool, in the order in which `tools/list` tells them. */
export const tools: readonly Tool[] = [
  isAccessible,
  connect,
  listApps,
  find,
  findVisual,
  getTree,
  getAttributes,
  click,
  clickAt,
  type,
  setValue,
  scroll,
  drag,
  keyPress,
  screenshot,
  getValue,
  listWindows,
  waitIdle,
  workflow,
  assertState,
  visualDiff,
  audit,
  undo,
  clipboard,
  sessionInfo,
  runScript,
  launchApplication,
  quitApplication,
  listApplications,
  interfaceExplorer,
];
