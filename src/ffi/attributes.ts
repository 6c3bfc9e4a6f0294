import { adapterOfRuntime } from "./adapter.ts";
import type { AttributesBinding } from "./attributes-binding.ts";

/** Extended attributes of files, as the C library has them: neither Deno nor Node offers them. */
export interface FileAttributes {
  /** Their names, of a path itself, links not followed; undefined: the file system has none, or it cannot be read. */
  list(path: string): readonly string[] | undefined;
  /** The value of one; undefined: it is gone, or may not be read. */
  read(path: string, name: string): Uint8Array | undefined;
  /** Writes one of an open file; false: it may not. */
  write(fd: number, name: string, value: Uint8Array): boolean;
  /** Removes one of an open file; false: it may not. */
  remove(fd: number, name: string): boolean;
}

/** What Linux keeps at most of all names of a file, and of one value, in bytes. */
const MOST = 65_536;

let loaded: Promise<FileAttributes | undefined> | undefined;

/** Loaded once. Undefined where this runtime cannot call the C library, or may not: then attributes are not compared. */
export function fileAttributes(): Promise<FileAttributes | undefined> {
  return loaded ??= load();
}

async function load(): Promise<FileAttributes | undefined> {
  try {
    return over((await adapterOfRuntime()).loadAttributes());
  } catch {
    return undefined; // not allowed, or another C library: said in the docs of `files:`
  }
}

function over(binding: AttributesBinding): FileAttributes {
  const buffer = new Uint8Array(MOST);
  return {
    list(path) {
      const size = binding.list(finished(path), buffer);
      if (size < 0) return undefined;
      return new TextDecoder().decode(buffer.slice(0, size)).split("\0").filter((name) => name !== "");
    },
    read(path, name) {
      const size = binding.read(finished(path), finished(name), buffer);
      return size < 0 ? undefined : buffer.slice(0, size);
    },
    write: (fd, name, value) => binding.write(fd, finished(name), new Uint8Array(value)) === 0,
    remove: (fd, name) => binding.remove(fd, finished(name)) === 0,
  };
}

function finished(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${text}\0`);
}
