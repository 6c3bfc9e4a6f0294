import { z } from "zod";
import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import { axFindVisual } from "../../tools/find/find-visual.ts";
import { ToolFailure } from "../server/failure.ts";
import type { McpCall } from "../server/call.ts";
import type { ToolAnswer } from "../server/tool.ts";
import { connectionOf } from "../session/with-app.ts";
import { served } from "./serve.ts";

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

/** Has the client's model, a vision model or a reader of texts find what accessibility does not tell. */
export const findVisual = served(axFindVisual, ({ app, description, screenshot }, call) =>
  lookInPicture(
    String(app),
    String(description),
    screenshot === undefined ? undefined : String(screenshot),
    call,
  ));

/** Finds what is described in a picture of a connected application, or in the one that is given. */
export async function lookInPicture(
  app: string,
  description: string,
  screenshot: string | undefined,
  call: McpCall,
): Promise<ToolAnswer> {
  const pid = String(connectionOf(call.session, app).application.pid);
  const input = {
    app: pid,
    description,
    inline: true,
    ...defined({ screenshot }),
  };
  const began = performance.now();
  const { data, tried, ...seen } = Seen.parse(await look());
  const took = Math.round(performance.now() - began);
  const log = { found: seen.found, strategy: seen.vlm_backend, vlm_duration_ms: took };
  // Who was shown a picture of the desktop is worth more than a line among others.
  call.log("notice", "axterminator.tools.find_visual", { tool: axFindVisual.name, app, ...log });
  return {
    structured: defined({ ...seen, ...(tried.length > 0 ? { tried } : {}) }),
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
}
