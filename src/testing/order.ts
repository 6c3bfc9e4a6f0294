import { seeded } from "../base/random.ts";
import { BackstepError } from "../base/error.ts";
import type { Shard } from "../report/reporter.ts";

/** Something whose turn comes, and how long it took the last time. */
export interface Timed {
  readonly file: string;
  /** Milliseconds; undefined: it never ran here. */
  readonly expected: number | undefined;
}

/** What a file that never ran is taken to need: the mean of those that did. */
function usual(items: readonly Timed[]): number {
  const existing = items.flatMap(({ expected }) => expected ?? []);
  return existing.length === 0 ? 1_000 : existing.reduce((sum, n) => sum + n, 0) / existing.length;
}

/** Longest first, so that no long file begins when the others are done; else by path, so that it is always the same. */
export function longestFirst<T extends Timed>(items: readonly T[]): T[] {
  const otherwise = usual(items);
  return [...items].sort((a, b) =>
    (b.expected ?? otherwise) - (a.expected ?? otherwise) || (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)
  );
}

/** In an order of chance, which a seed repeats whatever order they come in (Fisher and Yates). */
export function shuffled<T extends { readonly id: string }>(items: readonly T[], seed: number): T[] {
  const random = seeded(seed);
  const mixed = [...items].sort((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  for (let last = mixed.length - 1; last > 0; last--) {
    const [other] = mixed.splice(Math.floor(random() * (last + 1)), 1);
    if (other !== undefined) mixed.push(other);
  }
  return mixed;
}

/**
 * The items of one shard: each goes, longest first, to the shard that has least to do. Every machine with the same files and the
 * same durations comes to the same shards.
 */
export function ofShard<T extends Timed>(items: readonly T[], { index, total }: Shard): T[] {
  const otherwise = usual(items);
  const loads: number[] = Array.from({ length: total }, () => 0);
  return longestFirst(items).filter((item) => {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + (item.expected ?? otherwise);
    return least === index - 1;
  });
}

/** Reads "2/3". Throws `usage`. */
export function readShard(text: string): Shard {
  const [, index, total] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), total: Number(total) };
  if (shard.index >= 1 && shard.index <= shard.total) return shard;
  throw new BackstepError("usage", `Cannot take the shard ${JSON.stringify(text)}: it is not i/n`, {
    hint: "The first of three is --shard 1/3.",
  });
}
