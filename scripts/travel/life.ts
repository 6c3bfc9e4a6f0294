import { catalogue } from "../../src/catalogue.ts";
import { InteractiveRun } from "../../src/engine/interactive/interactive-run.ts";
import type { FileNow } from "../../src/engine/interactive/steering.ts";
import { openSession } from "../../src/session/open-session.ts";
import type { Session } from "../../src/session/session.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";
import { fileText } from "../edits/file-text.ts";
import { Form } from "../edits/form.ts";
import type { FormStep } from "../edits/steps.ts";
import type { Toolkit } from "../histories/real/toolkits.ts";

/** A private desktop on which the form of a toolkit is installed, also after it was replaced. */
export class FormDesktop {
  readonly session: Session;
  readonly #now: { form: Form };

  private constructor(session: Session, form: Form, toolkit: Toolkit) {
    const now = { form };
    this.#now = now;
    const { rebuild } = session;
    if (rebuild === undefined) throw new Error("a private desktop can be replaced");
    this.session = new Proxy(session, {
      get(target, key) {
        if (key !== "rebuild") return Reflect.get(target, key, target);
        return async (call?: Parameters<typeof rebuild>[0]) => {
          await rebuild.call(target, call);
          now.form = Form.installedOn(target, toolkit);
        };
      },
    });
  }

  get form(): Form {
    return this.#now.form;
  }

  static async open(toolkit: Toolkit): Promise<FormDesktop> {
    const session = await openSession({ kind: "isolated" });
    return new FormDesktop(session, Form.installedOn(session, toolkit), toolkit);
  }
}

/** A file of these steps, as a run takes it. */
export function fileOf(form: Form, steps: readonly FormStep[]): FileNow {
  return {
    workflow: parseWorkflow(fileText(form, steps), { file: "form.yaml", operations: catalogue }),
    vars: {},
  };
}

/** Begins a run of a file on a form. */
export function begin(
  desktop: FormDesktop,
  steps: readonly FormStep[],
  state: string,
): Promise<InteractiveRun> {
  return InteractiveRun.begin({
    file: fileOf(desktop.form, steps),
    operations: catalogue,
    session: desktop.session,
    surroundings: { env: () => undefined, secret: () => undefined },
    folder: state,
    state,
  });
}
