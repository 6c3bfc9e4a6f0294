import { defined } from "../../base/defined.ts";
import type { Application } from "../../desktop/desktop.ts";
import { ToolFailure } from "./failure.ts";

/** An application that a client has connected to. */
export interface Connection {
  /** What the client calls it: its alias, else the application's name. */
  readonly name: string;
  readonly application: Application;
  /** What people call it. */
  readonly appName: string;
  /** Id of its desktop entry, where known. */
  readonly bundleId?: string;
  /** In milliseconds since 1970. */
  readonly since: number;
}

/** The applications that one client has connected to, by every name that it may use for them. */
export class Connections {
  readonly #byPid = new Map<number, Connection>();
  readonly #listeners = new Set<() => void>();

  /** Connects, or gives a connection another name. Throws `InvalidValue` where the alias is another application's. */
  connect(
    application: Application,
    about: { appName: string; bundleId?: string; alias?: string },
  ): Connection {
    const { alias } = about;
    const taken = alias === undefined ? undefined : this.find(alias);
    if (taken && taken.application.pid !== application.pid) {
      throw new ToolFailure(
        "InvalidValue",
        `"${alias}" already means ${taken.appName} (${taken.application.pid})`,
        {
          suggestion: "Choose another alias.",
          data: { alias: alias ?? "", app: taken.appName },
        },
      );
    }
    const existing = this.#byPid.get(application.pid);
    const connection: Connection = {
      name: alias ?? existing?.name ?? about.appName,
      application,
      appName: about.appName,
      ...defined({ bundleId: about.bundleId }),
      since: existing?.since ?? Date.now(),
    };
    this.#byPid.set(application.pid, connection);
    this.#changed();
    return connection;
  }

  /** The connection that a name means: its alias, the application's name, its id or its process id. */
  find(name: string): Connection | undefined {
    const lower = name.toLowerCase();
    const ways: readonly ((connection: Connection) => boolean)[] = [
      (one) => one.name === name,
      (one) => one.appName.toLowerCase() === lower || one.application.name.toLowerCase() === lower,
      (one) => one.bundleId?.toLowerCase() === lower || one.application.id?.toLowerCase() === lower,
      (one) => String(one.application.pid) === name,
    ];
    for (const way of ways) {
      const found = this.list.filter(way);
      if (found.length > 0) return found.at(-1);
    }
    return undefined;
  }

  /** As `find`; throws `AppNotConnected` with those that are. */
  get(name: string): Connection {
    const found = this.find(name);
    if (found) return found;
    const connected = this.list.map((one) => one.name);
    throw new ToolFailure("AppNotConnected", `App not connected: "${name}"`, {
      suggestion: connected.length === 0
        ? "Call ax_connect first."
        : `Call ax_connect with it first. Connected: ${connected.join(", ")}.`,
      data: { name, connected },
    });
  }

  /** Forgets an application that has ended. */
  forget(pid: number): void {
    if (this.#byPid.delete(pid)) this.#changed();
  }

  /** Every connection, the oldest first. */
  get list(): readonly Connection[] {
    return [...this.#byPid.values()];
  }

  /** Told of each change; answers how to end that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
