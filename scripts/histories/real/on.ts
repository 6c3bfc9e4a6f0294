import { defined } from "../../../src/base/defined.ts";
import type { Session } from "../../../src/session/session.ts";
import { type Breach, judge } from "../judge.ts";
import { type History, memoryFolder } from "../live.ts";
import { makeStory } from "../make.ts";
import { storyText } from "../story.ts";
import { accidentsOf } from "./accidents.ts";
import { comparable } from "./comparable.ts";
import { Fixture } from "./fixture.ts";
import { liveOn } from "./live-on.ts";
import { realStage, simulatedStage, type Stage } from "./stage.ts";
import type { Rewording, Toolkit } from "./toolkits.ts";
import { differencesOf } from "./verdicts.ts";

/** A history that the two desktops do not agree on, or that breaks a law on one of them. */
export interface Disagreement {
  readonly seed: number;
  readonly differences: readonly string[];
  /** Laws that the simulated desktop's history breaks, and the real one's. */
  readonly simulated: readonly Breach[];
  readonly real: readonly Breach[];
  readonly report: string;
}

/** What came of histories on both. */
export interface Compared {
  readonly toolkit: string;
  readonly histories: number;
  /** By status, verdict and exit code of the real one. */
  readonly ends: Readonly<Record<string, number>>;
  readonly disagreements: readonly Disagreement[];
  readonly milliseconds: number;
}

/** Lets the stories of `count` seeds happen on the simulated desktop and on a private one, which is used for all of them. */
export async function tellOn(
  session: Session,
  toolkit: Toolkit,
  { seed, count, say = () => {} }: {
    readonly seed: number;
    readonly count: number;
    say?(line: string): void;
  },
): Promise<Compared> {
  const fixture = Fixture.prepare(session, toolkit);
  await placeDialogs(session);
  return await tellWith({
    name: toolkit.name,
    copied: toolkit.name === "chromium",
    ...defined({ onBoth: toolkit.onBoth }),
    stage: () => realStage(session, fixture, toolkit),
  }, { seed, count, say });
}

/** Where the same stories happen. */
export interface Place {
  readonly name: string;
  /** The simulated desktop is taken for one that answers from a copy. */
  readonly copied: boolean;
  /** What is told otherwise on both. Default: nothing. */
  readonly onBoth?: readonly Rewording[];
  /** The form as at first. */
  stage(): Promise<Stage>;
}

/** The same on whatever stage there is. */
export async function tellWith(
  place: Place,
  { seed, count, say = () => {} }: {
    readonly seed: number;
    readonly count: number;
    say?(line: string): void;
  },
): Promise<Compared> {
  const folder = memoryFolder();
  const began = performance.now();
  const ends: Record<string, number> = {};
  const disagreements: Disagreement[] = [];
  try {
    for (let n = 0; n < count; n++) {
      const story = comparable(makeStory(seed + n));
      const lived = (stage: Stage) => liveOn(stage, story, folder.path, place.onBoth);
      const imagined = simulatedStage({ copied: place.copied });
      const simulated = await lived(imagined);
      await imagined.close();
      const real = await lived(await place.stage());
      const { result } = real;
      const end = result ? `${result.status} ${result.rollback.verdict} ${result.exit}` : "thrown";
      ends[end] = (ends[end] ?? 0) + 1;
      const found = {
        differences: differencesOf(simulated, real),
        simulated: judge(simulated),
        real: judge(real),
      };
      if (found.differences.length + found.simulated.length + found.real.length === 0) continue;
      const report = reportOf(story.seed, simulated, real, found);
      disagreements.push({ seed: story.seed, ...found, report });
      say(report);
    }
  } finally {
    folder.remove();
  }
  return {
    toolkit: place.name,
    histories: count,
    ends,
    disagreements,
    milliseconds: performance.now() - began,
  };
}

/**
 * The dialog lies beside the form, where it covers nothing. On X11 the fixture places it; on Wayland no application can, so that
 * the compositor is told to.
 */
async function placeDialogs(session: Session): Promise<void> {
  if (session.desktop.capabilities.display !== "wayland") return;
  const manager = await session.windowManager?.();
  if (manager === undefined) throw new Error("the private desktop has no window manager");
  await manager.command('for_window [title="^Question$"] move position 20 40');
}

function reportOf(
  seed: number,
  simulated: History,
  real: History,
  found: {
    readonly differences: readonly string[];
    readonly simulated: readonly Breach[];
    readonly real: readonly Breach[];
  },
): string {
  const { story } = simulated;
  const laws = (of: string, breaches: readonly Breach[]) =>
    breaches.map(({ law, why }) => `${of} breaks ${law}: ${why}`);
  const why = (of: string, { result }: History) =>
    result?.steps.flatMap(({ path, error }) =>
      error && error.code !== "cancelled" ? [`${of} ${path}: ${error.message}`] : []
    ) ?? [];
  return [
    `Seed ${seed}: the simulated desktop (-) and the real one (+) do not agree.`,
    storyText({ ...story, faults: [] }),
    ...accidentsOf(story).map((one) => `# accident ${JSON.stringify(one)}`),
    ...found.differences,
    ...laws("-", found.simulated),
    ...laws("+", found.real),
    ...why("-", simulated),
    ...why("+", real),
    ...real.log.flatMap(({ by, changes }) =>
      changes.map(({ element, what, before, after }) =>
        `+ ${by}: ${element || what} ${JSON.stringify(before)} -> ${JSON.stringify(after)}`
      )
    ),
    ...(real.result?.rollback.steps ?? []).map((one) => `+ ${JSON.stringify(one)}`),
    "",
  ].join("\n");
}
