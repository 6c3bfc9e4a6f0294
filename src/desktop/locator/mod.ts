export { findApplication, waitForApplication } from "./application.ts";
export type { ConditionName, Match, ResolveState, Unmet } from "./condition.ts";
export { explain, type Explanation } from "./explain.ts";
export { LOCATE_TIMEOUT, Locator, type LocatorOptions, type ResolveOptions } from "./locator.ts";
export { listed, notFound } from "./diagnose.ts";
export { instead } from "./instead.ts";
export { isScrolledAway } from "./hidden-twins.ts";
export { meant } from "./meant.ts";
