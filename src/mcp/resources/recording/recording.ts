import type { Json } from "../../../base/error.ts";
import type { McpCall, McpSession } from "../../server/call.ts";
import type { ResourceContents, ResourceProvider, Subscription } from "../../server/resource.ts";
import { DATA_NOTE } from "../../server/untrusted.ts";
import { noSuch } from "../axterminator/address.ts";
import { REAL_TIMERS, type Timers } from "../subscriptions/timers.ts";
import { type RecordingAddress, recordingAddress } from "./address.ts";
import { ClientRecording, RECORDING_LIMITS, type RecordingLimits } from "./client-recording.ts";
import { RECORDING_RESOURCES, RECORDING_TEMPLATES } from "./definitions.ts";
import { handedOut } from "./handed-out.ts";
import { placeOf, write } from "./save.ts";

/** Milliseconds in which changes of the status become one notice. */
const TOGETHER = 100;

/** What the family is given beside the desktop. */
export interface RecordingOptions {
  /** Default: half an hour and 500 steps. */
  readonly limits?: RecordingLimits;
}

/**
 * `axterminator://recording/start`, `/stop` and `/status`: what a person does as steps of a workflow. Reading the first begins,
 * reading the second ends. Where the server only reads, none of them exists.
 */
export function recording(options: RecordingOptions = {}): ResourceProvider {
  const bySession = new WeakMap<McpSession, ClientRecording>();
  const recordingOf = (session: McpSession): ClientRecording => {
    const existing = bySession.get(session);
    if (existing !== undefined) return existing;
    const made = new ClientRecording(session, options.limits ?? RECORDING_LIMITS);
    bySession.set(session, made);
    // What was allowed under one mode does not go on under another.
    const deaf = session.host.security.onChange(() => {
      if (isAbsent(session)) void made.close();
    });
    session.onEnd(() => Promise.resolve(deaf()));
    return made;
  };
  /** Undefined: the address is of another family. */
  const addressOf = (uri: string, { session }: McpCall): RecordingAddress | undefined => {
    const address = recordingAddress(uri);
    if (address !== undefined && isAbsent(session)) throw noSuch(uri, "there is no such resource");
    return address;
  };
  return {
    resources: [],
    templates: [],
    listed: ({ session }) => Promise.resolve(isAbsent(session) ? [] : RECORDING_RESOURCES),
    offered: ({ session }) => Promise.resolve(isAbsent(session) ? [] : RECORDING_TEMPLATES),
    acts(uri) {
      const what = uri.toLowerCase();
      return what.startsWith("axterminator://recording/") &&
        !what.startsWith("axterminator://recording/status");
    },
    async read(uri, call) {
      const address = addressOf(uri, call);
      return address && await read(uri, address, call, recordingOf(call.session));
    },
    watch(uri, call, changed) {
      const address = addressOf(uri, call);
      if (address === undefined) return Promise.resolve(undefined);
      if (address.what !== "status") {
        throw noSuch(uri, "nobody can subscribe to it; to axterminator://recording/status");
      }
      return Promise.resolve(followed(recordingOf(call.session), changed));
    },
  };
}

function isAbsent({ host }: McpSession): boolean {
  return host.security.mode === "sandboxed";
}

async function read(
  uri: string,
  address: RecordingAddress,
  call: McpCall,
  recorded: ClientRecording,
): Promise<readonly ResourceContents[]> {
  switch (address.what) {
    case "start":
      return [json(uri, await recorded.start(call, uri))];
    case "status":
      return [json(uri, recorded.status())];
    case "stop": {
      const { save } = address;
      const place = save === undefined ? undefined : await placeOf(save, call);
      const { yaml, contents } = await handedOut(await recorded.stop());
      if (place !== undefined && save !== undefined) await write(place, save, yaml);
      call.session.host.recording?.handOut(call, "axterminator://recording/stop", place !== undefined);
      return contents(uri, place?.path);
    }
  }
}

function json(uri: string, value: Json): ResourceContents {
  return { uri, mimeType: "application/json", text: JSON.stringify(value), _meta: { note: DATA_NOTE } };
}

/** Tells of changes, those of a moment together; while the last notice is under way, the next one waits. */
function followed(
  recorded: ClientRecording,
  changed: () => void | Promise<void>,
  timers: Timers = REAL_TIMERS,
): Subscription {
  let stop: (() => void) | undefined;
  let telling: Promise<void> = Promise.resolve();
  const tell = () => {
    stop = undefined;
    telling = telling.then(changed);
  };
  const deaf = recorded.onChange(() => stop ??= timers.after(TOGETHER, tell));
  return {
    close() {
      deaf();
      stop?.();
      return telling;
    },
  };
}
