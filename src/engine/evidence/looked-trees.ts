import type { Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import type { Application, Desktop } from "../../desktop/desktop.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { asksKeptAgain } from "../../desktop/toolkits.ts";
import { applicationFor } from "../../operations/application.ts";
import type { Session } from "../../session/session.ts";

/** Milliseconds that one application may take. */
export const ONE = 3_000;
/** Milliseconds for which an application that did not answer is not asked again: the first time, doubled each time, at most. */
const TIRED = { first: 1_000, most: 30_000 };

/** What is read of the applications of a desktop for looks at it. */
export class LookedTrees {
  readonly #session: Session;
  /** Are whole texts read, since secrets may stand anywhere in them? */
  readonly #whole: () => boolean;
  /** Applications that did not answer, with when they are asked again, and how long that was put off. */
  readonly #tired = new Map<string, { readonly until: number; readonly pause: number }>();

  constructor(session: Session, whole: () => boolean) {
    this.#session = session;
    this.#whole = whole;
  }

  /** Everything on a desktop of our own; on a person's only what the steps mean. */
  async applications(desktop: Desktop, app: string | undefined, deadline: Deadline): Promise<Application[]> {
    if (this.#session.kind !== "attached") {
      return await desktop.applications({ ...deadline.call(), recent: true });
    }
    const where = { session: this.#session, desktop, deadline, app };
    try {
      return [await applicationFor(where, undefined)];
    } catch (thrown) {
      const error = toBackstepError(thrown);
      if (error.code === "app_not_running" || error.code === "ambiguous") return [];
      throw error;
    }
  }

  /** The trees of some applications; `missing` gets why one has none. "held": what is kept of them does. */
  async read(
    desktop: Desktop,
    applications: readonly Application[],
    missing: string[],
    deadline: Deadline,
    source: "application" | "held" = "application",
  ): Promise<Snapshot[]> {
    const found: Snapshot[] = [];
    for (const application of applications) {
      if ((this.#tired.get(application.bus)?.until ?? 0) > performance.now()) {
        missing.push(`${application.name} does not answer`);
        continue;
      }
      try {
        // Where each element is asked again, who is about to act has asked just now, but for places.
        const held = asksKeptAgain(application)
          ? { source: "remembered", fields: ["id"], recent: true } as const
          : { source: "held", fields: ["extents"], recent: true } as const;
        const snapshot = await desktop.snapshot(application, {
          ...deadline.within(ONE).call(),
          ...(source === "held" ? held : { source, fields: ["extents", "text", "value", "id"] }),
          ...(this.#whole() ? { maxText: 20_000 } : {}),
        });
        this.#tired.delete(application.bus);
        if (snapshot.size > 1) found.push(snapshot);
      } catch (thrown) {
        const { code, message } = toBackstepError(thrown);
        if (code === "app_gone") continue;
        if (code === "timeout") this.#putOff(application);
        missing.push(message);
      }
    }
    return found;
  }

  #putOff({ bus }: Application): void {
    const before = this.#tired.get(bus)?.pause;
    const pause = before === undefined ? TIRED.first : Math.min(2 * before, TIRED.most);
    this.#tired.set(bus, { until: performance.now() + pause, pause });
  }
}
