export { rowsAt } from "./at-point.ts";
export type { LocatorTrait, RankedLocator } from "./candidate.ts";
export { captionsOf } from "./around.ts";
export { labelsOf, placeholdersOf, tells } from "./parts.ts";
export { MOST_NTH, Ranker } from "./ranker.ts";
