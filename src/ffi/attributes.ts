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

/** The functions of the C library, by what they take: paths and names end in 0. Sizes and -1 for an error. */
export interface AttributesBinding {
  list(path: Uint8Array<ArrayBuffer>, out: Uint8Array<ArrayBuffer>): number;
  read(
    path: Uint8Array<ArrayBuffer>,
    name: Uint8Array<ArrayBuffer>,
    out: Uint8Array<ArrayBuffer>,
  ): number;
  write(fd: number, name: Uint8Array<ArrayBuffer>, value: Uint8Array<ArrayBuffer>): number;
  remove(fd: number, name: Uint8Array<ArrayBuffer>): number;
}

/** What Linux keeps at most of all names of a file, and of one value, in bytes. */
const MOST = 65_536;

let loaded: Promise<FileAttributes | undefined> | undefined;

/** Loaded once. Undefined where this runtime cannot call the C library, or may not: then attributes are not compared. */
export function fileAttributes(): Promise<FileAttributes | undefined> {
  return loaded ??= load();
}

async function load(): Promise<FileAttributes | undefined> {
  if (typeof globalThis.Deno?.dlopen !== "function") return undefined;
  const adapter = await import("./deno.ts");
  try {
    return over(adapter.loadAttributes());
  } catch {
    return undefined; // not allowed, or another C library: said in the docs of `files:`
  }
}

function over(binding: AttributesBinding): FileAttributes {
  const buffer = new Uint8Array(MOST);
  return {
    list(path) {
      const size = binding.list(ended(path), buffer);
      if (size < 0) return undefined;
      return new TextDecoder().decode(buffer.slice(0, size)).split("\0").filter((name) => name !== "");
    },
    read(path, name) {
      const size = binding.read(ended(path), ended(name), buffer);
      return size < 0 ? undefined : buffer.slice(0, size);
    },
    write: (fd, name, value) => binding.write(fd, ended(name), new Uint8Array(value)) === 0,
    remove: (fd, name) => binding.remove(fd, ended(name)) === 0,
  };
}

function ended(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${text}\0`);
}
