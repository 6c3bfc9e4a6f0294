import type { ErrorJson } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Shard } from "../report/reporter.ts";
import type { Description } from "./description.ts";
import type { FoundFile } from "./find-files.ts";
import { type History, historyKey } from "./history.ts";
import { ofShard } from "./order.ts";
import { arrange, choose, focused, locksOf, type Selected, type Selection } from "./select.ts";
import type { Stage } from "./stages.ts";
import type { GivenJob } from "./wire.ts";

/** A workflow file that runs once, before or after others, and what it is given. */
export interface Once {
  readonly found: FoundFile;
  readonly job: GivenJob;
}

/** The files with the settings of one project; without projects there is one that has no name. */
export interface ProjectPlan {
  readonly name: string | undefined;
  /** Names of those that must have passed before. */
  readonly dependencies: readonly string[];
  /** Its files, before anything is selected. */
  readonly files: readonly FoundFile[];
  /** What is selected of them. */
  readonly selection: Selection;
  /** What is selected where it is there for others: what the command line asks for is not about it. */
  readonly whole: Selection;
  /** All of its files, where it is there for others. */
  readonly wholeFiles: readonly FoundFile[];
  readonly job: GivenJob;
  readonly retries: number;
  readonly before?: Once | undefined;
  readonly after?: Once | undefined;
}

/** What a test run is to do. */
export interface SuitePlan {
  readonly projects: readonly ProjectPlan[];
  /** Names of the projects that were asked for; undefined: all. */
  readonly wanted?: readonly string[] | undefined;
  readonly shard?: Shard | undefined;
  readonly before?: Once | undefined;
  readonly after?: Once | undefined;
}

/** Files in the order in which they are to begin, and what waits for what. */
export interface Suite {
  readonly files: readonly Selected[];
  readonly stages: readonly Stage[];
}

type Descriptions = ReadonlyMap<string, Description | ErrorJson>;

/**
 * The files of a test run: those of each project that was asked for, whole projects that these depend on, and what runs once. A
 * shard takes its part of the former; what it depends on it runs itself.
 */
export function planSuite(plan: SuitePlan, descriptions: Descriptions, history: History): Suite {
  const { projects, wanted, shard } = plan;
  const needed = dependenciesOf(projects);
  const top = projects.filter(({ name }) =>
    (wanted === undefined || (name !== undefined && wanted.includes(name))) &&
    (name === undefined || !needed(undefined).has(name))
  );
  // A project that others depend on is there for itself, too, where it alone is asked for.
  const asked = top.length > 0
    ? top
    : projects.filter(({ name }) => name !== undefined && wanted?.includes(name));
  const chosen = focused(
    asked.flatMap(({ files, selection }) => choose(files, descriptions, selection, history)),
  );
  const mine = shard ? ofShard(chosen, shard) : chosen;
  const files = new Map<ProjectPlan, Selected[]>();
  for (const project of asked) {
    const own = mine.filter((one) => one.project === project.name);
    if (own.length > 0) files.set(project, arrange(own, project.selection));
  }
  const names = needed([...files.keys()].flatMap(({ name }) => name ?? []));
  for (const project of projects) {
    if (project.name === undefined || files.has(project) || !names.has(project.name)) continue;
    const whole = arrange(choose(project.wholeFiles, descriptions, project.whole, history), project.whole);
    // Each shard runs it for itself, and each of these runs has a result of its own.
    files.set(project, whole.map((one) => shard ? { ...one, id: `${one.id} (shard ${shard.index})` } : one));
  }
  return staged(plan, files, descriptions);
}

/** The names of what some projects, or all of them, depend on, through each other. */
function dependenciesOf(projects: readonly ProjectPlan[]) {
  return (names: readonly string[] | undefined): ReadonlySet<string> => {
    const found = new Set<string>();
    const walk = (name: string): void => {
      for (const one of projects.find((project) => project.name === name)?.dependencies ?? []) {
        if (found.has(one)) continue;
        found.add(one);
        walk(one);
      }
    };
    (names ?? projects.flatMap(({ name }) => name ?? [])).forEach(walk);
    return found;
  };
}

function staged(
  { projects, before, after, shard }: SuitePlan,
  files: ReadonlyMap<ProjectPlan, readonly Selected[]>,
  descriptions: Descriptions,
): Suite {
  const stages: Stage[] = [];
  const all: Selected[] = [];
  const once = (
    what: Once | undefined,
    role: "before" | "after",
    project: ProjectPlan | undefined,
    stage: Omit<Stage, "label">,
  ) => {
    if (what === undefined) return;
    const { found, job } = what;
    const said = descriptions.get(found.file);
    const description = said && !("code" in said) ? said : undefined;
    const part = shard ? `, shard ${shard.index}` : "";
    all.push({
      ...found,
      id: `${historyKey(found.file, undefined, project?.name)} (${role}${part})`,
      description,
      ...(said && "code" in said ? { error: said } : {}),
      ...defined({ project: project?.name }),
      role,
      stage: stage.id,
      locks: locksOf(description, job.session),
      expected: undefined,
      job,
    });
    stages.push({ ...stage, label: found.file });
  };
  if (files.size === 0) return { files: all, stages };
  once(before, "before", undefined, { id: "before", needs: [], follows: [] });
  const dependents = dependenciesOf(projects);
  for (const project of projects.filter((one) => files.has(one))) {
    const id = idOf(project.name);
    const needs = ["before", ...project.dependencies.map(idOf)];
    once(project.before, "before", project, { id: `${id} before`, needs, follows: [] });
    stages.push({
      id,
      label: project.name === undefined ? "a file" : `the project ${project.name}`,
      needs: [...needs, `${id} before`],
      follows: [],
    });
    for (const file of files.get(project) ?? []) {
      all.push({ ...file, stage: id, job: project.job, retries: project.retries });
    }
    const users = projects.filter(({ name }) =>
      name !== undefined && project.name !== undefined && dependents([name]).has(project.name)
    );
    const follows = [id, ...users.map(({ name }) => idOf(name))];
    once(project.after, "after", project, { id: `${id} after`, needs: [], follows });
  }
  once(after, "after", undefined, { id: "after", needs: [], follows: stages.map(({ id }) => id) });
  return { files: all, stages };
}

function idOf(name: string | undefined): string {
  return name === undefined ? "files" : `project ${name}`;
}
