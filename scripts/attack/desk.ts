import { defined } from "../../src/base/defined.ts";
import { openNative } from "../../src/session/open-native.ts";
import type { Session } from "../../src/session/session.ts";
import { memoryFolder } from "../histories/live.ts";
import { Application } from "./application.ts";
import { play, type Played } from "./play.ts";
import type { Plan, ToolkitName } from "./plan.ts";
import { toolkitOf } from "./toolkits.ts";

/** A private desktop with one nasty application: plays happen on it one after another. */
export class Desk {
  readonly #session: Session;
  readonly #application: Application;
  readonly #folder = memoryFolder();

  private constructor(session: Session, toolkit: ToolkitName) {
    this.#session = session;
    this.#application = Application.prepare(session, toolkitOf(toolkit));
  }

  static async open(toolkit: ToolkitName, state?: string): Promise<Desk> {
    return new Desk(
      await openNative({ kind: "isolated", ...defined({ state }) }),
      toolkit,
    );
  }

  play(plan: Plan): Promise<Played> {
    return play(plan, {
      session: this.#session,
      application: this.#application,
      folder: this.#folder.path,
    });
  }

  async close(): Promise<void> {
    this.#folder.remove();
    await this.#session.close();
  }
}
