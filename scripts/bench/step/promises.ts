import type { StepRow } from "./step.ts";

/** What is promised of an application's median act beside its peer's. */
interface Promised {
  readonly ratio: number;
  /** Where that is not reached: what docs/benchmarks.md says is kept instead. */
  readonly held?: number;
}

/** By application. A number here and in docs/benchmarks.md is the same. */
const PROMISED: Readonly<Record<string, Promised>> = {
  chromium: { ratio: 1, held: 1.5 },
  gtk3: { ratio: 0.1, held: 0.3 },
  gtk4: { ratio: 0.1, held: 0.2 },
  qt5: { ratio: 0.2, held: 0.5 },
  qt6: { ratio: 0.2, held: 0.5 },
};
/** Where an act of a settled application is meant to read no whole tree, and to take so many calls at most. Not reached yet. */
const LEAN = { apps: ["gtk3", "gtk4", "chromium"], calls: 10 };

/** What came of the promises, a line each. */
export interface StepPromises {
  /** What docs/benchmarks.md says is kept, and is not. */
  readonly broken: readonly string[];
  /** What it says is not reached, and still is not. */
  readonly unreached: readonly string[];
}

/** Judges the rows by what is promised. A ratio that could not be measured is neither kept nor broken. */
export function stepPromises(rows: readonly StepRow[]): StepPromises {
  const broken: string[] = [], unreached: string[] = [];
  for (const { app, kind, what, ratio, peer, calls, trees } of rows) {
    const promised = PROMISED[app];
    if (kind === "all" && promised !== undefined && ratio !== null && ratio > promised.ratio) {
      const most = promised.held ?? promised.ratio;
      const line = (bound: number) => `${app}: the median act within ${bound}x ${peer}'s: it is ${ratio}x`;
      if (ratio > most) broken.push(line(most));
      else unreached.push(line(promised.ratio));
    }
    if (kind === "act" && LEAN.apps.includes(app) && (calls > LEAN.calls || trees > 0)) {
      unreached.push(
        `${app}: ${what} without a whole tree in ${LEAN.calls} calls: it takes ${calls}, and ${trees} trees`,
      );
    }
  }
  return { broken, unreached };
}
