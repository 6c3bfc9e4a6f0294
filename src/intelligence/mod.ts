export { detect, type Detection, detectors } from "./detect.ts";
export { type Detected, type PatternName, patternNames, type Reason } from "./detector.ts";
export { read, type ReadOptions, type Scene } from "./scene.ts";
export { BUSY_AFTER, type State, stateOf, type StateOptions, states } from "./state.ts";
export { queryFor, type Suggestion, suggestionsFor } from "./suggest.ts";
export { destinationsOf, WAY } from "./destinations.ts";
export { FIELDS, insight } from "./insight.ts";
export { type Region, regionsOf } from "./regions.ts";
