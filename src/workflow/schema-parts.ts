import { MOST_RETRIES, MOST_ROUNDS } from "./reading.ts";
import { DesktopSettingsSchema } from "../session/settings/settings.ts";
import type { JsonSchema } from "../base/json.ts";
import { jsonSchemaOf } from "./json-schema.ts";

const text = (description: string): JsonSchema => ({ type: "string", minLength: 1, description });
const flag = (description: string): JsonSchema => ({ type: "boolean", description });
const duration: JsonSchema = { $ref: "#/$defs/duration" };
const steps: JsonSchema = { $ref: "#/$defs/steps" };
const condition: JsonSchema = { $ref: "#/$defs/condition" };
const placeholder: JsonSchema = { $ref: "#/$defs/placeholder" };
const selectors: JsonSchema = { type: "array", items: { type: "string", minLength: 1 } };
const described = (description: string, schema: JsonSchema): JsonSchema => ({ description, ...schema });

function shape(properties: JsonSchema, required: readonly string[]): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

const variable: JsonSchema = {
  anyOf: [
    { type: ["string", "number", "boolean", "array"] },
    {
      ...shape({
        type: { enum: ["string", "number", "boolean", "list", "map"] },
        default: {},
        description: { type: "string" },
      }, []),
      anyOf: [{ required: ["type"] }, { required: ["default"] }],
    },
  ],
};

const SECRET = "^[A-Za-z_][A-Za-z0-9_]*$";

/** The top level of a workflow file. */
export const TOP_LEVEL: JsonSchema = shape({
  name: text("What the workflow does."),
  description: text("More about it."),
  tags: { type: "array", items: { type: "string" }, description: "What test runs select by." },
  app: text("The application its steps mean: a name or an id."),
  session: {
    enum: ["isolated", "attach", "simulated"],
    description: "A private desktop, the user's own, or one in memory.",
  },
  mode: {
    enum: ["background", "focus"],
    description:
      "Whether the keyboard, the pointer and the window in front may be taken on a desktop that was there before; " +
      "default background on the user's own. On a new private desktop they always may.",
  },
  desktop: described("What its private desktop is to be like.", jsonSchemaOf(DesktopSettingsSchema)),
  vars: {
    type: "object",
    additionalProperties: variable,
    description: "Variables: `x: 3`, or { type, default, description }.",
  },
  secrets: {
    oneOf: [
      { type: "array", items: { type: "string", pattern: SECRET } },
      {
        type: "object",
        propertyNames: { pattern: SECRET },
        additionalProperties: {
          oneOf: [
            shape({ env: { type: "string", pattern: SECRET } }, ["env"]),
            shape({ file: { type: "string", minLength: 1 } }, ["file"]),
            shape({ prompt: { type: "string", minLength: 1 } }, ["prompt"]),
          ],
        },
      },
    ],
    description:
      "Values that are never shown: names of environment variables, or for each name where it comes from: { env }, " +
      "{ file } with mode 0600 or 0400, or { prompt } on the terminal.",
  },
  files: {
    type: "array",
    items: { type: "string", minLength: 1 },
    description:
      "Files and folders that a rollback restores: \"~/…\" in the desktop's HOME, or below the project's folder.",
  },
  timeout: described("For the whole workflow.", duration),
  on_failure: {
    enum: ["rollback", "stop", "continue"],
    description: "What a failing step does; default rollback.",
  },
  on_conflict: {
    enum: ["stop", "ask", "force"],
    description: "What the rollback does about what somebody else changed; default stop: it is left alone.",
  },
  on_interference: {
    enum: ["pause", "abort", "ignore"],
    description:
      "What happens when somebody else uses the keyboard or pointer; default pause on the user's own " +
      "desktop in focus mode, else ignore.",
  },
  durability: {
    enum: ["barriers", "full"],
    description:
      "Which lines of the journal are on the disk (fsync) before the run goes on; full: each, before what it " +
      "announces; default barriers: those before irreversible actions, and all actions where `files:` are declared.",
  },
  rollback: {
    enum: ["restore", "rebuild"],
    description: "How it is rolled back; rebuild: what is not restored is replayed on a new private desktop.",
  },
  expect: described(
    "What the workflow is meant to end in.",
    shape({
      status: { enum: ["passed", "failed", "rejected"] },
      rollback: { enum: ["none", "restored", "rebuilt", "drift", "failed"] },
    }, []),
  ),
  locks: {
    type: "array",
    items: { type: "string", minLength: 1 },
    description: "What it shares with other files: of two with the same lock, a test run does one at a time.",
  },
  needs: described(
    "What has to be there; a test run skips the file without it, and names it.",
    shape({
      programs: { ...selectors, description: "Paths, or names on PATH." },
      env: { ...selectors, description: "Environment variables." },
    }, []),
  ),
  cases: {
    description:
      "Sets of values that a test run runs it with, each a test of its own; `case` names one. Or the CSV, JSON " +
      "or YAML file that holds them.",
    anyOf: [
      { type: "array", minItems: 1, items: { type: "object" } },
      { type: "string", pattern: "\\.([cC][sS][vV]|json|ya?ml)$" },
    ],
  },
  skip: text("Why a test run is to skip it."),
  only: flag("Where one file of a test run says so, the files that do not are left out."),
  properties: {
    type: "object",
    additionalProperties: { type: ["string", "number", "boolean"] },
    description: "What reports say of it beside its result, by name: { ticket: ABC-1 }.",
  },
  before: described("Steps that prepare.", steps),
  after: described("Steps that always run, whatever happened.", steps),
  steps: described("What is done, in order.", steps),
}, ["name", "steps"]);

/** What a step may say beside its operation's verb. */
export const KEYS_OF_STEP: JsonSchema = {
  id: text("Its name for {{steps.id.field}}; unique in the file."),
  name: text("What people read."),
  if: described("The step runs only if this holds.", condition),
  timeout: described("For the step.", duration),
  retry: {
    type: "integer",
    minimum: 0,
    maximum: MOST_RETRIES,
    description: "Further tries after the first, of a step that acts or of a transaction.",
  },
  optional: flag("A failure is noted, and the run goes on."),
  soft: flag("Of a step that only looks: when it fails the flow goes on, and the run fails at its end."),
  irreversible: flag("The author knows that it cannot be undone."),
  done_when: described("Says whether the action happened, when no answer came.", condition),
  undo: {
    description: "The author's own undo.",
    anyOf: [steps, shape({ guard: condition, steps }, ["steps"])],
  },
  transaction: {
    description: "Steps that stand or fall together.",
    anyOf: [steps, shape({ name: text("What people read."), steps }, ["steps"])],
  },
  changes: described(
    "What it may change, and what it must, by selectors; compared with what was seen to change.",
    {
      ...shape({ only: selectors, include: selectors }, []),
      anyOf: [{ required: ["only"] }, { required: ["include"] }],
    },
  ),
  savepoint: text("A name for this place; `rollback_to:` goes back to it."),
  rollback_to: text("Undoes what was done since the savepoint of this name."),
  reject: text("Ends the run with this reason: a business error, which is not tried again."),
  then: described("Steps if the condition holds.", steps),
  else: described("Steps if it does not.", steps),
  repeat: {
    description: "Steps so many times, or until a condition holds.",
    ...shape({
      times: { anyOf: [{ type: "integer", minimum: 0, maximum: MOST_ROUNDS }, placeholder] },
      until: condition,
      steps,
    }, ["steps"]),
    anyOf: [{ required: ["times"] }, { required: ["until"] }],
  },
  for_each: described(
    "Steps for each item of a list, which they see as {{vars.<as>}}.",
    shape({ in: { anyOf: [{ type: "array" }, placeholder] }, as: text("The loop variable."), steps }, [
      "in",
      "as",
      "steps",
    ]),
  ),
  run: text("Another workflow file, relative to this one."),
  with: { type: "object", description: "Values for the variables of the file that is run." },
  args: { type: "object", description: "The tool's arguments." },
  wait_after_ms: described("Time to let pass after the tool.", duration),
  on_fail: { enum: ["rollback", "skip", "abort"], description: "What a failure of the tool does." },
};
