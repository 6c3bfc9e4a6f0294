import type { Json } from "../../../base/error.ts";
import type { McpCall } from "../../server/call.ts";
import type { Subscription } from "../../server/resource.ts";
import type { Address } from "../axterminator/address.ts";
import type { LiveResources, Subject } from "./live-resources.ts";
import { blockedBy, connectionOf } from "../axterminator/view.ts";

/** Where what subscriptions do is logged. */
const LOGGER = "axterminator.resources.subscriptions";

/** Subscribes to an address; undefined: nobody can subscribe to this one. Ends with the session. */
export async function watched(
  uri: string,
  address: Address,
  call: McpCall,
  live: LiveResources,
  changed: () => void | Promise<void>,
): Promise<Subscription | undefined> {
  const subject = subjectOf(uri, address, call);
  if (subject === undefined) return undefined;
  const log = (level: "warning" | "info" | "debug", data: { readonly [key: string]: Json }) =>
    call.log(level, LOGGER, { uri, ...data });
  let warned = false;
  let finished = false;
  const connection = "application" in subject
    ? call.session.connections.list.find((one) => one.application.bus === subject.application.bus)
    : undefined;
  const stop = await live.follow(subject, {
    // What may not be seen any more is told of no longer, for as long as that lasts.
    changed() {
      const hidden = connection !== undefined && blockedBy(call.session.host, connection) !== undefined;
      log("debug", { message: "Checked: it is another one", reported: !hidden });
      return hidden ? undefined : changed();
    },
    silent() {
      if (warned) return;
      warned = true;
      log("warning", {
        message: "No events for 5 seconds: looking once a second until there are some again",
        fallback: "polling",
        interval_ms: 1_000,
      });
    },
    finished() {
      finished = true;
      log("info", { message: "The application has ended, and this subscription with it" });
    },
  });
  const { over } = call.session;
  over.addEventListener("abort", stop, { once: true });
  if (over.aborted) stop();
  return {
    get over() {
      return finished;
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
