import { z } from "zod";
import { READS } from "../src/contract/effect.ts";
import { defineOperation } from "../src/contract/operation.ts";

/** The verb `meanwhile`: what somebody else does between two steps, told to nobody. */
export function interludeOf(meanwhile: () => Promise<void>) {
  return defineOperation({
    name: "meanwhile",
    title: "Let something else happen",
    description: "What somebody else does between two steps.",
    input: z.strictObject({}),
    output: z.strictObject({}),
    hints: READS,
    timeout: 30_000,
    views: { yaml: { verb: "meanwhile" } },
    resolve: () => Promise.resolve(undefined),
    effect: () => "read",
    act: async () => {
      await meanwhile();
      return {};
    },
  });
}
