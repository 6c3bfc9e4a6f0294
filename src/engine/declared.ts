import { createHash } from "node:crypto";
import type { Participant } from "../contract/participant.ts";
import { confine } from "../operations/confine.ts";
import { filesOf } from "../participants/files.ts";
import type { Session } from "../session/session.ts";
import type { Artefacts } from "./artefacts.ts";
import type { Workflow } from "./step.ts";

/** Tells whether a workflow is the one that was run, wherever its file lies and however it is laid out. */
export function digestOf(workflow: Workflow): string {
  const isPlace = (value: unknown) => typeof value === "object" && value !== null && "line" in value;
  // A variable may be called "file" or "place" too.
  const text = JSON.stringify(
    workflow,
    (key, value) =>
      (key === "place" && isPlace(value)) || (key === "file" && typeof value === "string")
        ? undefined
        : value,
  );
  return createHash("sha256").update(text).digest("hex");
}

/** The participants of `files:`. Throws `invalid` for what lies outside of the desktop's HOME and the project's folder. */
export async function declaredFiles(
  { files }: Workflow,
  { session, folder }: { readonly session: Session; readonly folder: string },
  store: Artefacts,
): Promise<Participant[]> {
  const late = session.kind !== "attached";
  const participants: Participant[] = [];
  for (const given of files) {
    const path = await confine({ session, folder }, given, "protect");
    participants.push(filesOf({ given, path, store, late }));
  }
  return participants;
}
