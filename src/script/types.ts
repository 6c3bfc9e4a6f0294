import type { CatalogueOperation } from "../catalogue.ts";
import type { TypedOperation } from "../contract/operation.ts";
import type { Json } from "../base/error.ts";

/** The operation of a name. */
export type OperationNamed<N extends string> = Extract<CatalogueOperation, { readonly name: N }>;
/** What an operation takes. */
export type InputOf<O> = O extends TypedOperation<string, infer I, infer _> ? I : never;
/** What an operation answers. */
export type OutputOf<O> = O extends TypedOperation<string, infer _, infer A> ? A : never;
/** "wait-idle" as a method: "waitIdle". */
export type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
/** The properties that must be given. */
export type RequiredKeys<T> = {
  [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? never : K;
}[keyof T];
/** Is it more than one? */
export type IsUnion<T, U = T> = T extends unknown ? [U] extends [T] ? false : true : never;
/** The value of the only property that must be given, for short. */
export type Short<I> = [RequiredKeys<I>] extends [never] ? never
  : IsUnion<RequiredKeys<I>> extends true ? never
  : I[RequiredKeys<I>];
/** A method: the whole input, or for short the only thing that it needs. */
export type Method<I, A> = Record<never, never> extends I ? (input?: I, options?: StepOptions) => Promise<A>
  : (input: I | Short<I>, options?: StepOptions) => Promise<A>;

/** Every operation of the catalogue as a method. */
export type Methods = {
  readonly [O in CatalogueOperation as Exclude<Camel<O["name"]>, "launch">]: Method<InputOf<O>, OutputOf<O>>;
};
/** The same on one application: `app` is known. */
export type AppMethods = {
  readonly [O in CatalogueOperation as Exclude<Camel<O["name"]>, "launch" | "listApplications">]: Method<
    Omit<InputOf<O>, "app">,
    OutputOf<O>
  >;
};
/** Operations that act on an element, on one element: `target` or `into` is known. */
export type ElementMethods = {
  readonly [
    O in CatalogueOperation as InputOf<O> extends { target?: unknown } | { into?: unknown }
      ? keyof InputOf<O> & ("target" | "into") extends never ? never : Camel<O["name"]>
      : never
  ]: Method<Omit<InputOf<O>, "target" | "into" | "app">, OutputOf<O>>;
};

/** What an assertion expects of an element. */
export type Expected = Omit<
  InputOf<OperationNamed<"assert">>,
  "target" | "file" | "clipboard" | "timeout" | "contains_text"
>;
/** Those of them that hold or do not. */
export type Flags = {
  [K in keyof Expected]-?: [NonNullable<Expected[K]>] extends [boolean] ? K : never;
}[keyof Expected];

/** Assertions on one element, made from what `assert` takes. A regular expression stands for `{ regex }`. */
export type Assertions =
  & {
    readonly [K in Exclude<Flags, "exists"> as `toBe${Capitalize<K>}`]: (
      expected?: boolean,
      options?: ExpectOptions,
    ) => Promise<void>;
  }
  & {
    readonly [K in Exclude<keyof Expected, Flags> as `toHave${Capitalize<K>}`]: (
      expected: NonNullable<Expected[K]> | RegExp,
      options?: ExpectOptions,
    ) => Promise<void>;
  }
  & {
    /** That it is there, or with false that it is not. */
    toExist(expected?: boolean, options?: ExpectOptions): Promise<void>;
    /** That it, or something in it, shows this text. */
    toContainText(expected: string, options?: ExpectOptions): Promise<void>;
  };

/** Assertions, and their opposites. */
export type Expectations = Assertions & {
  /** The opposite: `t.expect(field).not.toHaveText("")`. */
  readonly not: Assertions;
  /** That what is in it is as a tree in the notation says, or as a stored baseline does. */
  toMatchTree(
    expected: string | { readonly baseline: string },
    options?: ExpectTreeOptions,
  ): Promise<void>;
};

/** What every assertion takes. */
export interface ExpectOptions {
  /** Milliseconds in which it may come true; default 5 s. */
  readonly timeout?: number;
  /** When it fails the program goes on, and fails at its end. */
  readonly soft?: boolean;
}

/** What an assertion on a tree takes. */
export interface ExpectTreeOptions extends ExpectOptions {
  /** Nothing may stand between what is listed; default false. */
  readonly exact?: boolean;
}

/** What every step takes beside its input. Times in milliseconds. */
export interface StepOptions {
  /** For people; default: the operation with what it acts on. */
  readonly name?: string;
  /** Default: what the operation says. */
  readonly timeout?: number;
  /** Further tries after the first, each only where that is safe; default 0. */
  readonly retry?: number;
  /** A failure is noted and the program goes on; the answer is undefined then. */
  readonly optional?: boolean;
  /** The author knows that it cannot be undone. */
  readonly irreversible?: boolean;
  /** Of a step that only looks: when it fails the program goes on, and fails at its end. */
  readonly soft?: boolean;
  /** The rollback, recorded before the action: its steps are known, and nothing of it is done now. */
  readonly undo?: (app: App) => Promise<unknown>;
  /** The rollback runs only while this holds; default: the desktop still shows what the step left. */
  readonly guard?: InputOf<OperationNamed<"assert">>;
  /** Says whether the action happened, when its answer did not arrive. */
  readonly doneWhen?: InputOf<OperationNamed<"assert">>;
}

/** An element, found anew each time. */
export interface Locator extends ElementMethods {
  /** The selector. */
  readonly selector: string;
  /** An element inside of this one. */
  locator(selector: string): Locator;
}

/** One application. */
export interface App extends AppMethods {
  /** Its name or id, as it was given. */
  readonly id: string | undefined;
  /** An element of it. */
  locator(selector: string): Locator;
  /** Its window; with an argument, what is done to it: `window("minimise")`. */
  readonly window: AppMethods["window"] & (() => Locator);
}

/** What a workflow that is a program can use. */
export interface Tools<V = { readonly [name: string]: Json }> extends Methods {
  /** The values of its variables. */
  readonly vars: V;
  /** The fields of the work item that the run is for; empty: it is for none. */
  readonly item: { readonly [name: string]: Json };
  /** A secret that it declares: masked in everything that is shown or written down. Throws `workflow` for others. */
  secret(name: string): string;
  /** Launches an application, or raises it where it runs. */
  launch(app: string | InputOf<OperationNamed<"launch">>, options?: StepOptions): Promise<App>;
  /** An application that runs already. */
  app(id: string): App;
  /** An element of the default application. */
  locator(selector: string): Locator;
  /** The window of the default application; with an argument, what is done to it. */
  readonly window: Methods["window"] & (() => Locator);
  /** Steps that stand or fall together: when one fails they are rolled back, and with `retry` tried again. */
  transaction<R>(name: string, steps: () => Promise<R>, options?: { readonly retry?: number }): Promise<R>;
  /** Marks a place that `rollbackTo` can go back to. */
  savepoint(name: string): Promise<void>;
  /** Undoes what was done since a savepoint. */
  rollbackTo(name: string): Promise<void>;
  /** Ends the run with a business error: what was asked for cannot be done, and is not tried again. No `catch` stops it. */
  reject(reason: string): Promise<never>;
  /** Asserts something of an element, waiting for it. */
  expect(element: Locator): Expectations;
}
