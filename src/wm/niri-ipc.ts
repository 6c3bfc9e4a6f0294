import { Buffer } from "node:buffer";
import { type Call, Deadline } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";
import { asMap, isList, isMap } from "../base/json.ts";
import { Connection, type Protocol } from "./connection.ts";
import { textOf } from "./fields.ts";
import type { WindowManager, WmPart } from "./model.ts";
import {
  niriLayers,
  niriLayouts,
  niriOrigins,
  niriOutputs,
  niriWindows,
  niriWorkspaces,
  tellsPlaces,
} from "./niri-parts.ts";
import { type Decode, gone, jsonOf, MOST_BYTES, tooLong, WmSocket } from "./socket.ts";

const NEWLINE = 10;
/** How niri answers a request that its version does not know; the reason below it is not sent. */
const UNKNOWN = "error parsing request";
/** The requests that not every version knows. */
const OPTIONAL: readonly (readonly [WmPart, string])[] = [
  ["layers", "Layers"],
  ["keyboard-layouts", "KeyboardLayouts"],
  ["overview-state", "OverviewState"],
];
/** Milliseconds to connect, and to ask what its version has. */
const CONNECT = 2_000;
/** Most characters of niri's own words in an error. */
const MOST_WORDS = 200;

/** Reads lines of JSON. A line is joined once it is whole, so that a long one costs no more. */
export function niriDecoder(): Decode {
  let chunks: Uint8Array[] = [], held = 0;
  return (chunk, take) => {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...chunks, chunk.subarray(from, end)]);
      if (line.length > MOST_BYTES) throw tooLong();
      chunks = [], held = 0, from = end + 1;
      take(jsonOf(line.toString("utf8")));
    }
    held += chunk.length - from;
    if (held > MOST_BYTES) throw tooLong();
    if (from < chunk.length) chunks.push(chunk.subarray(from));
  };
}

function line(request: Json): Uint8Array {
  return Buffer.from(`${JSON.stringify(request)}\n`, "utf8");
}

/** Is it a reply? Everything else on a connection for events is an event, whatever a later niri calls it. */
function isReply(message: Json): boolean {
  return isMap(message) && ("Ok" in message || "Err" in message);
}

const protocolAt = (path: string): Protocol<WmSocket> => ({
  open: (deadline) => WmSocket.open(path, niriDecoder(), deadline),
  async listen(socket, event, deadline) {
    socket.event = (message) => {
      if (isReply(message)) return false;
      event();
      return true;
    };
    const doing = "listen to niri's events";
    okOf(await socket.ask(line("EventStream"), deadline, doing), doing, socket.path);
  },
});

/** What a reply holds; throws `unsupported` for a request that this niri does not know, else `refused`. */
function okOf(reply: Json, doing: string, path: string): Json {
  if (!isMap(reply) || !isReply(reply)) throw gone(path, "it does not speak niri's protocol");
  if (!("Err" in reply)) return reply["Ok"] ?? null;
  const words = (textOf(reply["Err"]) ?? "it gave no reason").slice(0, MOST_WORDS).toWellFormed();
  throw new BackstepError(
    words === UNKNOWN ? "unsupported" : "refused",
    words === UNKNOWN
      ? `Cannot ${doing}: this version of niri does not know the request`
      : `Cannot ${doing}: niri says "${words}"`,
  );
}

/**
 * Reaches niri at its socket (`NIRI_SOCKET`). Rejects with `no_desktop`, `timeout` or `cancelled`. Parts that its version lacks are
 * absent from `parts`.
 *
 * @example
 * ```ts ignore
 * const wm = await connectNiri("/run/user/1000/niri.wayland-1.4711.sock");
 * const panels = wm.parts.has("layers") ? await wm.layers() : [];
 * ```
 */
export async function connectNiri(path: string, call?: Call): Promise<WindowManager> {
  const connection = new Connection(path, protocolAt(path));
  const ask = (request: Json, doing: string, call?: Call): Promise<Json> =>
    connection.use((socket, deadline) => socket.ask(line(request), deadline, doing), call);
  /** The content of the answer to a request without fields, which is named as the request is. */
  const read = async (request: string, doing: string, call?: Call): Promise<Json> => {
    const ok = okOf(await ask(request, doing, call), doing, path);
    const content = asMap(ok)[request];
    if (content === undefined) throw gone(path, `it answers ${request} with something else`);
    return content;
  };
  const list = async (request: string, doing: string, call?: Call): Promise<Json> => {
    const content = await read(request, doing, call);
    if (!isList(content)) throw gone(path, `it answers ${request} with no list`);
    return content;
  };
  const map = async (request: string, doing: string, call?: Call): Promise<Json> => {
    const content = await read(request, doing, call);
    if (!isMap(content)) throw gone(path, `it answers ${request} with no map`);
    return content;
  };
  const parts = new Set<WmPart>();
  const deadline = Deadline.of(call, CONNECT);
  try {
    await read("Version", "ask for niri's version", deadline.call());
    for (const [part, request] of OPTIONAL) {
      const answered = await read(request, `ask for niri's ${part}`, deadline.call()).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof BackstepError)) throw error;
          if (error.code === "unsupported") return false;
          // It knows the request, and has no answer at this moment.
          if (error.code === "refused") return true;
          throw error;
        },
      );
      if (answered) parts.add(part);
    }
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    kind: "niri",
    parts,
    outputs: async (call) => niriOutputs(await map("Outputs", "list outputs", call)),
    workspaces: async (call) => niriWorkspaces(await list("Workspaces", "list workspaces", call)),
    async windows(call) {
      const doing = "list windows";
      const windows = await list("Windows", doing, call);
      if (!tellsPlaces(windows)) return niriWindows(windows);
      const workspaces = niriWorkspaces(await list("Workspaces", doing, call));
      return niriWindows(windows, niriOrigins(workspaces, niriOutputs(await map("Outputs", doing, call))));
    },
    layers: async (call) => niriLayers(await list("Layers", "list layers", call)),
    keyboardLayouts: async (call) => niriLayouts(await map("KeyboardLayouts", "list keyboard layouts", call)),
    overview: async (call) => ({
      is_open: asMap(await map("OverviewState", "read the overview", call))["is_open"] === true,
    }),
    async command(command, call) {
      const [name, ...others] = isMap(command) ? Object.keys(command) : [];
      if (name === undefined || others.length > 0) {
        throw new BackstepError("invalid", "Cannot command niri: it takes one action as a map", {
          hint: 'Write {"FocusWindow": {"id": 5}}, or {"ToggleOverview": {}} for an action without fields.',
        });
      }
      const doing = `have niri do ${name.slice(0, MOST_WORDS)}`;
      const reply = await ask({ Action: command }, doing, call);
      if (asMap(reply)["Err"] === UNKNOWN) {
        throw new BackstepError("refused", `Cannot ${doing}: it cannot parse the action`, {
          hint: "A field may be missing, or this version of niri may lack the action.",
        });
      }
      okOf(reply, doing, path);
    },
    on: (changed) => connection.on(changed),
    close: () => connection.close(),
  };
}
