import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { BackstepError } from "../../base/error.ts";
import { type Plan, PlanSchema } from "./plan-model.ts";

/** Plans that are kept, the newest ones: so that a run can name what is not as planned. */
const KEPT = 50;

/** Keeps a plan in `<state>/plans` (0700), secrets masked as it is. */
export function keepPlan(state: string, plan: Plan): void {
  const folder = join(state, "plans");
  const file = join(folder, `${plan.hash}.json`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const own = `${file}.${process.pid}`;
    writeFileSync(own, JSON.stringify(plan), { mode: 0o600 });
    renameSync(own, file);
    const old = readdirSync(folder).map((name) => join(folder, name))
      .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => b.time - a.time).slice(KEPT);
    for (const { path } of old) rmSync(path, { force: true });
  } catch (cause) {
    throw new BackstepError("io", `Cannot keep the plan in ${folder}`, {
      cause,
      hint: "Set BACKSTEP_STATE to a writable folder.",
    });
  }
}

/** The plan of a hash, or undefined when it is not kept here, or not as it was written. */
export function keptPlan(state: string, hash: string): Plan | undefined {
  try {
    const plan: Plan = JSON.parse(readFileSync(join(state, "plans", `${hash}.json`), "utf8"));
    return PlanSchema.safeParse(plan).success && plan.hash === hash ? plan : undefined;
  } catch {
    return undefined; // without it a run still refuses what is not as planned; it cannot say what
  }
}
