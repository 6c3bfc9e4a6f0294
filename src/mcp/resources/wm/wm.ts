import { Deadline } from "../../../base/call.ts";
import type { McpCall } from "../../server/call.ts";
import type { ResourceContents, ResourceProvider, Subscription } from "../../server/resource.ts";
import { DATA_NOTE } from "../../server/untrusted.ts";
import { REAL_TIMERS, type Timers } from "../subscriptions/timers.ts";
import { addressUri, isWmUri, parseAddress, SCHEME, type WmAddress } from "./address.ts";
import { completed } from "./completions.ts";
import { type Document, documentOf } from "./contents.ts";
import { annotationsOf, MIME, schemaOf, TEMPLATES } from "./definitions.ts";
import { followedOf } from "./followed.ts";
import { Lists } from "./lists.ts";
import { modifiedOf } from "./modified.ts";
import { parseQuery, type WmQuery } from "./query.ts";
import { managerOf, Reading, unreadable } from "./reading.ts";
import { fieldsOf, isCollection } from "./schemas.ts";

/** Milliseconds that reading one resource may take. */
const READ = 5_000;

/** An address as it was asked for. */
interface Asked {
  readonly address: WmAddress;
  readonly query: WmQuery;
  /** As this server writes it, with its query. */
  readonly canonical: string;
}

/** The `niri://` resources: outputs, workspaces and windows, of whichever window manager the desktop has. */
export function wm(options: { readonly timers?: Timers } = {}): ResourceProvider {
  const timers = options.timers ?? REAL_TIMERS;
  const lists = new Lists(timers);
  return {
    resources: [],
    templates: TEMPLATES,
    listed: (call) => lists.resources(call),
    offered: (call) => lists.templates(call),
    onListChange: (session, changed) => lists.onChange(session, changed),
    canonical: (uri) => isWmUri(uri) ? askedBy(uri).canonical : undefined,
    async read(uri, call) {
      return isWmUri(uri) ? [await read(uri, askedBy(uri), call)] : undefined;
    },
    async watch(uri, call, changed) {
      return isWmUri(uri) ? await watched(uri, askedBy(uri), call, timers, changed) : undefined;
    },
    async complete(template, variable, value, filled, call) {
      if (!TEMPLATES.some((one) => one.uriTemplate === template && template.includes(`{${variable}}`))) {
        return [];
      }
      return await reported(
        template,
        async () => await completed({ template, variable, value, filled }, await readingFor(call)),
      );
    },
  };
}

function askedBy(uri: string): Asked {
  const mark = uri.indexOf("?");
  const path = mark < 0 ? uri : uri.slice(0, mark);
  const address = parseAddress(path.slice(SCHEME.length), uri);
  const { what } = address;
  const about = { schema: fieldsOf(what), collection: isCollection(what), inFull: what === "modes" };
  const query = parseQuery(mark < 0 ? undefined : uri.slice(mark + 1), about, uri);
  return { address, query, canonical: addressUri(address) + query.text };
}

async function read(uri: string, asked: Asked, call: McpCall): Promise<ResourceContents> {
  const { what } = asked.address;
  const { body, relations } = await reported(
    uri,
    async () => await documentOf(asked.address, asked.query, uri, await readingFor(call)),
  );
  const text = textOf(body);
  const lastModified = modifiedOf(call.session.host).note(asked.canonical, text);
  return {
    uri,
    mimeType: MIME,
    text,
    _meta: {
      note: DATA_NOTE,
      annotations: { ...annotationsOf(what), lastModified },
      schema: schemaOf(what),
      relations,
    },
  };
}

/** Subscribes: a window is followed by its own address, on whichever workspace it is. Ends with the session. */
async function watched(
  uri: string,
  asked: Asked,
  call: McpCall,
  timers: Timers,
  changed: () => void | Promise<void>,
): Promise<Subscription> {
  const { host, over } = call.session;
  const { query, canonical } = asked;
  // Below a workspace that it is not on there is nothing to subscribe to.
  if (asked.address.what === "window" && asked.address.below !== undefined) await read(uri, asked, call);
  const address: WmAddress = asked.address.what === "window"
    ? { what: "window", id: asked.address.id }
    : asked.address;
  const stop = await reported(uri, () =>
    followedOf(host, timers).follow({
      key: canonical,
      polled: true,
      async render(reading) {
        const text = textOf((await documentOf(address, query, canonical, reading)).body);
        modifiedOf(host).note(canonical, text);
        return text;
      },
    }, changed));
  over.addEventListener("abort", stop, { once: true });
  if (over.aborted) stop();
  return {
    close() {
      over.removeEventListener("abort", stop);
      stop();
      return Promise.resolve();
    },
  };
}

async function readingFor(call: McpCall): Promise<Reading> {
  const deadline = Deadline.after(READ, call.signal);
  return new Reading(await managerOf(call.session.host, deadline), deadline);
}

/** What a window manager that is away throws becomes -32603 with the reason. */
async function reported<T>(uri: string, doing: () => Promise<T>): Promise<T> {
  try {
    return await doing();
  } catch (thrown) {
    throw unreadable(thrown, uri);
  }
}

/** Written as the ADR writes it. */
function textOf(body: Document["body"]): string {
  return JSON.stringify(body, null, 2);
}
