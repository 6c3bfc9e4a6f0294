import { z } from "zod";
import { READS } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";

/** A breakpoint in a file: a run that a person steers stops before it. */
export const pause = defineOperation({
  name: "pause",
  title: "Pause for a person who debugs",
  description:
    "A breakpoint: `backstep dev`, and `backstep run` or `test` with --debug, stop before it. Any other run passes it.",
  input: z.strictObject({
    why: z.string().optional().describe("What is to be looked at here, for whoever debugs."),
  }),
  output: z.strictObject({}),
  hints: READS,
  traits: { breaks: true },
  views: {
    yaml: { verb: "pause", scalar: (value) => value === null ? {} : { why: value } },
  },
  resolve: () => Promise.resolve(undefined),
  effect: () => "read",
  subject: ({ why }) => why,
  act: () => Promise.resolve({}),
});
