import { isList, isMap } from "../../base/json.ts";
import type { Json } from "../../base/error.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import { INVALID_PARAMS, ProtocolError } from "./wire.ts";

/** Levels of lists and maps that arguments may have. */
const LEVELS = 32;

/**
 * Refuses texts that no desktop can take: with NUL, or with half of a surrogate pair. Throws `ProtocolError` (-32602) with
 * the place.
 */
export function requireTexts(tool: string, args: ToolArguments): void {
  const why = faultOf(args, [], 0);
  if (why === undefined) return;
  throw new ProtocolError(INVALID_PARAMS, `Invalid arguments for ${tool}: ${why.path}: ${why.message}`, {
    tool,
    issues: [why],
  });
}

function faultOf(
  value: Json,
  path: readonly string[],
  level: number,
): { readonly path: string; readonly message: string } | undefined {
  const fault = (message: string) => ({ path: path.join(".").slice(0, 200), message });
  if (level > LEVELS) return fault("it is nested too deeply");
  if (typeof value === "string") {
    if (value.includes("\0")) return fault("a text cannot hold NUL");
    return value.isWellFormed() ? undefined : fault("it holds half of a surrogate pair");
  }
  const entries: readonly (readonly [string, Json])[] = isList(value)
    ? value.map((one, index) => [String(index), one] as const)
    : isMap(value)
    ? Object.entries(value)
    : [];
  for (const [key, one] of entries) {
    const found = faultOf(one, [...path, key.isWellFormed() ? key : "?"], level + 1);
    if (found) return found;
  }
  return undefined;
}
