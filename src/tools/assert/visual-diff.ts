import { asList, asMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { defineTool, type ToolArguments } from "../tool.ts";
import { area, target } from "../inputs.ts";
import { APP, AS_TASK, ONCE, PATIENCE, READS, REGION, WHOLE_REGION } from "../parts.ts";

/** Compares a picture with a baseline. */
export const axVisualDiff = defineTool({
  name: "ax_visual_diff",
  title: "Visual regression diff",
  description:
    "Compares a picture of the application with a baseline: how many pixels differ, where, and a picture of the difference.",
  inputSchema: {
    type: "object",
    properties: {
      app: APP,
      baseline: { type: "string", description: "A PNG in base64, or the URI of a stored baseline" },
      threshold: { type: "number", description: "Per cent that may differ (default: 1.0)", default: 1 },
      ignore_regions: {
        type: "array",
        items: { type: "object", properties: REGION },
        description: "Parts that are not compared, such as clocks",
      },
      ignore_selectors: {
        type: "array",
        items: { type: "string" },
        description: "Elements that are not compared",
      },
      perceptual: {
        type: "boolean",
        description: "Compare as a person sees it instead of by exact colours",
      },
      query: { type: "string", description: "Compare only this element" },
      timeout_ms: { type: "integer", description: "How long it may take to match (default: 1000)" },
    },
    required: ["app", "baseline"],
  },
  outputSchema: {
    type: "object",
    properties: {
      passed: { type: "boolean" },
      diff_percentage: { type: "number" },
      diff_pixels: { type: "integer" },
      total_pixels: { type: "integer" },
      ignored_pixels: { type: "integer", description: "How many were not compared" },
      differences: {
        type: "array",
        items: { type: "object" },
        description: "Places that differ, the largest first, with the elements there",
      },
    },
    required: ["passed", "diff_percentage"],
  },
  annotations: READS,
  execution: AS_TASK,
  toolset: "assert",
  ours: {
    input: ["ignore_selectors", "perceptual", "query", "timeout_ms"],
    output: ["ignored_pixels", "differences"],
  },
  step: {
    kind: "operation",
    operation: "visual-diff",
    literal: ["ignore_regions", "perceptual"],
    amends: { timeout_ms: PATIENCE, ignore_regions: { items: WHOLE_REGION } },
    toInput: compared,
    toLook: (args) => ({ timeout: ONCE, ...compared(args), must_pass: false, inline: true }),
    // The picture of the difference goes beside it.
    toResult: (output) => {
      const { passed, diff_percentage, diff_pixels, total_pixels, ignored_pixels, differences } = asMap(
        output,
      );
      return defined({ passed, diff_percentage, diff_pixels, total_pixels, ignored_pixels, differences });
    },
  },
});

function compared(args: ToolArguments): ToolArguments {
  const { app, query, baseline, threshold, timeout_ms: timeout, perceptual } = args;
  const { ignore_regions: regions, ignore_selectors: selectors } = args;
  const ignore = [...asList(regions).map(area), ...asList(selectors)];
  return defined({
    app,
    target: query === undefined ? undefined : target(defined({ app, query })),
    baseline,
    threshold,
    timeout,
    mode: perceptual === true ? "perceptual" : undefined,
    ignore: ignore.length === 0 ? undefined : ignore,
  });
}
