// The thread that packs, encrypts and writes what is seen of a run, beside the thread that goes on with it.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { toBackstepError } from "../../base/error.ts";
import { Encryption } from "../journal/encryption.ts";
import { LOG, type LogEntry, pictureFile, sealedEntry } from "./log.ts";
import type { LogAnswer, LogRequest } from "./log-messages.ts";
import { encodePicture } from "./png.ts";

/** A log that is written. */
class Writer {
  readonly #folder: string;
  readonly #encryption: Encryption;
  readonly #most: number;
  readonly #stop: Int32Array;
  readonly #descriptor: number;
  /** Bytes of each picture that is there, the oldest first. */
  readonly #pictures = new Map<number, number>();
  #bytes = 0;
  #pictured = 0;
  #dropped = 0;

  constructor({ folder, key, most, stop }: Extract<LogRequest, { do: "open" }>) {
    this.#folder = folder;
    this.#encryption = Encryption.of(key);
    this.#most = most;
    this.#stop = stop;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#descriptor = openSync(join(folder, LOG), "a", 0o600);
  }

  picture({ number, width, height, pixels }: Extract<LogRequest, { do: "picture" }>): void {
    if (Atomics.load(this.#stop, 0) !== 0) return;
    const sealed = this.#encryption.encryptBytes(
      encodePicture({ width, height, rgba: new Uint8Array(pixels) }),
    );
    const file = join(this.#folder, pictureFile(number));
    writeFileSync(`${file}.new`, sealed, { mode: 0o600 });
    // Here nobody waits for the disk; at the end of the run somebody would.
    sync(`${file}.new`);
    renameSync(`${file}.new`, file);
    this.entry(JSON.stringify({ picture: number, width, height } satisfies LogEntry));
    this.#pictures.set(number, sealed.length);
    this.#pictured += sealed.length;
    for (const [old, size] of this.#pictures) {
      if (this.#pictured <= this.#most || old === number) break;
      rmSync(join(this.#folder, pictureFile(old)));
      this.#pictures.delete(old);
      this.#pictured -= size;
      this.#dropped++;
    }
  }

  entry(entry: string): void {
    const bytes = sealedEntry(entry, this.#encryption);
    for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at);
    this.#bytes += bytes.length;
  }

  discard(): LogAnswer {
    closeSync(this.#descriptor);
    for (const number of this.#pictures.keys()) rmSync(join(this.#folder, pictureFile(number)));
    rmSync(join(this.#folder, LOG));
    return { done: "finish", bytes: 0, dropped: 0 };
  }

  /** From then on it survives a power cut. */
  finish(): LogAnswer {
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
    sync(this.#folder);
    return { done: "finish", bytes: this.#bytes + this.#pictured, dropped: this.#dropped };
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const say = (answer: LogAnswer) => parentPort?.postMessage(answer);
let writer: Writer | undefined;
let failed = false;

parentPort?.on("message", (request: LogRequest) => {
  if (failed) return;
  try {
    if (request.do === "open") writer = new Writer(request);
    else if (request.do === "entry") writer?.entry(request.entry);
    else if (request.do === "picture") {
      writer?.picture(request);
      say({ done: "picture", number: request.number });
    } else if (writer) {
      const answer = request.do === "finish" ? writer.finish() : writer.discard();
      writer = undefined;
      say(answer);
    }
  } catch (thrown) {
    failed = true;
    say({ failed: toBackstepError(thrown).message });
  }
});
