import type { Prompt } from "../prompt.ts";
import { accessibilityAudit } from "./accessibility-audit.ts";
import { automateWorkflow } from "./automate-workflow.ts";
import { crossAppCopy } from "./cross-app-copy.ts";
import { debugUi } from "./debug-ui.ts";
import { extractData } from "./extract-data.ts";
import { navigateTo } from "./navigate-to.ts";
import { testApp } from "./test-app.ts";

/** Every prompt, in the order in which `prompts/list` tells them. */
export const prompts: readonly Prompt[] = [
  testApp,
  navigateTo,
  extractData,
  automateWorkflow,
  debugUi,
  accessibilityAudit,
  crossAppCopy,
];
