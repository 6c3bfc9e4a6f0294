import type { Plan, PlanStep } from "../engine/plan/plan-model.ts";
import { cut, pad, width, wrap } from "./layout.ts";
import { count, oneLine, type Style } from "./style.ts";

/** Columns that a path and a name are filled up to. */
const PATH = 10;
const NAME = 52;
/** Columns at most: wider lines do not read well. */
const WIDEST = 120;

/** A plan as lines for people: each step with its effect, below it the rollback or why there is none. */
export function planLines(plan: Plan, style: Style, columns: number): string[] {
  const wide = Math.min(columns, WIDEST);
  const where = `${plan.file} on ${plan.desktop.label}`;
  return [
    `${style.bold(oneLine(plan.workflow))}  ${style.dim(oneLine(where))}`,
    "",
    ...plan.steps.flatMap((step) => stepLines(step, style, wide)),
    ...(plan.ends === undefined ? [] : [`  ${style.warn("…")} ${oneLine(plan.ends)}`]),
    "",
    ...summary(plan, style).flatMap((line) => wrap(line, wide)),
  ];
}

function stepLines(step: PlanStep, style: Style, columns: number): string[] {
  const room = Math.min(NAME, Math.max(20, columns - PATH - 22));
  const name = oneLine(step.name) + (step.turns === undefined ? "" : ` (${count(step.turns, "turn")})`);
  const head = `  ${mark(step, style)} ${pad(step.path, PATH)}`;
  const word = step.status === "resolved" ? step.effect ?? "" : step.status === "holds" ? "" : step.status;
  const painted = step.status === "fails"
    ? style.bad(word)
    : step.barrier !== undefined
    ? style.warn(word)
    : step.effect === "read" || step.status !== "resolved"
    ? style.dim(word)
    : word;
  const first = word === ""
    ? `${head}${cut(name, columns - PATH - 6)}`
    : width(name) <= room
    ? `${head}${pad(name, room)}  ${painted}`
    : `${head}${cut(name, columns - PATH - word.length - 8)}  ${painted}`;
  const indent = " ".repeat(4 + PATH);
  const below = remarks(step).flatMap((text) => wrap(oneLine(text), columns - indent.length));
  return [first.trimEnd(), ...below.map((text) => `${indent}${style.dim(text)}`)];
}

function mark({ status, effect, covered, part }: PlanStep, style: Style): string {
  if (status === "fails") return style.bad("✗");
  if (status === "later") return style.dim("…");
  if (status === "done") return style.dim("✓");
  if (status === "holds" || effect === "read" || part !== "steps") return style.dim("·");
  return covered ? style.good("↩") : style.warn("!");
}

const BARRIERS = {
  ends: "no undo: a rollback ends here, and what came before stays",
  passed: "no undo: a rollback leaves its effect, names it, and is then not `restored`",
  refused: "it would be refused",
} as const;

function remarks({ barrier, why, way, assuming, conditional }: PlanStep): string[] {
  const back = way === undefined ? [] : [`undo: ${way}`];
  const end = barrier === undefined ? [] : [BARRIERS[barrier]];
  const said = why === undefined ? [] : [why];
  const now = assuming === undefined ? [] : [`as it is now; step ${assuming} may change it`];
  const may = conditional ? ["only if its condition holds"] : [];
  return [...back, ...end, ...said, ...now, ...may];
}

function summary({ coverage, barriers, hash, steps }: Plan, style: Style): string[] {
  const { percent, covered, of, later } = coverage;
  const existing = percent === null
    ? "Nothing that is known yet changes anything."
    : `${style.bold(`Undo covers ${percent} %`)}: ${covered} of ${
      count(of, "step")
    } that change something and are known now.`;
  const rest = later === 0 ? "" : ` ${count(later, "more step")} will be known only later.`;
  const fails = steps.filter(({ status }) => status === "fails").length;
  return [
    `${existing}${rest}`,
    ...(barriers.length === 0 ? [] : [`Irreversible: ${barriers.join(", ")}.`]),
    ...(fails === 0 ? [] : [style.bad(`As things are now, ${count(fails, "step")} would fail.`)]),
    `Nothing was done. To run exactly this: ${style.bold(`--plan ${hash}`)}`,
  ];
}
