import { type Breach, judge } from "./judge.ts";
import { live, memoryFolder } from "./live.ts";
import { makeStory } from "./make.ts";
import { shrink } from "./shrink.ts";
import type { Story } from "./story.ts";

/** A story that breaks a law, as it was found and as small as it became. */
export interface Found {
  readonly story: Story;
  readonly smallest: Story;
  readonly breaches: readonly Breach[];
}

/** What came of many histories. */
export interface Tally {
  readonly histories: number;
  /** By status, verdict and exit code: "failed restored 1". */
  readonly ends: Readonly<Record<string, number>>;
  /** The first one that breaks a law; nothing comes after it. */
  readonly found: Found | undefined;
  readonly milliseconds: number;
}

/** Lets `count` stories happen, of the seeds from `seed` on, until one breaks a law; that one is made small. */
export async function tellMany(seed: number, count: number): Promise<Tally> {
  const folder = memoryFolder();
  const began = performance.now();
  const ends: Record<string, number> = {};
  try {
    for (let n = 0; n < count; n++) {
      const story = makeStory(seed + n);
      const history = await live(story, folder.path);
      const { result } = history;
      const end = result ? `${result.status} ${result.rollback.verdict} ${result.exit}` : "thrown";
      ends[end] = (ends[end] ?? 0) + 1;
      const [breach] = judge(history);
      if (!breach) continue;
      // A smaller story that breaks another law is another story.
      const smallest = await shrink(
        story,
        async (one) => judge(await live(one, folder.path)).some(({ law }) => law === breach.law),
      );
      const breaches = judge(await live(smallest, folder.path));
      return {
        histories: n + 1,
        ends,
        found: { story, smallest, breaches },
        milliseconds: performance.now() - began,
      };
    }
    return { histories: count, ends, found: undefined, milliseconds: performance.now() - began };
  } finally {
    folder.remove();
  }
}
