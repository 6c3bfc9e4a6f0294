import type { Reach } from "../../desktop/reach.ts";
import type { Launcher } from "../../session/session.ts";
import type { GuardSecurity } from "../policy.ts";

type Programs = Pick<Launcher, "catalogue">;

/** Does it start or quit an application that the lists deny? The session refuses that: nobody is asked about it. */
export function isDenied(
  reaches: readonly Reach[],
  security: Pick<GuardSecurity, "restricts" | "blocked">,
): boolean {
  return security.restricts && reaches.some((reach) =>
    (reach.by === "quit" || reach.by === "program") &&
    security.blocked({ name: reach.app, executable: reach.app, pid: 0 }) !== undefined
  );
}

/**
 * The first thing to be started that is no entry of the catalogue: a path, a program without an entry, a command line.
 * Undefined: there is none.
 */
export async function unlistedProgram(
  reaches: readonly Reach[],
  launcher: Programs,
): Promise<string | undefined> {
  const programs = reaches.flatMap((reach) => reach.by === "program" ? [reach] : []);
  if (programs.length === 0) return undefined;
  const entries = await launcher.catalogue();
  const listed = new Set(entries.flatMap(({ id, name }) => [folded(id), folded(name)]));
  for (const { executable } of entries) if (!executable.includes("/")) listed.add(folded(executable));
  // What runs nowhere is no program: the launcher says so.
  return programs.find(({ app, args }) => app.trim() !== "" && (!listed.has(folded(app)) || args.length > 0))
    ?.app;
}

function folded(name: string): string {
  return name.trim().toLowerCase().replace(/\.desktop$/, "");
}
