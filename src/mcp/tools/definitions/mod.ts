import type { ToolDefinition } from "../../tool.ts";
import { action } from "./action.ts";
import { assert } from "./assert.ts";
import { compose } from "./compose.ts";
import { connect } from "./connect.ts";
import { context } from "./context.ts";
import { find } from "./find.ts";
import { launch } from "./launch.ts";
import { observe } from "./observe.ts";
import { script } from "./script.ts";

export { OURS } from "./ours.ts";

/** The published tools by name, and the three of the launch control, each as `tools/list` tells it. */
export const DEFINITIONS = {
  ...connect,
  ...find,
  ...action,
  ...observe,
  ...compose,
  ...assert,
  ...context,
  ...script,
  ...launch,
} as const satisfies Readonly<Record<string, ToolDefinition>>;

/** A published tool. */
export type PublishedTool = keyof typeof DEFINITIONS;
