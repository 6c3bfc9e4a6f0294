import { asList } from "../../base/json.ts";
import { axA11yAudit } from "../../tools/assert/a11y-audit.ts";
import { elementThere } from "./element-there.ts";
import { look } from "./look.ts";
import { served } from "./serve.ts";

/** Judges how accessible an application is. */
export const audit = served(axA11yAudit, async (args, call) => {
  call.progress("Scanning elements", 0, 2);
  if (args["scope"] === "element") await elementThere(args["app"], args["query"], call);
  const { result } = await look(axA11yAudit, args, call);
  call.progress(`Checked ${String(result["elements"] ?? 0)} elements`, 2, 2);
  return {
    structured: result,
    log: { passed: result["passed"] ?? false, issues: asList(result["issues"]).length },
  };
});
