import type { Prompt } from "../prompt.ts";

/** Every prompt, in the order in which `prompts/list` tells them. */
export const prompts: readonly Prompt[] = [];
