import type { Deadline } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Application, Desktop } from "../desktop/desktop.ts";
import type { Reach, Spot } from "../desktop/reach.ts";
import type { Session } from "../session/session.ts";
import type { ReachManager } from "../wm/managed.ts";
import type { Baselines, Evidence } from "./baselines.ts";
import type { Elements } from "./elements.ts";
import type { Effect, Hints } from "./effect.ts";
import type { VisionModel } from "./vision.ts";
import { elementsIn, type FoundElement, spotsIn } from "./found-element.ts";
import type { Participant } from "./participant.ts";
import type { Schema, SchemaIssue } from "./schema.ts";
import type { Traits } from "./traits.ts";

/** What an operation may use while it looks and while it acts. Made by the gate, nowhere else. */
export interface Context {
  /** The session it runs in: launching and quitting. */
  readonly session: Session;
  /** The session's desktop: seeing and acting. */
  readonly desktop: Desktop;
  /** The window manager of the desktop; rejects with `unsupported` where none answers. */
  readonly manager: ReachManager;
  /** By when it must be over. */
  readonly deadline: Deadline;
  /** The application meant when the input names none: a name or an id. */
  readonly app: string | undefined;
  /** The folder that paths in inputs are confined to. */
  readonly folder: string;
  /** What checks compare with, and whether they are to make it anew. */
  readonly baselines: Baselines;
  /** Keeps what a check saw beside its run. */
  readonly evidence: Evidence;
  /** References to elements that live across calls; absent where nobody could use them again. */
  readonly elements?: Elements;
  /**
   * Applications that the caller holds already, by the name that it uses for them: they are not looked for. One that has
   * ended says so at the first call, by its address.
   */
  readonly held?: (name: string) => Application | undefined;
  /** Finds in pictures what is described; absent: what the environment has set up. */
  readonly vision?: VisionModel;
  /** Does anything on the desktop show a secret of the run, or is a password field? Absent: there are none. */
  readonly showsSecret?: () => Promise<boolean>;
  /** A line about long work, for people. */
  progress(message: string): void;
}

/** A call by name, as a rollback or a step writes it. */
export interface Invocation {
  /** Its neutral name: "set-value". */
  readonly operation: string;
  /** As the operation takes it; checked when it is called. */
  readonly input: unknown;
}

/** How a YAML file writes an operation: `verb: {…input…}`, or with a scalar that `scalar` turns into the input. */
export interface YamlView {
  /** The key of a step: `click:`. One word, unique in the catalogue. */
  readonly verb: string;
  /** `click: 'button[name="Save"]'` becomes `{ target: 'button[name="Save"]' }`. */
  readonly scalar?: (value: string | number | boolean) => unknown;
}

/** One argument or option of a subcommand. */
export interface CliArgument {
  /** The input's property that it fills. */
  readonly property: string;
  /** For help: one line, without a full stop. */
  readonly description: string;
  /** The word in help and for an option its name; default: the property. */
  readonly name?: string;
  /** Default false. */
  readonly required?: boolean;
  /**
   * A "path" is a file, from the folder where the command is given; a "time" is "500ms", "5s" or milliseconds; a
   * "comparison" is a text, or a map in YAML: "{ at_least: 2 }"; a "variable" is NAME=value, for a property that is a map.
   */
  readonly kind?: "string" | "number" | "boolean" | "path" | "time" | "comparison" | "variable";
  /** Further arguments are joined with a space into this one. */
  readonly rest?: boolean;
  /** An option that may be given several times, for a property that is a list. */
  readonly multiple?: boolean;
}

/** How the command line writes an operation. `--app` is common to all and not listed. */
export interface CliView {
  /** The word after `backstep`; unique in the catalogue. */
  readonly command: string;
  /** In order; required ones first. */
  readonly positionals: readonly CliArgument[];
  /** In the order in which help lists them. */
  readonly options: readonly CliArgument[];
  /** Whole command lines, for help. */
  readonly examples?: readonly string[];
}

/** How the command line writes an operation and shows its result. */
export interface CliDeclaration<O> extends CliView {
  /** The result as lines for a person; default: indented JSON. */
  readonly toText?: (output: O) => string;
  /** The result as `--format json` prints it; default: as it is. */
  readonly toJson?: (output: O) => unknown;
  /** Of a look-up: whether it found anything; the command ends with 1 where not. Default: it did. */
  readonly found?: (output: O) => boolean;
}

/** The interfaces of an operation that want other names or shapes. */
export interface Views {
  /** Default: files reach it by no verb of its own. */
  readonly yaml?: YamlView;
  /** Default: there is no subcommand. */
  readonly cli?: CliView;
}

/** The views as an operation declares them: what shows its result knows its type. */
export interface ViewsDeclaration<O> extends Views {
  /** Default: there is no subcommand. */
  readonly cli?: CliDeclaration<O>;
}

/** What `defineOperation` takes: one operation, declared once. `T` is what its target resolved to. */
export interface OperationDeclaration<I, O, T> {
  /** Neutral, kebab-case. */
  readonly name: string;
  /** What it does, in a few words, for lists. */
  readonly title: string;
  /** What it does and what it takes, in whole sentences: models and people choose by it. */
  readonly description: string;
  /** What it takes; a strict object, so that misspelt keys are faults. */
  readonly input: Schema<I>;
  /** What it answers; checked before anybody sees it. */
  readonly output: Schema<O>;
  /** What a caller should know before it decides. */
  readonly hints: Hints;
  /** What sets it apart; default: nothing. */
  readonly traits?: Traits;
  /** Default: it has no verb and no command, and is reached by its name only. */
  readonly views?: ViewsDeclaration<NoInfer<O>>;
  /** Milliseconds it may take by default; 10 s. */
  readonly timeout?: number;
  /** Finds what the input names, waiting for it; looks only. */
  resolve(context: Context, input: I): Promise<T>;
  /** Judged before the action, from the input and what the target is. */
  effect(input: I, target: T): Effect;
  /** What the action may change and the engine can restore. */
  protects?(input: I, target: T): readonly Participant[];
  /**
   * What the action will reach: a policy judges this. What only writes a value, scrolls or gives the focus reaches nothing.
   * Default for what acts: its elements, pressed; where it has none, nobody knows what.
   */
  reaches?(input: I, target: T): readonly Reach[];
  /**
   * What it sets that which it protects to, in its input's words: read back as set and as before a moment later, it has
   * changed back. Undefined: it may leave all as it was. Default: undefined.
   */
  sets?(input: I, target: T): Json | undefined;
  /** Does it act where the focus is, whatever an earlier action has made of that? Default: no. */
  followsFocus?(input: I): boolean;
  /** A sentence for plans and reports: `button "Save" of gedit`. */
  subject?(input: I, target: T): string | undefined;
  /** The action. */
  act(context: Context, input: I, target: T): Promise<O>;
  /** The opposite action, known once the result is. */
  inverse?(input: I, output: O): Invocation | undefined;
}

/** An operation whose target is found: what it would do is known, and nothing is done yet. */
export interface Resolved {
  /** Judged for this target. */
  readonly effect: Effect;
  /** What the action may change and the engine can restore; empty: nothing. */
  readonly participants: readonly Participant[];
  /** For people: `button "Save" of gedit`. */
  readonly subject: string | undefined;
  /** What it sets that which it protects to, in its input's words; absent: it may leave all as it was. */
  readonly sets?: Json;
  /** The elements that its target holds: whoever judges an act judges these. Empty: it is about none. */
  readonly elements: readonly FoundElement[];
  /** The same as rows of the trees that they were found in. */
  readonly spots: readonly Spot[];
  /** What it will reach, as far as the operation knows: a policy judges this before the action. */
  readonly reaches: readonly Reach[];
  /** Only the gate calls this. */
  act(context: Context): Promise<ActResult>;
}

/** What an action came to. */
export interface ActResult {
  /** Validated against the output schema. */
  readonly output: unknown;
  /** The opposite call; undefined: there is none. */
  readonly inverse: Invocation | undefined;
  /** The output as the views of the operation show it. */
  readonly shown: Shown;
}

/** An output as a view shows it, made when it is asked for. The type of the output stays inside. */
export interface Shown {
  /** Lines for a person. */
  text(): string;
  /** What `--format json` prints. */
  json(): unknown;
  /** False: it looked for something, and found nothing. */
  readonly found: boolean;
}

/** An operation as the catalogue holds it: types are inside, behind closures, so that no caller needs a cast. */
export interface Operation {
  /** Neutral, kebab-case: "set-value". */
  readonly name: string;
  /** What it does, in a few words. */
  readonly title: string;
  /** What it does and what it takes, in whole sentences. */
  readonly description: string;
  /** What it takes. */
  readonly inputSchema: Schema<unknown>;
  /** What it answers. */
  readonly outputSchema: Schema<unknown>;
  /** What a caller should know before it decides. */
  readonly hints: Hints;
  /** What sets it apart from others. */
  readonly traits: Traits;
  /** How files and the command line write it. */
  readonly views: Views;
  /** Milliseconds it may take when the call does not say; 10,000 unless declared otherwise. */
  readonly timeout: number;
  /** Validates an input: `invalid` with the place of each fault. */
  parse(input: unknown): Prepared;
}

/** An operation whose types are known: what programs call by name is typed from it. */
export interface TypedOperation<N extends string, I, O> extends Operation {
  /** Neutral, kebab-case, as a literal. */
  readonly name: N;
  /** What it takes. */
  readonly inputSchema: Schema<I>;
  /** What it answers. */
  readonly outputSchema: Schema<O>;
}

/** A validated input. */
export interface Prepared {
  /** The input as its schema left it, defaults filled in. */
  readonly input: unknown;
  /** It acts where the focus is, whatever an earlier action has made of that. */
  readonly followsFocus: boolean;
  /** Finds the target, waiting for it; changes nothing. */
  resolve(context: Context): Promise<Resolved>;
}

/**
 * Declares an operation. From the one declaration come the YAML verb, the subcommand, the JSON Schema and the tools.
 *
 * @example
 * ```ts
 * import { z } from "zod";
 * import { defineOperation } from "./operation.ts";
 * import { READS } from "./effect.ts";
 *
 * const hello = defineOperation({
 *   name: "hello",
 *   title: "Say hello",
 *   description: "Greets somebody.",
 *   input: z.strictObject({ to: z.string() }),
 *   output: z.strictObject({ text: z.string() }),
 *   hints: READS,
 *   resolve: () => Promise.resolve(undefined),
 *   effect: () => "read",
 *   act: (_context, input) => Promise.resolve({ text: `Hello, ${input.to}` }),
 * });
 * if (hello.name !== "hello") throw new Error();
 * ```
 */
export function defineOperation<const N extends string, I, O, T>(
  declaration: OperationDeclaration<I, O, T> & { readonly name: N },
): TypedOperation<N, I, O> {
  const { name, title, description, hints } = declaration;
  return {
    name,
    title,
    description,
    hints,
    traits: declaration.traits ?? {},
    inputSchema: declaration.input,
    outputSchema: declaration.output,
    views: declaration.views ?? {},
    timeout: declaration.timeout ?? 10_000,
    parse(raw) {
      const parsed = declaration.input.safeParse(raw);
      if (!parsed.success) throw invalidInput(name, parsed.error.issues);
      const input = parsed.data;
      return {
        input,
        followsFocus: declaration.followsFocus?.(input) ?? false,
        async resolve(context) {
          const target = await declaration.resolve(context, input);
          const sets = declaration.sets?.(input, target);
          return {
            effect: declaration.effect(input, target),
            participants: declaration.protects?.(input, target) ?? [],
            subject: declaration.subject?.(input, target),
            ...defined({ sets }),
            elements: elementsIn(target),
            spots: spotsIn(target),
            reaches: declaration.reaches?.(input, target) ?? usualReach(name, hints, target),
            async act(context) {
              const answer = declaration.output.safeParse(await declaration.act(context, input, target));
              if (!answer.success) throw strangeAnswer(name, answer.error.issues);
              const output = answer.data;
              return {
                output,
                inverse: declaration.inverse?.(input, output),
                shown: shownBy(output, declaration.views?.cli),
              };
            },
          };
        },
      };
    },
  };
}

/** How a view shows an output; without a view of its own, as JSON. */
function shownBy<O>(output: O, { toText, toJson, found }: Partial<CliDeclaration<O>> = {}): Shown {
  return {
    text: () => toText ? toText(output) : JSON.stringify(output, null, 2),
    json: () => toJson ? toJson(output) : output,
    found: found?.(output) ?? true,
  };
}

/** Of what acts and does not say what it reaches, its elements are taken to be pressed. */
function usualReach(name: string, hints: Hints, target: unknown): readonly Reach[] {
  if (hints.readOnly) return [];
  const spots = spotsIn(target);
  if (spots.length === 0) return [{ by: "unknown", what: name }];
  return spots.map((spot) => ({ by: "press", doing: `${name} on`, spot }));
}

/** It was done, and what came of it cannot be told. */
function strangeAnswer(operation: string, found: readonly SchemaIssue[]): BackstepError {
  const issues = brief(found);
  const [first] = issues;
  return new BackstepError(
    "internal",
    `Cannot tell what ${operation} answered: ${first?.path ?? ""}: ${
      first?.message ?? "it is not as declared"
    }`,
    { details: { operation, issues } },
  );
}

function brief(found: readonly SchemaIssue[]): { path: string; message: string }[] {
  return found.slice(0, 5).map(({ path, message }) => ({
    path: path.map(String).join(".").slice(0, 200),
    message: message.slice(0, 300),
  }));
}

function invalidInput(operation: string, found: readonly SchemaIssue[]): BackstepError {
  const issues = brief(found);
  const [first] = issues;
  const where = first && first.path !== "" ? `${first.path}: ` : "";
  return new BackstepError(
    "invalid",
    `Cannot ${operation}: ${where}${first?.message ?? "the input is not valid"}`,
    { details: { operation, issues } },
  );
}
