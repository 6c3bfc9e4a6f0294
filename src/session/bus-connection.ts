import { connect, type Socket } from "node:net";
import process from "node:process";
import { type Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { before } from "../base/within-deadline.ts";
import { type BusMessage, type BusMethod, decodeMessage, encodeCall, messageSize } from "./bus-message.ts";

/** Bytes of one message: the questions asked here are answered in a few hundred. */
const LARGEST = 1 << 20;

interface Pending {
  resolve(reply: BusMessage): void;
  reject(error: Error): void;
}

/**
 * A connection to a message bus for the few questions that come before the native core is at work: is somebody there,
 * and where is the accessibility bus. Everything else is the core's business.
 */
export class BusConnection {
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Set<(signal: BusMessage) => void>();
  #unread: Uint8Array = new Uint8Array(0);
  #serial = 0;
  #finished: Error | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Uint8Array) => {
      try {
        this.#receive(chunk);
      } catch (error) {
        // Thrown here, it would end the process.
        this.#end(error instanceof Error ? error : new Error(String(error)));
        socket.destroy();
      }
    });
    socket.on("error", (error) => this.#end(error));
    socket.on("close", () => this.#end(new Error("the bus closed the connection")));
  }

  /** Connects to an address ("unix:path=…") and says hello. Rejects with `no_desktop` or `timeout`. */
  static async open(address: string, deadline: Deadline): Promise<BusConnection> {
    const socket = await dial(address, deadline);
    const connection = new BusConnection(socket);
    try {
      await connection.#callBus("Hello", [], deadline);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Calls a method: the arguments of its reply. Rejects with `no_desktop` (no bus, or an error reply) or `timeout`. */
  async call(method: BusMethod, deadline: Deadline): Promise<readonly (string | number)[]> {
    const doing = `ask the bus for ${method.member}`;
    if (this.#finished) throw unreachable(doing, this.#finished);
    const serial = ++this.#serial;
    const reply = new Promise<BusMessage>((resolve, reject) =>
      this.#pending.set(serial, { resolve, reject })
    );
    this.#socket.write(encodeCall(serial, method));
    try {
      const answer = await before(reply, deadline, doing);
      if (answer.kind !== "error") return answer.body;
      throw new BackstepError("no_desktop", `Cannot ${doing}: ${answer.body[0] ?? answer.error}`, {
        details: { error: answer.error },
      });
    } finally {
      this.#pending.delete(serial);
    }
  }

  /** Waits until somebody owns a name: subscribes, looks, then waits for the change. */
  async whenOwned(name: string, deadline: Deadline): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const listener = (signal: BusMessage) => {
      if (signal.member === "NameOwnerChanged" && signal.body[0] === name && signal.body[2] !== "") resolve();
    };
    this.#listeners.add(listener);
    try {
      const rule = `type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='${name}'`;
      await this.#callBus("AddMatch", [rule], deadline);
      const [owned] = await this.#callBus("NameHasOwner", [name], deadline);
      if (owned !== 1) await before(promise, deadline, `wait for ${name} on the bus`);
    } finally {
      this.#listeners.delete(listener);
    }
  }

  /** Has the bus start a service that its configuration lists. */
  async startService(name: string, deadline: Deadline): Promise<void> {
    await this.#callBus("StartServiceByName", [name, 0], deadline);
  }

  /** The address of the accessibility bus (org.a11y.Bus.GetAddress). */
  async accessibilityBus(deadline: Deadline): Promise<string> {
    const name = "org.a11y.Bus";
    const [address] = await this.call(
      { destination: name, path: "/org/a11y/bus", interface: name, member: "GetAddress" },
      deadline,
    );
    if (typeof address === "string" && address !== "") return address;
    throw new BackstepError("no_desktop", "Cannot find the accessibility bus: org.a11y.Bus gave no address");
  }

  close(): void {
    this.#socket.destroy();
  }

  #callBus(member: string, args: readonly (string | number)[], deadline: Deadline) {
    const name = "org.freedesktop.DBus";
    return this.call(
      { destination: name, path: "/org/freedesktop/DBus", interface: name, member, args },
      deadline,
    );
  }

  #receive(chunk: Uint8Array): void {
    let bytes = new Uint8Array(this.#unread.length + chunk.length);
    bytes.set(this.#unread);
    bytes.set(chunk, this.#unread.length);
    for (;;) {
      const size = messageSize(bytes);
      if (size !== undefined && size > LARGEST) throw new Error(`it announces a message of ${size} bytes`);
      if (size === undefined || bytes.length < size) break;
      const message = decodeMessage(bytes.subarray(0, size));
      bytes = bytes.slice(size);
      if (message.kind === "signal") this.#listeners.forEach((listener) => listener(message));
      else this.#pending.get(message.replyTo)?.resolve(message);
    }
    this.#unread = bytes;
  }

  #end(error: Error): void {
    this.#finished ??= error;
    for (const call of this.#pending.values()) call.reject(unreachable("ask the bus", this.#finished));
  }
}

/** The path of a bus address's first Unix socket; an abstract one starts with NUL, as `node:net` takes it. */
export function socketPath(address: string): string | undefined {
  for (const alternative of address.split(";")) {
    const match = /^unix:(?:.*,)?(path|abstract)=([^,]+)/.exec(alternative);
    if (match === null) continue;
    const path = decodeURIComponent(match[2] ?? "");
    return match[1] === "abstract" ? `\0${path}` : path;
  }
  return undefined;
}

/** Connects and authenticates as this user (mechanism EXTERNAL: the kernel vouches for the uid). */
async function dial(address: string, deadline: Deadline): Promise<Socket> {
  const path = socketPath(address);
  const doing = `reach the bus at ${address}`;
  if (path === undefined) throw unreachable(doing, new Error("only Unix sockets are supported"));
  const socket = connect({ path });
  const greeted = new Promise<void>((resolve, reject) => {
    socket.once("error", (error) => reject(unreachable(doing, error)));
    socket.once("close", () => reject(unreachable(doing, new Error("it closed the connection"))));
    socket.once("data", (line: Uint8Array) => {
      const answer = new TextDecoder().decode(line);
      answer.startsWith("OK ") ? resolve() : reject(unreachable(doing, new Error(answer.trim())));
    });
    const uid = Array.from(String(process.getuid?.() ?? 0), (digit) => digit.charCodeAt(0).toString(16)).join(
      "",
    );
    socket.once("connect", () => socket.write(`\0AUTH EXTERNAL ${uid}\r\n`));
  });
  try {
    await before(greeted, deadline, doing);
    socket.write("BEGIN\r\n");
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function unreachable(doing: string, cause: Error): BackstepError {
  return new BackstepError("no_desktop", `Cannot ${doing}: ${cause.message}`, { cause });
}
