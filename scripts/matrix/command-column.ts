import { type BackstepError, toBackstepError } from "../../src/base/error.ts";
import { catalogue } from "../../src/catalogue.ts";
import { consent } from "../../src/cli/consent.ts";
import { Gate, OPEN_PORTS } from "../../src/contract/gate.ts";
import { readSelector, strategies } from "../../src/desktop/selector/mod.ts";
import { runWorkflow } from "../../src/engine/run/run.ts";
import type { SecurityMode } from "../../src/policy/security.ts";
import type { Session } from "../../src/session/session.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";
import type { Act, Actor, Answer, Column } from "./columns.ts";

/** Commands and workflow files of a person at a terminal. */
export class CommandColumn implements Column {
  readonly name: string;
  readonly #session: Session;
  readonly #app: string;
  readonly #mode: SecurityMode;
  readonly #folder: string;

  constructor(session: Session, options: {
    readonly name: string;
    readonly mode: SecurityMode;
    readonly app: string;
    readonly folder: string;
  }) {
    this.#session = session;
    this.name = options.name;
    this.#mode = options.mode;
    this.#app = options.app;
    this.#folder = options.folder;
  }

  begin(): Promise<Actor> {
    return Promise.resolve({
      act: (act) => this.#act(act, this.#mode),
      permitted: (act) => this.#act(act, "normal"),
      unasked: (act) => this.#act(act, "normal"),
      end: () => Promise.resolve(),
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #act(act: Act, mode: SecurityMode): Promise<Answer> {
    const policy = consent({ HOME: this.#folder, BACKSTEP_SECURITY_MODE: mode });
    if ("operation" in act) {
      const gate = new Gate({
        operations: catalogue,
        session: this.#session,
        folder: "/",
        ports: { ...OPEN_PORTS, policy },
      });
      try {
        await gate.dispatch({ operation: act.operation, input: act.input }, { app: this.#app });
        return undefined;
      } catch (thrown) {
        return answerOf(toBackstepError(thrown));
      }
    }
    if (!("steps" in act)) throw new Error("a terminal has no tools");
    const file = JSON.stringify({ name: "matrix", app: this.#app, timeout: "60s", steps: act.steps });
    const workflow = parseWorkflow(file, {
      file: "matrix.yaml",
      operations: catalogue,
      checkSelector: (text, strategy) => {
        readSelector(text, strategies.find((one) => one === strategy));
      },
    });
    const { error } = await runWorkflow(workflow, {
      operations: catalogue,
      session: this.#session,
      vars: {},
      surroundings: { env: () => undefined, secret: () => undefined },
      folder: this.#folder,
      state: this.#folder,
      admission: policy,
    });
    // What is done on rollback has errors of its own: only the account says what came of it.
    return error && { refused: false, why: `${error.code}: ${error.message}`.slice(0, 300) };
  }
}

function answerOf({ code, message }: BackstepError): Answer {
  return { refused: code === "policy", why: `${code}: ${message}`.slice(0, 300) };
}
