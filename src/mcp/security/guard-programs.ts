import { BackstepError } from "../../base/error.ts";
import type { Act } from "../../contract/gate.ts";
import { unlistedProgram } from "../../policy/judgement/programs.ts";
import { Refused } from "./guard-refusals.ts";

/** A client starts applications of the catalogue: a path, a program without an entry and a command line are refused. */
export async function requireEntry({ resolved, context: { session } }: Act): Promise<void> {
  const app = await unlistedProgram(resolved.reaches, session.launcher);
  if (app === undefined) return;
  throw new Refused(
    "blocked",
    ["program"],
    new BackstepError(
      "policy",
      `Cannot launch ${JSON.stringify(app.slice(0, 80))}: it is no entry of the catalogue`,
      {
        hint:
          "Launch an application by the id of its desktop entry; who runs the server can set launch_programs.",
        details: { app: app.slice(0, 80) },
      },
    ),
  );
}
