import { defined } from "../base/defined.ts";
import type { Context } from "../contract/operation.ts";
import type { Application, ElementRef, SnapshotField } from "../desktop/desktop.ts";
import type { Snapshot } from "../desktop/snapshot.ts";

/** Where a tree begins; without an element it is all of the application. */
export interface TreeRoot {
  readonly application: Application;
  readonly element: ElementRef | undefined;
}

/** All that the notation says of a tree. Levels of headings cost a call an element: they can be left out. */
export async function readTree(
  context: Pick<Context, "desktop" | "deadline">,
  { application, element }: TreeRoot,
  levels = true,
): Promise<Snapshot> {
  const fields: SnapshotField[] = ["extents", "text", "value"];
  return await context.desktop.snapshot(application, {
    ...context.deadline.call(),
    ...defined({ root: element }),
    fields: levels ? [...fields, "attributes"] : fields,
  });
}
