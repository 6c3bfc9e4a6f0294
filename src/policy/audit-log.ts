import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { BackstepError, type Json } from "../base/error.ts";

/** One line of the audit log. */
export interface AuditEntry {
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly session_id: string;
  readonly tool: string;
  readonly args: { readonly [name: string]: Json };
  readonly target: { readonly [name: string]: Json } | null;
  /** "success", "failure: <code>", "begun", "elicitation_declined"… */
  readonly result: string;
  readonly security_flags: readonly string[];
}

/** How an audit log is kept. */
export interface AuditLogOptions {
  /** Bytes after which it is begun anew. */
  readonly maxBytes: number;
  /** Old ones that stay; default 5. */
  readonly keep?: number;
}

/** Bytes of a line: longer ones lose their arguments. */
export const LONGEST_LINE = 8_192;
const OWNER_ONLY = 0o600;

/**
 * A log that is only appended to, a line of JSON an act: readable by its owner only, each line one write, so that several
 * processes may share it. At a size it is renamed and begun anew. Never follows a symbolic link.
 */
export class AuditLog {
  readonly path: string;
  readonly #maxBytes: number;
  readonly #keep: number;
  #handle: number | undefined;
  #torn = false;

  constructor(path: string, options: AuditLogOptions) {
    this.path = path;
    this.#maxBytes = options.maxBytes;
    this.#keep = options.keep ?? 5;
  }

  /** Can it be written to? Throws `io` if not. Makes the file. */
  check(): void {
    this.#guarded(() => this.#open(0));
  }

  /** Writes one line. Throws `io` when it is not known to be written whole. */
  append(entry: AuditEntry): void {
    this.#guarded(() => {
      const line = lineOf(entry);
      const handle = this.#open(line.length);
      const bytes = this.#torn ? Buffer.concat([NEWLINE, line]) : line;
      const written = writeSync(handle, bytes);
      this.#torn = written !== bytes.length;
      if (this.#torn) throw new Error(`only ${written} of ${bytes.length} bytes were taken`);
    });
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.close();
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new BackstepError("io", `Cannot write the audit log ${this.path}: ${why}`, {
        cause: thrown,
        hint: "Free its disk, or name another file with BACKSTEP_AUDIT_LOG.",
      });
    }
  }

  /** The file that the path means now, with room for so many bytes. */
  #open(bytes: number): number {
    if (this.#handle !== undefined && !this.#isCurrent(this.#handle)) this.close();
    this.#handle ??= openLog(this.path);
    const { size, ino } = fstatSync(this.#handle);
    if (size === 0 || size + bytes <= this.#maxBytes) return this.#handle;
    this.close();
    this.#rotate(ino);
    this.#handle = openLog(this.path);
    return this.#handle;
  }

  /** Another process may have begun a new one. */
  #isCurrent(handle: number): boolean {
    const [held, named] = [fstatSync(handle), lstatSync(this.path, { throwIfNoEntry: false })];
    return named !== undefined && held.ino === named.ino && held.dev === named.dev;
  }

  #rotate(inode: number): void {
    const named = lstatSync(this.path, { throwIfNoEntry: false });
    if (named?.ino !== inode) return; // another process was faster
    try {
      renameSync(this.path, `${this.path}.${stamp()}.${inode}`);
    } catch (thrown) {
      if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return; // the same, just now
      throw thrown;
    }
    const folder = dirname(this.path);
    const old = readdirSync(folder).filter((name) => name.startsWith(`${basename(this.path)}.2`)).sort();
    for (const name of old.slice(0, Math.max(0, old.length - this.#keep))) {
      rmSync(join(folder, name), { force: true });
    }
  }
}

const NEWLINE = Buffer.from("\n");

/** Now in microseconds, so that names sort as they came: "20261121T093000123456". */
function stamp(): string {
  const micros = Math.floor((performance.timeOrigin + performance.now()) * 1_000);
  const seconds = new Date(Math.floor(micros / 1_000)).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  return `${seconds}${String(micros % 1_000_000).padStart(6, "0")}`;
}

function openLog(path: string): number {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const handle = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, OWNER_ONLY);
  const about = fstatSync(handle);
  if (!about.isFile()) {
    closeSync(handle);
    throw new Error("it is no file");
  }
  if ((about.mode & 0o777) !== OWNER_ONLY) fchmodSync(handle, OWNER_ONLY);
  return handle;
}

function lineOf(entry: AuditEntry): Buffer {
  const whole = Buffer.from(`${JSON.stringify(entry)}\n`);
  if (whole.length <= LONGEST_LINE) return whole;
  const short = { ...entry, args: { cut: true }, target: entry.target === null ? null : { cut: true } };
  return Buffer.from(`${JSON.stringify({ ...short, result: entry.result.slice(0, 200) })}\n`);
}
