import type { TestFileResult } from "../report/reporter.ts";

/** Files of a test run that begin together: those of a project, or what runs once before or after them. */
export interface Stage {
  readonly id: string;
  /** How a reason names it: "the project setup". */
  readonly label: string;
  /** Stages that must have passed before; where one failed, the files of this one are skipped. */
  readonly needs: readonly string[];
  /** Stages that must be over before, however they ended. */
  readonly follows: readonly string[];
}

/** Something that belongs to a stage; without one it may begin at once. */
interface Staged {
  readonly stage?: string;
}

/** Which files may begin, by what became of the stages before theirs. */
export class Stages {
  readonly #stages: ReadonlyMap<string, Stage>;
  /** How many files of each are not over. */
  readonly #left = new Map<string, number>();
  readonly #failed = new Set<string>();

  constructor(stages: readonly Stage[], files: readonly Staged[]) {
    this.#stages = new Map(stages.map((stage) => [stage.id, stage]));
    for (const { stage } of files) {
      if (stage !== undefined) this.#left.set(stage, (this.#left.get(stage) ?? 0) + 1);
    }
  }

  /** Is everything over that has to be before it? */
  ready({ stage }: Staged): boolean {
    const { needs = [], follows = [] } = this.#stages.get(stage ?? "") ?? {};
    return [...needs, ...follows].every((id) => (this.#left.get(id) ?? 0) === 0);
  }

  /** A file is over. `lost`: it could not run because of another one that failed. */
  finished({ stage }: Staged, status: TestFileResult["status"], lost: boolean): void {
    if (stage === undefined) return;
    this.#left.set(stage, (this.#left.get(stage) ?? 0) - 1);
    if (status === "failed" || lost) this.#failed.add(stage);
  }

  /** Why a file cannot run any more; undefined: it can. */
  reasonToSkip({ stage }: Staged): string | undefined {
    const failed = this.#stages.get(stage ?? "")?.needs.find((id) => this.#failed.has(id));
    return failed === undefined ? undefined : `not run: ${this.#stages.get(failed)?.label ?? failed} failed`;
  }
}
