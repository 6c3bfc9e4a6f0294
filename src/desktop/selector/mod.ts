export type { AttributeName, Condition, Path, Selector, Step, StringTest } from "./ast.ts";
export { compare, simple } from "./ast.ts";
export { asksManaged, rolesAsked, tellsMiss } from "./managed.ts";
export { withoutContents } from "./contents.ts";
export { fieldsOf, match, type MatchOptions } from "./match.ts";
export { parseSelector } from "./parse.ts";
export { printSelector } from "./print.ts";
export { readSelector } from "./read.ts";
export {
  asksVisible,
  candidates,
  fieldsOfRead,
  find,
  firstStage,
  type Found,
  type ReadSelector,
  type Stage,
  type StageName,
  strategies,
  type Strategy,
} from "./strategies.ts";
export { withoutPlaces } from "./unplaced.ts";
export { UiPaths, writeUiPath } from "./ui-path.ts";
export { parseUiPath, UI_SCHEME } from "./xpath.ts";
