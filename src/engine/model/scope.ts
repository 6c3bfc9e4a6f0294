import type { Json } from "../../base/error.ts";

/** What a run is given beside its variables: its work item, and where environment variables and secrets come from. */
export interface Surroundings {
  /** The work item that the run is for: its fields, for `{{item.x}}`; undefined: there is none, which fails the step. */
  readonly item?: Readonly<Record<string, Json>> | undefined;
  /** For `{{env.X}}`; undefined: not set, which fails the step. */
  readonly env: (name: string) => string | undefined;
  /** For `{{secrets.X}}`; what it answers is masked in everything that is shown or written down. */
  readonly secret: (name: string) => string | undefined;
}

/** What placeholders of one workflow file can see: its variables, and the outputs of the steps before. */
export class Scope {
  readonly vars: Readonly<Record<string, Json>>;
  /** Outputs by step id. */
  readonly steps: Record<string, Json>;
  /** Outputs by number of the file's own steps, from 1: `{{step_2.value}}`. */
  readonly numbered: Record<number, Json>;
  readonly item: Readonly<Record<string, Json>> | undefined;
  readonly env: (name: string) => string | undefined;
  readonly secret: (name: string) => string | undefined;

  constructor(
    vars: Readonly<Record<string, Json>>,
    surroundings: Surroundings,
    outputs: { steps: Record<string, Json>; numbered: Record<number, Json> } = { steps: {}, numbered: {} },
  ) {
    this.vars = vars;
    this.item = surroundings.item;
    this.env = surroundings.env;
    this.secret = surroundings.secret;
    this.steps = outputs.steps;
    this.numbered = outputs.numbered;
  }

  /** The same scope with one more variable, for the body of a loop; outputs are shared. */
  with(name: string, value: Json): Scope {
    return new Scope({ ...this.vars, [name]: value }, this, this);
  }
}
