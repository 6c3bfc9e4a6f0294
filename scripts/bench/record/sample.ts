/** What many measurements came to. */
export interface Sample {
  readonly p50: number;
  readonly p95: number;
  readonly samples: number;
}

/** The middle one of some numbers, and the one that 95 % do not exceed. */
export function sampleOf(numbers: readonly number[]): Sample {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  return { p50: at(0.5), p95: at(0.95), samples: sorted.length };
}
