import type { Json } from "../../base/error.ts";
import type { McpCall } from "../call.ts";
import type { Subscription } from "../resource.ts";
import type { Address } from "./address.ts";
import type { Living, Subject } from "./living.ts";
import { blockedBy, connectionOf } from "./view.ts";

/** Where what subscriptions do is logged. */
const LOGGER = "axterminator.resources.subscriptions";

/** Subscribes to an address; undefined: nobody can subscribe to this one. Ends with the session. */
export async function watched(
  uri: string,
  address: Address,
  call: McpCall,
  living: Living,
  changed: () => void | Promise<void>,
): Promise<Subscription | undefined> {
  const subject = subjectOf(uri, address, call);
  if (subject === undefined) return undefined;
  const log = (level: "warning" | "info", data: { readonly [key: string]: Json }) =>
    call.log(level, LOGGER, { uri, ...data });
  let warned = false;
  let ended = false;
  const connection = "application" in subject
    ? call.session.connections.list.find((one) => one.application.bus === subject.application.bus)
    : undefined;
  const stop = await living.follow(subject, {
    // What may not be seen any more is told of no longer, for as long as that lasts.
    changed: () =>
      connection !== undefined && blockedBy(call.session.host, connection) !== undefined
        ? undefined
        : changed(),
    silent() {
      if (warned) return;
      warned = true;
      log("warning", {
        message: "No events for 5 seconds: looking once a second until there are some again",
        fallback: "polling",
        interval_ms: 1_000,
      });
    },
    ended() {
      ended = true;
      log("info", { message: "The application has ended, and this subscription with it" });
    },
  });
  const { over } = call.session;
  over.addEventListener("abort", stop, { once: true });
  if (over.aborted) stop();
  return {
    get over() {
      return ended;
    },
    close() {
      over.removeEventListener("abort", stop);
      stop();
      return Promise.resolve();
    },
  };
}

function subjectOf(uri: string, address: Address, call: McpCall): Subject | undefined {
  switch (address.what) {
    case "apps":
    case "clipboard":
      return { what: address.what };
    case "state":
    case "events":
      return { what: address.what, application: connectionOf(address.app, uri, call).application };
    case "tree": {
      if (address.page.cursor !== undefined) return undefined;
      const { application } = connectionOf(address.app, uri, call);
      return { what: "tree", application, window: address.window };
    }
    case "status":
    case "screenshot":
      return undefined;
  }
}
