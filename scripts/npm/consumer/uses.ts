/**
 * A program of a library author: each value that the package exports, used as it is meant and as it is not. `deno task npm`
 * compiles it beside the installed package, where a type that is lost (an `any`) makes an expected error stay away.
 */
import {
  answerOf,
  BackstepError,
  catalogue,
  comparePngFiles,
  defineConfig,
  defineOperation,
  describeApplication,
  diffRuns,
  loadWorkflow,
  openSession,
  parseToolCalls,
  parseWorkflow,
  planWorkflow,
  resolveVariables,
  type RunResult,
  runScript,
  runWorkflow,
  secretValues,
  simulate,
  typedCatalogue,
  workflow,
} from "backstep";
import schema from "backstep/schema" with { type: "json" };
import { workflows } from "backstep/testing";
import { z } from "zod";

export async function use(state: string): Promise<RunResult> {
  const application = describeApplication("test.greeter", [{ kind: "button", name: "Greet" }]);
  // @ts-expect-error there is no such widget
  describeApplication("test.greeter", [{ kind: "wheel", name: "Greet" }]);
  const desktop = simulate({ applications: [application], seed: 7 });
  // @ts-expect-error a seed is a number
  simulate({ seed: "7" });
  const session = await openSession({ kind: "simulated", simulate: () => desktop });
  // @ts-expect-error there is no such kind of session
  await openSession({ kind: "virtual" });
  const parsed = parseWorkflow("name: x\nsteps: []", { file: "x.yaml", operations: catalogue });
  // @ts-expect-error it needs to know the operations
  parseWorkflow("name: x", { file: "x.yaml" });
  const loaded = loadWorkflow("x.yaml", { operations: catalogue });
  // @ts-expect-error a path is a text
  loadWorkflow(7, { operations: catalogue });
  const calls = parseToolCalls([{ tool: "ax_click", args: { query: "Greet" } }], { operations: catalogue });
  // @ts-expect-error a call names its tool
  parseToolCalls([{ args: {} }], { operations: catalogue });
  const vars = resolveVariables(parsed);
  // @ts-expect-error it takes a workflow, not its name
  resolveVariables("x");
  const secret = await secretValues(loaded, { env: () => undefined });
  // @ts-expect-error where secrets are is a function
  await secretValues(loaded, { env: "HOME" });
  const common = {
    operations: catalogue,
    session,
    vars,
    surroundings: { env: () => undefined, secret },
    folder: ".",
  };
  const plan = await planWorkflow(calls, common);
  // @ts-expect-error a hash is a text
  const hash: number = plan.hash;
  const result = await runWorkflow(parsed, { ...common, state });
  // @ts-expect-error there is no such status
  const status: "good" = result.status;
  const answered = answerOf(1, result);
  // @ts-expect-error calls have numbers
  answerOf("1", result);
  const differs = diffRuns(state, "first", "second");
  // @ts-expect-error it compares two runs
  diffRuns(state, "first");
  const compared = await comparePngFiles("a.png", "b.png");
  // @ts-expect-error it compares two files
  await comparePngFiles("a.png");
  return use2(state, [hash, status, answered, differs, compared, result]);
}

const script = workflow("rename", { app: "test.greeter", vars: { title: "Draft" } }, async (t) => {
  const editor = await t.launch("test.greeter");
  await t.transaction("save", async () => {
    await editor.press("ctrl+s", { undo: (e) => e.press("Escape") });
    await editor.locator("textfield").set(t.vars.title);
    // @ts-expect-error there is no such variable
    await editor.locator("textfield").set(t.vars.titel);
  });
  // @ts-expect-error there is no such operation
  await editor.explode();
  await t.expect(editor.window()).toHaveTitle(/Draft/);
});

async function use2(state: string, seen: readonly unknown[]): Promise<RunResult> {
  const session = await openSession({ kind: "simulated" });
  const result = await runScript(script, { session, state, vars: { title: `${seen.length}` } });
  // @ts-expect-error it needs a session
  await runScript(script, { state });
  const [first] = typedCatalogue;
  const name: "list-applications" = first.name;
  // @ts-expect-error the names are literal
  const other: "list-windows" = first.name;
  // @ts-expect-error the catalogue is read, not written
  catalogue.push(first);
  const operation = defineOperation({
    name: "greet",
    title: "Greet",
    description: "Greets.",
    input: z.object({ whom: z.string() }),
    output: z.object({ said: z.string() }),
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    effect: () => "read",
    resolve: () => Promise.resolve(undefined),
    act: (_, input) => Promise.resolve({ said: `Hello ${input.whom}` }),
  });
  // @ts-expect-error an operation says what it does
  defineOperation({ name: "greet" });
  const { retries } = defineConfig({ paths: ["workflows"], retries: 1 });
  // @ts-expect-error there is no such setting
  defineConfig({ retrys: retries });
  const error = new BackstepError("usage", `Cannot greet: ${name} ${other} ${operation.name}`, {
    hint: "Say whom.",
  });
  // @ts-expect-error there is no such code
  const code: "oops" = error.code;
  workflows("./workflows", { session: "simulated" });
  // @ts-expect-error a session is named by a text
  workflows("./workflows", { session: 7 });
  const title: string = schema.title;
  // @ts-expect-error there is no such property
  schema.titel;
  if (code === title) throw error;
  return result;
}
