import { BackstepError } from "../base/error.ts";
import type { Act } from "../contract/gate.ts";
import { Refused } from "./guard-refusals.ts";

/** A client starts applications of the catalogue: a path, a program without an entry and a command line are refused. */
export async function requireEntry({ resolved, context: { session } }: Act): Promise<void> {
  const programs = resolved.reaches.flatMap((reach) => reach.by === "program" ? [reach] : []);
  if (programs.length === 0) return;
  const entries = await session.launcher.catalogue();
  const known = new Set(entries.flatMap(({ id, name }) => [folded(id), folded(name)]));
  for (const { executable } of entries) if (!executable.includes("/")) known.add(folded(executable));
  for (const { app, args } of programs) {
    // What runs nowhere is no program: the launcher says so.
    if (app.trim() === "" || (known.has(folded(app)) && args.length === 0)) continue;
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
}

function folded(name: string): string {
  return name.trim().toLowerCase().replace(/\.desktop$/, "");
}
