import { BackstepError, type Json, type Place } from "../base/error.ts";
import { isMap, toJson } from "../base/json.ts";
import { defined } from "../base/defined.ts";
import type { Operation } from "../contract/operation.ts";
import type { Condition, OperationStep, Undo } from "../engine/model/step.ts";
import { literal } from "../engine/model/template.ts";
import { type Doer, Recording } from "./doer.ts";
import { callerIn } from "./place.ts";
import type { App, ExpectOptions, ExpectTreeOptions, StepOptions, Tools } from "./types.ts";

/** What the tools of a program are made of. */
export interface ToolsOptions<V> {
  readonly operations: Iterable<Operation>;
  readonly doer: Doer;
  readonly file: string;
  readonly vars: V;
  readonly item: Readonly<Record<string, Json>>;
  readonly secret: (name: string) => string;
}

/** What is known of a call beside its own input: `app` of the standing, an element under its operation's own word. */
interface Bound {
  readonly app: string | undefined;
  readonly element?: Json;
}

/** What of an operation's input a method needs to know. */
interface Shape {
  readonly operation: string;
  /** The property that names the element; undefined: it takes none. */
  readonly element: "target" | "into" | undefined;
  readonly required: readonly string[];
}

/** The typed methods of a program, made from the catalogue: their types are `Tools`, from the same list. */
export function toolsFor<V>(options: ToolsOptions<V>): Tools<V>;
export function toolsFor(options: ToolsOptions<unknown>): unknown {
  const { doer, file, vars, item, secret } = options;
  const shapes = [...options.operations].map(shapeOf);
  const app = (id: string | undefined) => appFor(id, options);
  return {
    ...methods(shapes, { app: undefined }, options),
    vars,
    item,
    secret,
    app,
    locator: app(undefined).locator,
    window: app(undefined).window,
    async launch(given: unknown, more?: StepOptions) {
      const input = isMap(toJson(given)) ? toJson(given) : { app: toJson(given) };
      await doer.step(await stepOf("launch", input, more, options, undefined), undefined);
      return app(isMap(input) ? String(input["app"]) : undefined);
    },
    transaction: (name: string, steps: () => Promise<unknown>, more?: { retry?: number }) =>
      doer.transaction(name, steps, more?.retry ?? 0, callerIn(file)),
    savepoint: (name: string) => doer.savepoint(name, callerIn(file)),
    rollbackTo: (name: string) => doer.rollbackTo(name, callerIn(file)),
    reject: (reason: string) => doer.reject(reason, callerIn(file)),
    expect: (locator: { [BOUND]?: Bound }) => expectations(locator[BOUND], shapes, options),
  };
}

/** One application; without an id the default one. */
function appFor(id: string | undefined, options: ToolsOptions<unknown>): App;
function appFor(id: string | undefined, options: ToolsOptions<unknown>): unknown {
  const shapes = [...options.operations].map(shapeOf);
  const element = (selector: string, within?: string): object => {
    const bound = { app: id, element: within === undefined ? selector : { selector, within } };
    return {
      selector,
      ...methods(shapes.filter(({ element }) => element !== undefined), bound, options),
      locator: (inner: string) => element(inner, selector),
      // What `expect` needs of it; not for programs.
      [BOUND]: bound,
    };
  };
  const own = methods(shapes, { app: id }, options);
  return {
    ...own,
    id,
    locator: (selector: string) => element(selector),
    // Without anything to do, it is the window as an element.
    window: (...given: [unknown?, StepOptions?]) =>
      given.length === 0 ? element("window") : own["window"]?.(...given),
  };
}

const BOUND = Symbol("what an element is bound to");

/** "wait-idle" is `waitIdle`. */
function camel(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function shapeOf({ name, inputSchema }: Operation): Shape {
  const { properties, required } = inputSchema.toJSONSchema({ io: "input", unrepresentable: "any" });
  const has = (key: string) => typeof properties === "object" && properties !== null && key in properties;
  return {
    operation: name,
    element: has("target") ? "target" : has("into") ? "into" : undefined,
    required: Array.isArray(required) ? required.map(String) : [],
  };
}

function methods(shapes: readonly Shape[], bound: Bound, options: ToolsOptions<unknown>) {
  return Object.fromEntries(shapes.map((shape) =>
    [
      camel(shape.operation),
      async (given?: unknown, more?: StepOptions) => {
        const input = inputOf(shape, given, bound);
        const step = await stepOf(shape.operation, input, more, options, bound.app);
        return await options.doer.step(step, bound.app);
      },
    ] as const
  ));
}

/** The whole input: given as a map, or for short the value of the only property that is needed. */
function inputOf(
  { operation, element, required }: Shape,
  given: unknown,
  { app, element: found }: Bound,
): Json {
  const existing: { [property: string]: Json } = {};
  if (found !== undefined && element !== undefined) existing[element] = found;
  // What must name its application is told which; what may has it from where it stands.
  if (app !== undefined && required.includes("app")) existing["app"] = app;
  const json = toJson(given ?? {});
  if (isMap(json)) return { ...json, ...existing };
  const [only, ...others] = required.filter((name) => !(name in existing));
  if (only !== undefined && others.length === 0) return { ...existing, [only]: json };
  throw new BackstepError("invalid", `Cannot ${operation}: it takes a map, not ${JSON.stringify(json)}`);
}

async function stepOf(
  operation: string,
  input: Json,
  more: StepOptions = {},
  options: ToolsOptions<unknown>,
  app: string | undefined,
): Promise<OperationStep> {
  const place = callerIn(options.file);
  const { name, timeout, retry, optional, irreversible, soft, undo, guard, doneWhen } = more;
  return {
    kind: "operation",
    place,
    operation,
    input: literal(input),
    ...defined({ name, timeout, retry, optional, irreversible }),
    ...(soft === undefined ? {} : { soft: checking(operation, options) && soft }),
    ...(doneWhen === undefined ? {} : { doneWhen: condition(doneWhen, place) }),
    ...(undo === undefined ? {} : {
      undo: {
        ...await recorded(undo, app, options),
        ...(guard === undefined ? {} : { guard: condition(guard, place) }),
      },
    }),
  };
}

/** Only what looks can fail without ending the flow. */
function checking(operation: string, { operations }: ToolsOptions<unknown>): true {
  if ([...operations].find(({ name }) => name === operation)?.hints.readOnly === true) return true;
  throw new BackstepError("invalid", `Cannot make ${operation} soft: it does not only look`, {
    hint: "With `optional: true`, the flow continues after a step that acts and fails.",
  });
}

function condition(input: unknown, place: Place): Condition {
  return { kind: "assert", input: literal(toJson(input)), negate: false, place };
}

/** The steps of an `undo`, written down without doing them. */
async function recorded(
  undo: (app: App) => Promise<unknown>,
  app: string | undefined,
  options: ToolsOptions<unknown>,
): Promise<Undo> {
  const doer = new Recording();
  await undo(appFor(app, { ...options, doer }));
  return { steps: doer.steps };
}

/** `toBeEnabled`, `toHaveTitle`…: each is one property of `assert`, and `toMatchTree` is `match-tree`. */
function expectations(
  bound: Bound | undefined,
  shapes: readonly Shape[],
  options: ToolsOptions<unknown>,
): object {
  const assertion = [...options.operations].find(({ traits }) => traits.condition);
  const properties = assertion?.inputSchema.toJSONSchema({
    io: "input",
    unrepresentable: "any",
  })["properties"];
  const own = methods(shapes, bound ?? { app: undefined }, options);
  const asserted = assertion && own[camel(assertion.name)];
  const names = Object.entries(toJsonMap(properties)).filter(([name]) =>
    !["target", "file", "clipboard", "timeout"].includes(name)
  );
  const all = (negate: boolean) =>
    Object.fromEntries(names.map(([name, schema]) => {
      const flag = isMap(schema) && schema["type"] === "boolean";
      return [assertionName(name, flag), async (given: unknown = true, more: ExpectOptions = {}) => {
        const { timeout, soft } = more;
        const expected = given instanceof RegExp ? { regex: patternOf(given) } : toJson(given);
        await asserted?.({
          [name]: negate ? negated(name, flag, expected) : expected,
          ...defined({ timeout }),
        }, soft === undefined ? {} : { soft });
      }] as const;
    }));
  return {
    ...all(false),
    not: all(true),
    async toMatchTree(given: unknown, { soft, ...more }: ExpectTreeOptions = {}) {
      const what = typeof given === "string" ? { matches: given } : toJsonMap(given);
      await own["matchTree"]?.({ ...what, ...more }, soft === undefined ? {} : { soft });
    },
  };
}

function assertionName(property: string, flag: boolean): string {
  if (property === "exists") return "toExist";
  if (property === "contains_text") return "toContainText";
  return `${flag ? "toBe" : "toHave"}${property[0]?.toUpperCase()}${property.slice(1)}`;
}

/** The opposite of an expectation. */
function negated(property: string, flag: boolean, expected: Json): Json {
  if (flag) return expected !== true;
  if (property !== "role" && !(isMap(expected) && "not" in expected)) return { not: expected };
  throw new BackstepError("invalid", `Cannot negate the expectation of ${property}`, {
    hint: "Write what is expected instead.",
  });
}

function toJsonMap(value: unknown): { readonly [key: string]: Json } {
  const json = toJson(value);
  return isMap(json) ? json : {};
}

/** RE2 writes flags in front. */
function patternOf({ source, flags }: RegExp): string {
  const kept = [...flags].filter((flag) => "ims".includes(flag)).join("");
  return kept === "" ? source : `(?${kept})${source}`;
}
