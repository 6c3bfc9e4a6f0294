import { mkdirSync } from "node:fs";
import { catalogue } from "../../src/catalogue.ts";
import { runWorkflow } from "../../src/engine/run/run.ts";
import { openSession } from "../../src/session/open-session.ts";
import type { Session } from "../../src/session/session.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";
import type { Form, State } from "./form.ts";

/** Runs files from the top on a desktop of its own, each on a form that is as at first. */
export class FromTheTop {
  readonly #session: Session;
  readonly #form: Form;
  readonly #state: string;
  #launched = false;

  constructor(session: Session, form: Form, state: string) {
    this.#session = session;
    this.#form = form;
    this.#state = state;
  }

  static async begin(form: Form, state: string): Promise<FromTheTop> {
    mkdirSync(state, { recursive: true });
    return new FromTheTop(await openSession({ kind: "isolated" }), form, state);
  }

  /** What the form holds when the file has run. */
  async run(text: string): Promise<State> {
    const workflow = parseWorkflow(text, { file: "top.yaml", operations: catalogue });
    if (this.#launched) await this.#form.reset();
    await runWorkflow(this.#launched ? { ...workflow, before: [] } : workflow, {
      operations: catalogue,
      session: this.#session,
      vars: {},
      surroundings: { env: () => undefined, secret: () => undefined },
      folder: this.#state,
      state: this.#state,
    });
    this.#launched = true;
    return await this.#form.state();
  }

  async close(): Promise<void> {
    await this.#session.close();
  }
}
