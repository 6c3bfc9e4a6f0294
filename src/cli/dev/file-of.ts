import { defined } from "../../base/defined.ts";
import type { FileNow } from "../../engine/interactive/steering.ts";
import type { LoadedFile } from "../workflow-file.ts";

/** What a file says now, as a run takes it. */
export function fileOf({ workflow, program, vars }: LoadedFile): FileNow {
  return { workflow, vars, ...defined({ program }) };
}
