import { Buffer } from "node:buffer";
import { endianness } from "node:os";
import type { Call } from "../base/call.ts";
import { BackstepError, type Json } from "../base/error.ts";
import { asList, asMap } from "../base/json.ts";
import { Connection, type Protocol } from "./connection.ts";
import { textOf } from "./fields.ts";
import { i3Outputs, i3Windows, i3Workspaces, swayLayouts } from "./i3-tree.ts";
import type { WindowManager, WmPart } from "./model.ts";
import { type Decode, jsonOf, MOST_BYTES, tooLong, WmSocket } from "./socket.ts";

const MAGIC = "i3-ipc", HEAD = MAGIC.length + 8;
const LITTLE = endianness() === "LE";
/** Types of messages; bit 31 marks an event. */
const COMMAND = 0, GET_WORKSPACES = 1, SUBSCRIBE = 2, GET_OUTPUTS = 3, GET_TREE = 4, GET_VERSION = 7;
const GET_INPUTS = 100, EVENT = 0x80000000;
/** Subscribed one by one: an unknown name fails a whole list. */
const EVENTS = ["window", "workspace", "output", "input", "shutdown"];

/** A message of the protocol, as bytes. */
export function i3Message(type: number, payload = ""): Uint8Array {
  const body = Buffer.from(payload, "utf8");
  const head = Buffer.alloc(HEAD);
  head.write(MAGIC, "latin1");
  if (LITTLE) head.writeUInt32LE(body.length, 6), head.writeUInt32LE(type, 10);
  else head.writeUInt32BE(body.length, 6), head.writeUInt32BE(type, 10);
  return Buffer.concat([head, body]);
}

/** Reads messages, each as `{type, body}`. Chunks are joined once a message is whole, so that a long one costs no more. */
export function i3Decoder(): Decode {
  let chunks: Uint8Array[] = [], held = 0, needed = HEAD;
  return (chunk, take) => {
    chunks.push(chunk);
    held += chunk.length;
    if (held < needed) return;
    const data = Buffer.concat(chunks);
    let used = 0;
    for (;;) {
      needed = HEAD;
      if (data.length - used < needed) break;
      if (data.toString("latin1", used, used + 6) !== MAGIC) {
        throw new Error("it does not speak i3's protocol");
      }
      const word = (at: number) => LITTLE ? data.readUInt32LE(used + at) : data.readUInt32BE(used + at);
      const length = word(6);
      if (length > MOST_BYTES) throw tooLong();
      needed = HEAD + length;
      if (data.length - used < needed) break;
      const body = jsonOf(data.toString("utf8", used + HEAD, used + needed));
      take({ type: word(10), body });
      used += needed;
    }
    chunks = [data.subarray(used)];
    held = data.length - used;
  };
}

const protocolAt = (path: string): Protocol<WmSocket> => ({
  open: (deadline) => WmSocket.open(path, i3Decoder(), deadline),
  async listen(socket, event, deadline) {
    socket.event = (message) => {
      const { type } = asMap(message);
      if (typeof type !== "number" || type < EVENT) return false;
      event();
      return true;
    };
    for (const name of EVENTS) {
      await socket.ask(i3Message(SUBSCRIBE, JSON.stringify([name])), deadline, `subscribe to ${name}`);
    }
  },
});

/**
 * Reaches sway or i3 at its socket (`SWAYSOCK`, `I3SOCK`). Rejects with `no_desktop`, `timeout` or
 * `cancelled`.
 *
 * @example
 * ```ts ignore
 * const wm = await connectI3("/run/user/1000/sway-ipc.sock");
 * const active = (await wm.windows()).find((one) => one.is_focused);
 * ```
 */
export async function connectI3(path: string, call?: Call): Promise<WindowManager> {
  const connection = new Connection(path, protocolAt(path));
  const ask = async (type: number, doing: string, call?: Call, payload = "") => {
    const message = i3Message(type, payload);
    const reply = await connection.use((socket, deadline) => socket.ask(message, deadline, doing), call);
    return asMap(reply)["body"] ?? null;
  };
  let version: Json;
  try {
    version = await ask(GET_VERSION, "ask for the window manager's version", call);
  } catch (error) {
    connection.close();
    throw error;
  }
  const sway = (textOf(asMap(version)["human_readable"]) ?? "").startsWith("sway") ||
    asMap(version)["variant"] === "sway";
  const kind = sway ? "sway" : "i3";
  const parts: ReadonlySet<WmPart> = new Set<WmPart>(sway ? ["keyboard-layouts"] : []);
  const lacks = (what: string) =>
    Promise.reject(
      new BackstepError("unsupported", `Cannot read the ${what}: ${kind} has none in its protocol`),
    );
  return {
    kind,
    parts,
    outputs: async (call) =>
      i3Outputs(await ask(GET_OUTPUTS, "list outputs", call), await ask(GET_TREE, "list outputs", call)),
    workspaces: async (call) =>
      i3Workspaces(
        await ask(GET_WORKSPACES, "list workspaces", call),
        await ask(GET_TREE, "list workspaces", call),
      ),
    windows: async (call) => i3Windows(await ask(GET_TREE, "list windows", call)),
    layers: () => lacks("layers"),
    keyboardLayouts: async (call) =>
      sway ? swayLayouts(await ask(GET_INPUTS, "list inputs", call)) : await lacks("keyboard layouts"),
    overview: () => lacks("overview"),
    async command(command, call) {
      const line = textOf(command);
      if (line === null) {
        throw new BackstepError("invalid", `Cannot command ${kind}: it takes a line of text`);
      }
      for (const one of asList(await ask(COMMAND, `have ${kind} do "${line}"`, call, line))) {
        const { success, error } = asMap(one);
        if (success === true) continue;
        throw new BackstepError(
          "refused",
          `Cannot have ${kind} do "${line}": ${textOf(error) ?? "it refused"}`,
        );
      }
    },
    on: (changed) => connection.on(changed),
    close: () => connection.close(),
  };
}
