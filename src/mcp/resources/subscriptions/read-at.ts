import type { Call } from "../../../base/call.ts";
import { BackstepError } from "../../../base/error.ts";
import type { Application, Desktop, SnapshotField } from "../../../desktop/desktop.ts";
import type { Snapshot } from "../../../desktop/snapshot.ts";
import { axOf } from "../../../desktop/vocabulary.ts";
import { brief } from "../axterminator/brief.ts";

/** Whatever is at an object path now, read afresh, as a snapshot of one row; undefined: nothing is. */
export async function lookAt(
  desktop: Desktop,
  application: Application,
  path: string,
  fields: readonly SnapshotField[],
  call: Call,
): Promise<Snapshot | undefined> {
  const { bus } = application;
  const fingerprint = { role: 0, name: "", id: "" };
  try {
    return await desktop.snapshot(application, {
      ...call,
      // Younger than anything that was removed: who is there now is what counts.
      root: { bus, path, generation: Number.MAX_SAFE_INTEGER, fingerprint },
      fields,
      maxText: 200,
      maxDepth: 0,
    });
  } catch (error) {
    if (error instanceof BackstepError && (error.code === "stale" || error.code === "not_found")) {
      return undefined;
    }
    throw error;
  }
}

/** A snapshot of one row as "AXTextField 'File name'". */
export function elementText(one: Snapshot): string {
  const name = brief(one.name(0));
  const { role } = axOf(one, 0);
  return name === "" ? role : `${role} '${name}'`;
}
