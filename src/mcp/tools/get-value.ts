import { axFind } from "../../tools/find/find.ts";
import { axGetValue } from "../../tools/observe/get-value.ts";
import { look } from "./look.ts";
import { served } from "./serve.ts";

/** Reads what an element holds: of several the first one's, without waiting for any. */
export const getValue = served(axGetValue, async (args, call) => {
  const { output, result: first } = await look(axFind, args, call);
  const { found = false, strategy = "", count = 0, app = "", element_ref: ref } = first;
  const log = { strategy, found, cache_hit: output["kept"] === true };
  if (found !== true || typeof ref !== "string") return { structured: { found: false, app, count }, log };
  const { nth: _, within: __, ...rest } = args;
  const { result } = await look(axGetValue, { ...rest, query: ref }, call);
  return { structured: { ...result, count }, log };
});
