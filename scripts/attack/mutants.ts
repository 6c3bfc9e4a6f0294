import { type Mutant, tryOn } from "../histories/mutants.ts";
import type { Plan, ToolkitName } from "./plan.ts";

/** A bug, and the plays that notice it: on which toolkit, from which seed, or the one that its plan says. */
interface Seeded extends Mutant {
  readonly on: ToolkitName;
  readonly seed: number;
  /** Instead of plays by chance: what triggers it is too rare in them. */
  readonly plan?: Pick<Plan, "traits" | "steps">;
}

/** Plays at most until a bug must have been noticed. */
const MOST = 150;

/** Bugs that an engine or a driver of this kind may have: each was, or could be, the cause of a false verdict. */
export const MUTANTS: readonly Seeded[] = [
  {
    bug: "a click on a text field does its action, which is Return",
    file: "src/desktop/actions/press.ts",
    from: "if (takesText(reading)) return await clickText(",
    to: 'if (takesText(reading)) await doAction(desktop, element, "activate", deadline);\n' +
      "    if (takesText(reading)) return await clickText(",
    on: "gtk3",
    seed: 1,
  },
  {
    bug: "a click on a row selects it",
    file: "src/desktop/actions/press.ts",
    from: "return await clickRow(",
    to:
      "if (isOfCombo !== undefined) return await chooseItem(desktop, element, deadline);\n      return await clickRow(",
    on: "gtk3",
    seed: 1,
  },
  {
    bug: "the last read is not compared",
    file: "src/engine/rollback/final-read.ts",
    from: "const found = differences(participant.label, before, now);",
    to: "const found = differences(participant.label, before, before); void now;",
    on: "gtk3",
    seed: 1,
  },
  {
    bug: "the last read comes at once",
    file: "src/engine/rollback/last-write.ts",
    from: "export const AFTER_WRITE = 1_000;",
    to: "export const AFTER_WRITE = 0;",
    on: "gtk3",
    seed: 1,
  },
  {
    bug: "what an application answers to a text is believed",
    file: "src/desktop/actions/set-text.ts",
    from: "    secure || (await untilArrived(",
    to: "    true || (await untilArrived(",
    on: "gtk3",
    seed: 1,
  },
  {
    bug: "drift ends a run as if all were well",
    file: "src/engine/rollback/outcomes.ts",
    from: 'if (verdict === "drift") return 3;',
    to: 'if (verdict === "drift") return 1;',
    on: "gtk3",
    seed: 1,
  },
  {
    bug: "changed afterwards is not told",
    file: "src/engine/rollback/as-left.ts",
    from: "if (found.length === 0) return;",
    to: "if (found.length >= 0) return;",
    on: "gtk3",
    seed: 1,
    plan: {
      traits: [{ trait: "revert", key: "alpha", ms: 100 }],
      // The run ends after the reversion, however fast its steps are.
      steps: [
        { set: { target: '[name="Alpha"]', value: "v1" } },
        { wait_idle: { quiet: "300ms" } },
        { set: { target: '[name="Wrap"]', value: true } },
      ],
    },
  },
];

/** Tries one bug. */
export function tryMutant(mutant: Seeded, plays = MOST): ReturnType<typeof tryOn> {
  const { on, seed, plan } = mutant;
  const args = plan
    ? ["--on", on, "--replay", String(seed), "--plan", JSON.stringify(plan)]
    : ["--on", on, "--seed", String(seed), "--count", String(plays), "--shrinks", "0", "--first"];
  return tryOn(mutant, { links: ["native", "tests"], command: ["scripts/attack.ts", ...args] });
}

/** Tries every bug, one after another; answers whether each made a verdict false. */
export async function tryMutants({ say }: { readonly say: (line: string) => void }): Promise<boolean> {
  let all = true;
  for (const mutant of MUTANTS) {
    const { noticed, said } = await tryMutant(mutant);
    all &&= noticed;
    say(`${noticed ? "noticed" : "NOT NOTICED"}: ${mutant.bug} (${said.slice(0, 200)})`);
  }
  say(`${MUTANTS.length} bugs seeded: ${all ? "each made a verdict false" : "not each was noticed"}`);
  return all;
}
