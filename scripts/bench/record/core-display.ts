import { dirname, join } from "node:path";
import { Core } from "../../../src/ffi/core.ts";
import { Op } from "../../../src/ffi/op.ts";
import { Request } from "../../../src/ffi/request.ts";
import type { CoreSession } from "../../../src/ffi/session.ts";
import type { Session } from "../../../src/session/session.ts";

/** Milliseconds that the last record may take. */
const LATE = 2_000;

/** A session of the native core on the display of a private desktop, and on nothing else of it. */
export class CoreDisplay {
  readonly #session: CoreSession;

  private constructor(session: CoreSession) {
    this.#session = session;
  }

  static async connect({ label, home }: Session): Promise<CoreDisplay> {
    const [display = ""] = label.split(" ");
    const session = (await Core.open()).session();
    const address = `${display} ${join(dirname(home ?? ""), "Xauthority")}`;
    await session.submit(Op.connect, new Request().str("").str("").str(address).u32(0).bytes());
    return new CoreDisplay(session);
  }

  /** The stamps of records of these kinds while something is sent, in microseconds. */
  async stamps(
    kinds: readonly number[],
    count: number,
    send: () => Promise<number[]>,
  ): Promise<{ readonly sent: number[]; readonly read: number[] }> {
    const read: number[] = [];
    const all = Promise.withResolvers<void>();
    const stop = this.#session.onEvents((notices) => {
      for (const notice of notices) {
        if (notice.kind === "person" && kinds.includes(notice.what)) read.push(Number(notice.at));
      }
      if (read.length >= count) all.resolve();
    });
    await this.#session.submit(Op.watchInput, new Request().u32(2).bytes());
    const timer = { late: setTimeout(() => {}, 0) };
    try {
      const sent = await send();
      timer.late = setTimeout(() => all.reject(new Error(`${read.length} of ${count} records came`)), LATE);
      await all.promise;
      return { sent, read };
    } finally {
      clearTimeout(timer.late);
      stop();
      await this.#session.submit(Op.watchInput, new Request().u32(0).bytes());
    }
  }

  async close(): Promise<void> {
    await this.#session.close();
  }
}
