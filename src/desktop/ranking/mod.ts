export type { LocatorTrait, RankedLocator } from "./candidate.ts";
export { MOST_NTH, Ranker } from "./ranker.ts";
