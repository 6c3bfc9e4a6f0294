import { toBackstepError } from "../../base/error.ts";
import { isMap } from "../../base/json.ts";
import { defined } from "../../base/defined.ts";
import { Role } from "../../desktop/roles.ts";
import { readSelector } from "../../desktop/selector/mod.ts";
import { rowHas } from "../../desktop/state-words.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import { axFind } from "../../tools/find/find.ts";
import { axFindVisual } from "../../tools/find/find-visual.ts";
import { visionOf } from "../resources/axterminator/vision.ts";
import type { McpCall } from "../server/call.ts";
import { ToolFailure } from "../server/failure.ts";
import { ProtocolError } from "../server/wire.ts";
import type { ToolAnswer } from "../server/tool.ts";
import { connectionOf } from "../session/with-app.ts";
import { lookInPicture } from "./find-visual.ts";
import { look, type Looked } from "./look.ts";
import { served } from "./serve.ts";

/** Finds an element as it is now: in the tree, and what is only described also in the picture where the tree has none. */
export const find = served(axFind, async (args, call) => {
  call.progress("Searching accessibility tree", 1, 2);
  const { output, result } = await look(axFind, args, call);
  const { found = false, strategy = "", count = 0 } = result;
  if (found !== true && isDescribed(args) && await mayShow(args, call)) {
    return await inPicture(args, result, call);
  }
  call.progress(found === true ? "Element found" : "No element found", 2, 2);
  return {
    structured: result,
    log: { strategy, found, count, cache_hit: output["kept"] === true, ...otherWay(args, strategy, found) },
  };
});

/** Is it words, which a picture may show too? A selector, a path and a reference mean an element of the tree. */
function isDescribed(args: ToolArguments): boolean {
  const { query, strategy = "auto", nth, within } = args;
  if (strategy !== "auto" || nth !== undefined || within !== undefined || typeof query !== "string") {
    return false;
  }
  return !/^el-/.test(query) && readSelector(query).stages[0]?.name === "title_exact";
}

/** Roles of what an application draws itself, without telling what. */
const DRAWN: ReadonlySet<number> = new Set([Role.drawingArea, Role.canvas, Role.glassPane, Role.animation]);
/** Milliseconds for the tree that is known. */
const KEPT_FOR = 5_000;

/**
 * May a picture show what the tree does not tell? A model that was chosen is asked in any case; a reader of texts takes
 * seconds, and is only where something is drawn that the tree does not describe: a drawing area, a window with nothing in it.
 */
async function mayShow({ app = "" }: ToolArguments, call: McpCall): Promise<boolean> {
  if (visionOf(call).available) return true;
  const { application } = connectionOf(call.session, String(app));
  const tree = await call.session.host.desktop.desktop.snapshot(application, {
    timeout: KEPT_FOR,
    signal: call.signal,
    fields: [],
    source: "mirror",
  });
  for (let row = 1; row < tree.size; row++) {
    if (tree.children(row).length > 0 || !rowHas(tree, row, "visible")) continue;
    if (DRAWN.has(tree.role(row)) || tree.parent(row) === 0) return true;
  }
  return false;
}

/** That another way than the first one found it, for the log. */
function otherWay(args: ToolArguments, strategy: unknown, found: unknown): { readonly fallback?: string } {
  if (found !== true || !isDescribed(args)) return {};
  return strategy === "title_exact" ? {} : { fallback: String(strategy) };
}

/** Looks for it in the picture. Where nobody can look it is not found, and the answer says who could not. */
async function inPicture(args: ToolArguments, missed: Looked["result"], call: McpCall): Promise<ToolAnswer> {
  const { query = "", app = "" } = args;
  let done: (() => void) | undefined;
  try {
    done = call.session.host.limiter?.take(axFindVisual.name, call);
    const { structured = {}, content, log } = await lookInPicture(
      String(app),
      String(query),
      undefined,
      call,
    );
    const { found, vlm_backend: strategy = "", position, size, center, confidence = 0, tried } = structured;
    const about = {
      app: connectionOf(call.session, String(app)).appName,
      ...defined({ tried }),
    };
    call.progress(found === true ? "Element found" : "No element found", 2, 2);
    const reported = { ...log, cache_hit: false, fallback: "visual" };
    if (found !== true || position === undefined || size === undefined || center === undefined) {
      return {
        structured: { ...missed, ...about, method: "visual", strategy },
        content: content ?? [],
        log: reported,
      };
    }
    return {
      structured: { found: true, method: "visual", strategy, position, size, center, confidence, ...about },
      content: content ?? [],
      log: reported,
    };
  } catch (thrown) {
    const why = refusal(thrown);
    if (why === undefined) throw thrown;
    call.progress("No element found", 2, 2);
    return {
      structured: { ...missed, tried: [{ backend: "vision", error: why.slice(0, 300) }] },
      log: { strategy: missed["strategy"] ?? "", found: false, cache_hit: false, fallback: "none" },
    };
  } finally {
    done?.();
  }
}

/** Why nobody looked at the picture; undefined: the call itself is over. */
function refusal(thrown: unknown): string | undefined {
  if (thrown instanceof ToolFailure || thrown instanceof ProtocolError) {
    const retry = thrown instanceof ProtocolError && isMap(thrown.data ?? null) ? ", try later" : "";
    return `${thrown.message}${retry}`;
  }
  const { code, message } = toBackstepError(thrown);
  return code === "cancelled" || code === "internal" ? undefined : message;
}
