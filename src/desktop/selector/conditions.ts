import { BackstepError } from "../../base/error.ts";
import { isCalled } from "../called.ts";
import type { SnapshotField } from "../desktop.ts";
import { Role, ROLE_COUNT, roleOf, rolesOf } from "../roles.ts";
import { NO_STRING, type Snapshot } from "../snapshot.ts";
import { rowHas, stateTests, visibilityMask } from "../state-words.ts";
import { axOf, isMacOnly, typeMeans } from "../vocabulary.ts";
import { type AttributeName, compare, type Condition, type Selector, type StringTest } from "./ast.ts";
import { compileBeside } from "./beside.ts";
import { compileLayout } from "./layout.ts";
import { numberTest, stringTest } from "./strings.ts";

/** A question about a row of one snapshot. */
export type RowTest = (row: number) => boolean;

/** What conditions on other elements need of the matcher: the rows of a selector below one row, or anywhere (-1). */
export type Matcher = (selector: Selector, scope: number, limit: number) => readonly number[];

/** A condition other than `nth`, made ready for one snapshot: what can be computed before is computed once. */
export function compileCondition(condition: Condition, snapshot: Snapshot, match: Matcher): RowTest {
  switch (condition.kind) {
    case "type":
      return compileType(condition.type, snapshot);
    case "attribute":
      return compileAttribute(condition.name, condition.test, snapshot);
    case "present":
      return compileAttribute(condition.name, { kind: "regex", source: "[^]", flags: "" }, snapshot, true);
    case "state": {
      const test = stateTests[condition.word];
      const visible = visibilityMask(snapshot.origin.application);
      const { role, states } = snapshot.columns;
      if (condition.word === "visible" || condition.word === "hidden") {
        return (row) => rowHas(snapshot, row, condition.word);
      }
      return (row) => test(role[row] ?? 0, states[2 * row] ?? 0, states[2 * row + 1] ?? 0, visible);
    }
    case "hasText":
      return below(hasOwnText(condition.value, snapshot), snapshot, 0);
    case "beside":
      return compileBeside(condition.how, condition.name, snapshot);
    case "layout": {
      const distance = compileLayout(condition, snapshot, () => match(condition.selector, -1, Infinity));
      return (row) => distance(row) !== undefined;
    }
    case "has":
      return compileHas(condition.selector, snapshot, match);
    case "is":
    case "not": {
      const wanted = condition.kind === "is";
      const test = compileMembership(condition.selector, snapshot, match);
      return (row) => test(row) === wanted;
    }
    case "root":
      return (row) => snapshot.parent(row) < 0;
    case "nth":
      throw new BackstepError("internal", "Cannot ask one row for its place among the others");
  }
}

const NO = 0, YES = 1, ASK_STATES = 2, ASK_PLACE = 3;

/** What a type says of each role number that a column can hold. */
interface Verdicts {
  readonly may: Uint8Array;
  /** The role is all there is to ask. */
  readonly enough: boolean;
}
const verdictsOf = new Map<string, Verdicts>();

/** Which role numbers an element of this type can have (0: it cannot), and whether that is all there is to ask. */
export function rolesOfType(type: string): Verdicts {
  const existing = verdictsOf.get(type);
  if (existing !== undefined) return existing;
  const may = new Uint8Array(2 ** 16);
  const ax = type.startsWith("AX");
  for (let role = 0; role <= ROLE_COUNT; role++) {
    const meant = rolesOf(role).filter((info) => typeMeans(type, info));
    may[role] = meant.length === 0 ? NO : meant.length === rolesOf(role).length ? YES : ASK_STATES;
    if (ax && (role === Role.menu || role === Role.menuItem)) may[role] = ASK_PLACE;
  }
  if (isMacOnly(type)) may.fill(ASK_PLACE);
  else may.fill(may[ROLE_COUNT] ?? NO, ROLE_COUNT);
  const verdicts = { may, enough: !may.some((verdict) => verdict > YES) };
  verdictsOf.set(type, verdicts);
  return verdicts;
}

/** The roles that an element of a type can have. */
export function rolesThatMayBe(type: string): number[] {
  const { may } = rolesOfType(type);
  return Array.from({ length: ROLE_COUNT }, (_, role) => role).filter((role) => may[role] !== NO);
}

function compileType(type: string, snapshot: Snapshot): RowTest {
  const { may } = rolesOfType(type);
  const { role: roles, nativeRole } = snapshot.columns;
  if (nativeRole !== undefined && type.startsWith("AX")) {
    return (row) => {
      const { role, subrole } = axOf(snapshot, row);
      return role === type || subrole === type;
    };
  }
  return (row) => {
    const role = roles[row] ?? 0;
    const verdict = may[role];
    if (verdict === YES || verdict === NO) return verdict === YES;
    if (verdict === ASK_PLACE) return axOf(snapshot, row).role === type;
    return typeMeans(type, roleOf(role, snapshot.statesLow(row), snapshot.statesHigh(row)));
  };
}

/** The columns that a question about an attribute reads. */
export function fieldsOfAttribute(name: AttributeName): readonly SnapshotField[] {
  switch (name) {
    case "id":
      return ["id"];
    case "text":
      return ["text"];
    case "value":
      return ["value", "text"];
    case "name":
    case "description":
    case "role":
    case "application":
      return [];
    default:
      return ["attributes"];
  }
}

function requireFields(name: AttributeName, snapshot: Snapshot): void {
  const { columns } = snapshot;
  for (const field of fieldsOfAttribute(name)) {
    const column = field === "id"
      ? columns.id
      : field === "text"
      ? columns.text
      : field === "value"
      ? columns.value
      : columns.attributes;
    if (snapshot.size > 0 && column.length === 0) {
      throw new BackstepError(
        "invalid",
        `Cannot match [${name}]: the tree was read without its field "${field}"`,
        {
          hint: "Ask fieldsOf(selector) which fields it needs before taking the snapshot.",
        },
      );
    }
  }
}

function compileAttribute(
  name: AttributeName,
  test: StringTest,
  snapshot: Snapshot,
  present = false,
): RowTest {
  requireFields(name, snapshot);
  const { columns } = snapshot;
  const ask = present ? (text: string) => text !== "" : stringTest(test);
  const column = (numbers: Uint32Array): RowTest => {
    const existing = present ? (k: number) => snapshot.string(k) !== "" : numberTest(snapshot, test);
    return (row) => {
      const k = numbers[row] ?? 0;
      return k !== NO_STRING && existing(k);
    };
  };
  switch (name) {
    case "name":
      return column(columns.name);
    case "description":
      return column(columns.description);
    case "id":
      return column(columns.id);
    case "text":
      return column(columns.text);
    case "value": {
      const text = column(columns.text);
      return (row) => {
        const current = columns.value[4 * row] ?? NaN;
        return Number.isNaN(current) ? text(row) : ask(String(current));
      };
    }
    case "role":
      return (row) => {
        const info = roleOf(snapshot.role(row), snapshot.statesLow(row), snapshot.statesHigh(row));
        const ax = axOf(snapshot, row);
        return info.words.some(ask) || ask(ax.role) || (ax.subrole !== undefined && ask(ax.subrole));
      };
    case "application": {
      const { application } = snapshot.origin;
      const answer = ask(application.name) || (application.id !== undefined && ask(application.id)) ||
        (test.kind === "string" && test.op === "=" && !present && isCalled(application, test.value));
      return () => answer;
    }
    default: {
      const key = name === "class" ? "class" : name.slice(1);
      return (row) => {
        if ((columns.attributes[row] ?? 0) === 0) return false;
        const attributes = snapshot.attributes(row);
        const value = Object.hasOwn(attributes, key) ? attributes[key] : undefined;
        return value !== undefined && ask(value);
      };
    }
  }
}

function hasOwnText(value: string, snapshot: Snapshot): RowTest {
  const contains = numberTest(snapshot, compare("*=", value, true));
  const { name, text } = snapshot.columns;
  return (row) => {
    const k = text[row] ?? NO_STRING;
    return contains(name[row] ?? 0) || (k !== NO_STRING && contains(k));
  };
}

/** Does the test hold of any row of the subtree, from `skip` rows into it? Counted once for the whole snapshot. */
function below(test: RowTest, snapshot: Snapshot, skip: 0 | 1): RowTest {
  let before: Int32Array | undefined;
  return (row) => {
    if (before === undefined) {
      before = new Int32Array(snapshot.size + 1);
      for (let r = 0, sum = 0; r < snapshot.size; r++) before[r + 1] = sum += test(r) ? 1 : 0;
    }
    return (before[snapshot.end(row)] ?? 0) > (before[row + skip] ?? 0);
  };
}

/** The one compound of a selector that asks nothing about other places, undefined for anything longer. */
function loneCompound(selector: Selector): readonly Condition[] | undefined {
  const [path, ...more] = selector.paths;
  const [step, ...steps] = path?.steps ?? [];
  if (step === undefined || more.length > 0 || steps.length > 0 || step.combinator !== "descendant") {
    return undefined;
  }
  return step.conditions.some((c) => c.kind === "nth") ? undefined : step.conditions;
}

function every(conditions: readonly Condition[], snapshot: Snapshot, match: Matcher): RowTest {
  const tests = conditions.map((condition) => compileCondition(condition, snapshot, match));
  return (row) => tests.every((test) => test(row));
}

function compileHas(selector: Selector, snapshot: Snapshot, match: Matcher): RowTest {
  const lone = loneCompound(selector);
  if (lone !== undefined) return below(every(lone, snapshot, match), snapshot, 1);
  return (row) => match(selector, row, 1).length > 0;
}

function compileMembership(selector: Selector, snapshot: Snapshot, match: Matcher): RowTest {
  const lone = loneCompound(selector);
  if (lone !== undefined) return every(lone, snapshot, match);
  let members: Uint8Array | undefined;
  return (row) => {
    if (members === undefined) {
      members = new Uint8Array(snapshot.size);
      for (const member of match(selector, -1, Infinity)) members[member] = 1;
    }
    return members[row] === 1;
  };
}
