import { asMap } from "../../base/json.ts";
import { axFind } from "../../tools/find/find.ts";
import { axGetAttributes } from "../../tools/find/get-attributes.ts";
import { look } from "./look.ts";
import { served } from "./serve.ts";

/** Tells everything that is known of an element: of several the first one, without waiting for any. */
export const getAttributes = served(axGetAttributes, async (args, call) => {
  const { output, result: first } = await look(axFind, args, call, {
    input: (input) => ({ ...asMap(input), required: true }),
  });
  const { element_ref: ref = "", strategy = "", count = 0 } = first;
  const { app = "" } = args;
  const { result } = await look(axGetAttributes, { app, query: ref }, call);
  call.log("debug", "axterminator.attributes", { tool: axGetAttributes.name, app, element_ref: ref });
  return {
    structured: { ...result, element_ref: ref, count },
    log: { strategy, found: true, cache_hit: output["kept"] === true },
  };
});
