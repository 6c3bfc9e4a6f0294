import { axClick } from "./action/click.ts";
import { axClickAt } from "./action/click-at.ts";
import { axDrag } from "./action/drag.ts";
import { axKeyPress } from "./action/key-press.ts";
import { axScroll } from "./action/scroll.ts";
import { axSetValue } from "./action/set-value.ts";
import { axType } from "./action/type.ts";
import { axA11yAudit } from "./assert/a11y-audit.ts";
import { axAssert } from "./assert/assert.ts";
import { axVisualDiff } from "./assert/visual-diff.ts";
import { axWorkflow } from "./compose/workflow.ts";
import { axConnect } from "./connect/connect.ts";
import { axIsAccessible } from "./connect/is-accessible.ts";
import { axListApps } from "./connect/list-apps.ts";
import { axClipboard } from "./context/clipboard.ts";
import { axSessionInfo } from "./context/session-info.ts";
import { axUndo } from "./context/undo.ts";
import { macosInterfaceExplorer } from "./explore/interface-explorer.ts";
import { axFind } from "./find/find.ts";
import { axFindVisual } from "./find/find-visual.ts";
import { axGetAttributes } from "./find/get-attributes.ts";
import { axGetTree } from "./find/get-tree.ts";
import { launchApplication } from "./launch/launch-application.ts";
import { listApplications } from "./launch/list-applications.ts";
import { quitApplication } from "./launch/quit-application.ts";
import { axGetValue } from "./observe/get-value.ts";
import { axListWindows } from "./observe/list-windows.ts";
import { axScreenshot } from "./observe/screenshot.ts";
import { axWaitIdle } from "./observe/wait-idle.ts";
import { axRunScript } from "./script/run-script.ts";
import { wmCloseWindow } from "./wm/close-window.ts";
import { wmFocusWindow } from "./wm/focus-window.ts";
import { wmMoveWindow } from "./wm/move-window.ts";
import { wmMoveWindowToWorkspace } from "./wm/move-window-to-workspace.ts";
import { wmSwitchWorkspace } from "./wm/switch-workspace.ts";
import type { ToolTraits, ToolView } from "./tool.ts";

/** Every tool, in the order in which `tools/list` names them: the 26 published ones first. */
export const TOOLS: readonly ToolView[] = [
  axIsAccessible,
  axConnect,
  axListApps,
  axFind,
  axFindVisual,
  axGetTree,
  axGetAttributes,
  axClick,
  axClickAt,
  axType,
  axSetValue,
  axScroll,
  axDrag,
  axKeyPress,
  axScreenshot,
  axGetValue,
  axListWindows,
  axWaitIdle,
  axWorkflow,
  axAssert,
  axVisualDiff,
  axA11yAudit,
  axUndo,
  axClipboard,
  axSessionInfo,
  axRunScript,
  launchApplication,
  quitApplication,
  listApplications,
  macosInterfaceExplorer,
  wmFocusWindow,
  wmMoveWindow,
  wmCloseWindow,
  wmSwitchWorkspace,
  wmMoveWindowToWorkspace,
];

const byName: ReadonlyMap<string, ToolView> = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** The tool of this name, if there is one. */
export function toolNamed(name: string): ToolView | undefined {
  return byName.get(name);
}

/** What a server has to know of a tool; nothing of one that is not ours. */
export function traitsOf(name: string): ToolTraits {
  return byName.get(name)?.traits ?? {};
}

/** Is it made of steps of its own? */
export function isComposed(name: string): boolean {
  return byName.get(name)?.step?.kind === "transaction";
}
