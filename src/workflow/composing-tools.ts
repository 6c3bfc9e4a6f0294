import { z } from "zod";

/** Tools that are no operation: the engine does them. */
export const COMPOSING_TOOLS: Readonly<Record<string, { readonly args: z.ZodType }>> = {
  ax_workflow: {
    args: z.strictObject({
      steps: z.array(z.strictObject({
        tool: z.string().describe("Tool name (e.g., ax_click, ax_type, ax_wait_idle)"),
        args: z.record(z.string(), z.unknown()).optional().describe("Tool arguments"),
        on_fail: z.enum(["rollback", "skip", "abort"]).optional().describe("Default abort"),
        wait_after_ms: z.number().min(0).optional().describe("Wait after this step (ms)"),
        retry: z.int().min(0).optional().describe("Retry count on failure"),
      })),
      name: z.string().optional().describe("Optional workflow name for logging"),
    }),
  },
  ax_undo: { args: z.strictObject({ count: z.int().min(1).optional().describe("Default 1") }) },
};
