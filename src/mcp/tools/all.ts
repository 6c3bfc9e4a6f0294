import type { Tool } from "../tool.ts";
import { connect } from "./connect.ts";
import { findVisual } from "./find-visual.ts";
import { interfaceExplorer } from "./interface-explorer.ts";
import { isAccessible } from "./is-accessible.ts";
import { sessionInfo } from "./session-info.ts";
import { undo } from "./undo.ts";
import { workflow } from "./workflow.ts";

/** Every tool, in the order in which `tools/list` tells them. */
export const tools: readonly Tool[] = [
  isAccessible,
  connect,
  findVisual,
  workflow,
  undo,
  sessionInfo,
  interfaceExplorer,
];
