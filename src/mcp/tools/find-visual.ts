import { z } from "zod";
import { BackstepError, type Json } from "../../base/error.ts";
import { ToolFailure } from "../failure.ts";
import type { Tool } from "../tool.ts";
import { connectionOf } from "../with-app.ts";
import { DEFINITIONS } from "./definitions/mod.ts";

const Seen = z.object({
  found: z.boolean(),
  position: z.array(z.int()).optional(),
  size: z.array(z.int()).optional(),
  center: z.array(z.int()).optional(),
  confidence: z.number(),
  vlm_backend: z.string(),
  tried: z.array(z.object({ backend: z.string(), error: z.string() })),
  data: z.string().optional(),
});

/** Without what is not there. */
function compact(map: { readonly [key: string]: Json | undefined }): { [key: string]: Json } {
  return Object.fromEntries(
    Object.entries(map).flatMap(([key, value]) => value === undefined ? [] : [[key, value]]),
  );
}

/** Has the client's model, a vision model or a reader of texts find what accessibility does not tell. */
export const findVisual: Tool = {
  toolset: "find",
  definition: DEFINITIONS.ax_find_visual,
  async run({ app, description, screenshot }, call) {
    const pid = String(connectionOf(call.session, String(app)).application.pid);
    const input = {
      app: pid,
      description,
      inline: true,
      ...(screenshot === undefined ? {} : { screenshot }),
    };
    const began = performance.now();
    const { data, tried, ...seen } = Seen.parse(await look());
    const took = Math.round(performance.now() - began);
    const log = { found: seen.found, strategy: seen.vlm_backend, vlm_duration_ms: took };
    // Who was shown a picture of the desktop is worth more than a line among others.
    call.log("notice", "axterminator.tools.find_visual", {
      tool: "ax_find_visual",
      app: String(app),
      ...log,
    });
    return {
      structured: compact({ ...seen, ...(tried.length > 0 ? { tried } : {}) }),
      ...(data === undefined ? {} : { content: [{ type: "image", data, mimeType: "image/png" } as const] }),
      log,
    };

    async function look(): Promise<unknown> {
      try {
        return (await call.session.look({ operation: "find-visual", input }, call, { app: pid })).output;
      } catch (thrown) {
        if (!(thrown instanceof BackstepError) || thrown.code !== "missing") throw thrown;
        throw new ToolFailure("VlmUnavailable", thrown.message, {
          suggestion: thrown.hint ?? "Set up a vision model, or search with ax_find.",
          data: { ...thrown.details },
          cause: thrown,
        });
      }
    }
  },
};
