import type { Prompt, PromptDefinition } from "../server/prompt.ts";
import { DEFINITIONS } from "./definitions.ts";
import type { Guide } from "./values.ts";

/** A prompt whose making is loaded when it is first asked for: a server answers `initialize` before. */
function later(definition: PromptDefinition, load: () => Promise<Guide>): Prompt {
  return {
    definition,
    async get(args, call) {
      return await (await load()).get(args, call);
    },
    async complete(argument, value, filled, call) {
      return await (await load()).complete(argument, value, filled, call);
    },
  };
}

/** Every prompt, in the order in which `prompts/list` tells them. */
export const prompts: readonly Prompt[] = [
  later(DEFINITIONS.testApp, async () => (await import("./test-app.ts")).testApp),
  later(DEFINITIONS.navigateTo, async () => (await import("./navigate-to.ts")).navigateTo),
  later(DEFINITIONS.extractData, async () => (await import("./extract-data.ts")).extractData),
  later(DEFINITIONS.automateWorkflow, async () => (await import("./automate-workflow.ts")).automateWorkflow),
  later(DEFINITIONS.debugUi, async () => (await import("./debug-ui.ts")).debugUi),
  later(
    DEFINITIONS.accessibilityAudit,
    async () => (await import("./accessibility-audit.ts")).accessibilityAudit,
  ),
  later(DEFINITIONS.crossAppCopy, async () => (await import("./cross-app-copy.ts")).crossAppCopy),
];
