import type { Participant } from "../../contract/participant.ts";
import { confine } from "../../operations/confine.ts";
import { filesOf } from "../../participants/files.ts";
import type { Session } from "../../session/session.ts";
import type { Artefacts } from "../journal/artefacts.ts";
import type { Workflow } from "../model/step.ts";

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
