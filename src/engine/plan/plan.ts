import { createHash } from "node:crypto";
import { BackstepError, type Json } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import { equalJson } from "../../contract/participant.ts";
import { Gate, OPEN_PORTS } from "../../contract/gate.ts";
import type { Operation } from "../../contract/operation.ts";
import type { Session } from "../../session/session.ts";
import { baselinesOf } from "../../operations/baseline-folder.ts";
import { digestOf } from "../model/digest.ts";
import { onlyLooking } from "../model/read-only-session.ts";
import { Mask } from "../secrets/mask.ts";
import type { Plan, PlanStep } from "./plan-model.ts";
import type { PlannedProgram } from "./planned-program.ts";
import { type PlanStanding, PlanWalk } from "./plan-walk.ts";
import { toJson } from "../../base/json.ts";
import { Scope, type Surroundings } from "../model/scope.ts";
import { secretsOf } from "../secrets/secrets.ts";
import type { Workflow } from "../model/step.ts";

/** What planning is given. */
export interface PlanOptions {
  /** The catalogue: the same that the workflow was parsed with. */
  readonly operations: Iterable<Operation>;
  /** Is only looked at, and stays open. */
  readonly session: Session;
  /** Values of the file's variables, complete and typed. */
  readonly vars: Readonly<Record<string, Json>>;
  /** Where environment variables and secrets come from. */
  readonly surroundings: Surroundings;
  /** The folder that paths are confined to. */
  readonly folder: string;
  /** `before:` has been done here: it is listed as done. Default: it is looked at like the rest. */
  readonly prepared?: boolean;
  /** Fires: give up, with `cancelled`. */
  readonly signal?: AbortSignal;
}

/**
 * What a workflow would do, as things are now: every step's target found, its effect judged, its undo and barriers
 * named. Nothing is touched: the desktop that it looks at refuses every action.
 *
 * A step is `later`, outside of the hash and of the coverage, when it needs an earlier step's answer, when it goes where an earlier
 * step leaves the focus, or when its locator does not resolve now and a step before it may make it. One that resolves
 * below a step that may change what is there (a press, a click, a launch) is judged as things are now, and says so in `assuming`.
 *
 * @throws {BackstepError} `cancelled`, and what reading the desktop fails with.
 */
export function planWorkflow(workflow: Workflow, options: PlanOptions): Promise<Plan> {
  return planProgram(workflow, options, undefined);
}

/** The same, of a workflow whose steps a program makes: it is followed as far as it asks for no answer. */
export async function planProgram(
  workflow: Workflow,
  options: PlanOptions,
  program: PlannedProgram | undefined,
): Promise<Plan> {
  const { surroundings, folder, signal } = options;
  const session = onlyLooking(options.session);
  const mask = new Mask([...secretsOf(workflow)].flatMap((name) => surroundings.secret(name) ?? []));
  const walk = new PlanWalk({
    gate: new Gate({
      operations: options.operations,
      session,
      folder,
      ports: OPEN_PORTS,
      baselines: baselinesOf(folder, "none"),
    }),
    desktop: session.desktop,
    mask,
    surroundings,
    signal,
  });
  const at: Omit<PlanStanding, "part"> = {
    scope: new Scope(options.vars, surroundings),
    app: workflow.app,
    inTransaction: false,
    conditional: false,
  };
  if (options.prepared) {
    for (const [index, step] of workflow.before.entries()) {
      walk.done(step, `before.${index + 1}`);
    }
  } else {
    await walk.flow(workflow.before, "before.", { ...at, part: "before" });
    await program?.plan("before", walk, { ...at, part: "before" });
  }
  await walk.flow(workflow.steps, "", { ...at, part: "steps" });
  const ends = await program?.plan("steps", walk, { ...at, part: "steps" });
  await walk.flow(workflow.after, "after.", { ...at, part: "after" });
  await program?.plan("after", walk, { ...at, part: "after" });
  const plan = {
    version: 1,
    workflow: workflow.name,
    file: workflow.file,
    digest: digestOf(workflow),
    desktop: { kind: session.kind, label: session.label },
    vars: Object.fromEntries(
      Object.entries(options.vars).map(([name, value]) => [name, mask.json(value)] as const),
    ),
    steps: walk.steps,
    coverage: coverageOf(walk.steps),
    barriers: walk.steps.filter((step) => step.barrier !== undefined).map(({ path }) => path),
    ...defined({ ends }),
  } as const;
  return { ...plan, hash: hashOf(plan) };
}

/** Of the steps proper that are known to change something, how many the rollback covers. */
function coverageOf(steps: readonly PlanStep[]): Plan["coverage"] {
  const own = steps.filter(({ part }) => part === "steps");
  const existing = own.filter(({ covered }) => covered !== undefined);
  const covered = existing.filter((step) => step.covered).length;
  return {
    percent: existing.length === 0 ? null : Math.round(covered / existing.length * 100),
    covered,
    of: existing.length,
    later: own.filter(({ status, effect }) => status === "later" && effect !== "read").length,
  };
}

/** The step model, its variables, and of what resolved everything that a person would accept. */
function hashOf(plan: Omit<Plan, "hash">): string {
  const { version, digest, desktop, vars } = plan;
  const text = JSON.stringify([version, digest, desktop.kind, sorted(vars), accepted(plan)]);
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** What a plan promises of each step: no place on the screen, nothing that is only for people, nothing that comes later. */
function accepted({ steps }: Pick<Plan, "steps">): Json {
  return steps.filter(({ status }) => status !== "later").map((step) =>
    sorted(toJson({ ...step, why: undefined, assuming: undefined }))
  );
}

/** The same JSON with the keys of every map in order. */
function sorted(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([key, one]) => [key, sorted(one)] as const),
  );
}

/** What differs between an accepted plan and the one of now, as sentences, at most 20. */
export function planDifferences(accepted: Plan, now: Plan): string[] {
  const found: string[] = [];
  if (accepted.digest !== now.digest) found.push("the workflow file is another one");
  if (accepted.desktop.kind !== now.desktop.kind) {
    found.push(`it was planned on a desktop of the kind ${accepted.desktop.kind}, not ${now.desktop.kind}`);
  }
  for (const name of new Set([...Object.keys(accepted.vars), ...Object.keys(now.vars)])) {
    const [was, is] = [accepted.vars[name] ?? null, now.vars[name] ?? null];
    if (!equalJson(was, is)) found.push(`the variable ${name} was ${short(was)}, is ${short(is)}`);
  }
  const [before, after] = [byPath(accepted), byPath(now)];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const what = stepDifference(before.get(path), after.get(path));
    if (what !== undefined) found.push(`step ${path} ${what}`);
  }
  return found.slice(0, 20);
}

function byPath({ steps }: Plan): Map<string, PlanStep> {
  return new Map(steps.map((step) => [step.path, step]));
}

/** What people are told first, where several things differ. */
const TELLING = ["status", "name", "effect", "barrier", "covered", "way", "protects", "input"] as const;

function stepDifference(was: PlanStep | undefined, is: PlanStep | undefined): string | undefined {
  if (!was || !is) return was ? `(${was.name}) is not there any more` : `(${is?.name ?? ""}) is new`;
  if (was.status === "later" && is.status === "later") return undefined;
  for (const key of TELLING) {
    const [a, b] = [toJson(was[key]), toJson(is[key])];
    if (equalJson(a, b)) continue;
    const why = key === "status" && is.why !== undefined ? ` (${is.why})` : "";
    return `(${was.name}): ${key} was ${short(a)}, is ${short(b)}${why}`;
  }
  return undefined;
}

function short(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** What a run is told of the plan that was accepted. */
export interface AcceptedPlan {
  /** Its hash. */
  readonly hash: string;
  /** The plan itself, where it was kept: what differs can be named. */
  readonly plan?: Plan;
  /** It was planned after `before:` had been done, on a desktop of its own. */
  readonly prepared?: boolean;
}

/** Throws `drift`, with what differs, unless the plan of now is the one that was accepted. */
export function mustBe(accepted: AcceptedPlan, now: Plan): void {
  if (accepted.hash === now.hash) return;
  const differences = accepted.plan ? planDifferences(accepted.plan, now) : [];
  const what = differences.length > 0
    ? differences.slice(0, 3).join("; ")
    : "what differs is not known, since the accepted plan was not kept here";
  throw new BackstepError("drift", `Cannot run as planned: ${what}`, {
    hint: "Nothing was done. Look at the new plan with `backstep plan`, and accept its hash.",
    details: { planned: accepted.hash, now: now.hash, differences },
  });
}
