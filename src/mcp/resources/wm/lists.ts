import { Deadline } from "../../../base/call.ts";
import { BackstepError } from "../../../base/error.ts";
import type { McpCall, McpSession, SharedHost } from "../../server/call.ts";
import type { ResourceDefinition, TemplateDefinition } from "../../server/resource.ts";
import type { Timers } from "../subscriptions/timers.ts";
import { resourcesFor, templatesFor } from "./definitions.ts";
import { followedOf } from "./followed.ts";
import { modifiedOf } from "./modified.ts";
import { managerOf, Reading } from "./reading.ts";

/** Milliseconds that a list waits for the window manager: other families are in the same list. */
const WAIT = 750;
/** The same where it did not answer lately, and for how long that is remembered. */
const SHORT = 20, REMEMBERED = 10_000;
const LOGGER = "axterminator.resources.wm";

/** Who hears when the lists change. */
interface Listener {
  readonly changed: () => void;
  stop?: () => void;
}

/** What `resources/list` and `resources/templates/list` have of this family: nothing where no window manager answers. */
export class Lists {
  readonly #timers: Timers;
  readonly #late = new WeakMap<SharedHost, number>();
  readonly #listeners = new WeakMap<McpSession, Listener>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  async resources(call: McpCall): Promise<readonly ResourceDefinition[]> {
    const { host } = call.session;
    const seen = await this.#seen(call);
    if (seen === undefined) return [];
    const modified = modifiedOf(host);
    return resourcesFor(seen.reading.manager.parts, seen.outputs).map((one) => {
      const lastModified = modified.at(one.uri);
      if (lastModified === undefined) return one;
      const annotations = { ...one.annotations, lastModified };
      return { ...one, annotations, _meta: { ...one._meta, annotations } };
    });
  }

  async templates(call: McpCall): Promise<readonly TemplateDefinition[]> {
    const seen = await this.#seen(call);
    return seen === undefined ? [] : templatesFor(seen.reading.manager.parts);
  }

  /** Tells a session when its lists change, from the first one that has something on. */
  onChange(session: McpSession, changed: () => void): () => void {
    const listener: Listener = { changed };
    this.#listeners.set(session, listener);
    return () => {
      if (this.#listeners.get(session) === listener) this.#listeners.delete(session);
      listener.stop?.();
    };
  }

  async #seen(
    call: McpCall,
  ): Promise<{ readonly reading: Reading; readonly outputs: readonly string[] } | undefined> {
    const { session } = call;
    const { host } = session;
    if (host.desktop.windowManager === undefined) return undefined;
    const late = this.#timers.now() - (this.#late.get(host) ?? -Infinity) < REMEMBERED;
    const deadline = Deadline.after(late ? SHORT : WAIT, call.signal);
    try {
      const reading = new Reading(await managerOf(host, deadline), deadline);
      const outputs = (await reading.outputs()).map(({ name }) => name);
      await this.#follow(session);
      return { reading, outputs };
    } catch (error) {
      if (!(error instanceof BackstepError) || error.code === "cancelled") throw error;
      if (error.code === "timeout") this.#late.set(host, this.#timers.now());
      call.log("debug", LOGGER, { message: `No window manager is listed: ${error.message}` });
      return undefined;
    }
  }

  async #follow(session: McpSession): Promise<void> {
    const listener = this.#listeners.get(session);
    if (listener === undefined || listener.stop !== undefined) return;
    listener.stop = () => {};
    try {
      const stop = await followedOf(session.host, this.#timers).follow({
        key: "lists",
        polled: false,
        away: "",
        render: async (reading) =>
          JSON.stringify([[...reading.manager.parts], (await reading.outputs()).map(({ name }) => name)]),
      }, listener.changed);
      // It may have ended meanwhile.
      if (this.#listeners.get(session) === listener) listener.stop = stop;
      else stop();
    } catch (error) {
      // The next list tries again.
      delete listener.stop;
      throw error;
    }
  }
}
