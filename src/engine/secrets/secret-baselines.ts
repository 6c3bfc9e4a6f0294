import { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Baselines } from "../../contract/baselines.ts";
import type { Session } from "../../session/session.ts";
import type { Hidden } from "./hidden.ts";
import type { Mask } from "./mask.ts";

/** Milliseconds that looking for secrets on the screen may take. */
const LOOK = 10_000;

/** Baselines that no secret of a run is written into: they lie in the project, where everybody reads them. */
export function withoutSecrets(
  baselines: Baselines,
  mask: Mask,
  session: Session,
  hidden: Hidden,
): Baselines {
  return {
    mode: baselines.mode,
    folder: baselines.folder,
    find: (name, variant) => baselines.find(name, variant),
    async store(name, variant, bytes) {
      const tells = name.includes(".tree.yaml")
        ? holdsSecret(new TextDecoder().decode(bytes), mask)
        : await showsSecret(session, hidden);
      if (!tells) return await baselines.store(name, variant, bytes);
      throw new BackstepError(
        "secure",
        `Cannot write the baseline ${name}: it would hold a secret of the run`,
        {
          hint:
            "Name a `target:` beside the secret, or write the rest of the tree under `matches:`. A picture is taken " +
            "where nothing on the screen shows a secret, or is a password field.",
        },
      );
    },
  };
}

function holdsSecret(text: string, mask: Mask): boolean {
  return mask.text(text) !== text;
}

/** Is there anything on the desktop that a picture taken in this run must not show? */
export async function showsSecret({ desktop }: Session, hidden: Hidden): Promise<boolean> {
  if (!hidden.active) return false;
  const deadline = Deadline.after(LOOK);
  for (const application of await desktop.applications(deadline.call())) {
    const fields = ["extents", "text", "value"] as const;
    const snapshot = await desktop.snapshot(application, { ...deadline.call(), fields, maxText: 100_000 });
    if (hidden.of(snapshot).rows.size > 0) return true;
  }
  return false;
}
