import process from "node:process";
import koffi, { type LibraryHandle } from "koffi";
import { type AttributesBinding, attributeSymbols } from "./attributes-binding.ts";
import type { Binding, Bytes } from "./binding.ts";
import { type PixelBinding, pixelSymbols } from "./pixel-symbols.ts";
import { symbols } from "./symbols.ts";

/** The types of the symbol tables, as koffi names them. */
const TYPES = {
  u32: "uint32_t",
  i32: "int32_t",
  u64: "uint64_t",
  i64: "int64_t",
  usize: "size_t",
  isize: "intptr_t",
  // The memory itself, not a copy: what the function writes is there when it ends.
  buffer: "void *",
} as const;

type Type = keyof typeof TYPES;
type Argument = number | bigint | Bytes;

interface Signature {
  readonly parameters: readonly Type[];
  readonly result: Type;
}

/** A function that returns at once. An integer of 64 bits comes as a number where that holds it. */
type Native = (...parameters: Argument[]) => number | bigint;
/** A function that may block: it runs on a thread of the runtime's pool. */
type Later = (...parameters: Argument[]) => Promise<number>;

/** Finds the functions of a table in a library; throws where one is missing. */
function functionsOf<Name extends string>(library: LibraryHandle, table: Readonly<Record<Name, Signature>>) {
  const found = (name: Name) => {
    const { result, parameters } = table[name];
    return library.func(name, TYPES[result], parameters.map((type) => TYPES[type]));
  };
  return {
    sync: (name: Name): Native => found(name),
    later: (name: Name): Later => {
      const native = found(name);
      return (...parameters) =>
        new Promise((resolve, reject) => {
          native.async(...parameters, (error: Error | null, value: number | bigint) => {
            // Named here, the buffers live until the thread is done with them.
            if (error !== null) {
              reject(new Error(`Cannot call ${name} with ${parameters.length} values`, { cause: error }));
            } else resolve(Number(value));
          });
        });
    },
  };
}

/** Loads the native core on Node and Bun, through koffi. */
export function load(path: string): Binding {
  const library = koffi.load(path);
  const { sync, later } = functionsOf(library, symbols);
  const abi = sync("backstep_abi");
  const open = sync("backstep_open");
  const close = later("backstep_close");
  const submit = sync("backstep_submit");
  const wait = later("backstep_wait");
  const take = sync("backstep_take");
  const cancel = sync("backstep_cancel");
  const peek = sync("backstep_peek");
  const wake = sync("backstep_wake");
  return {
    abi: () => Number(abi()),
    open: () => BigInt(open()),
    close: (session) => close(session),
    submit: (session, op, request, timeout) =>
      BigInt(submit(session, op, request, request.byteLength, timeout)),
    wait: (buffer, timeout) => wait(buffer, buffer.byteLength, timeout),
    take: (session, ticket, buffer) => Number(take(session, ticket, buffer, buffer.byteLength)),
    cancel: (session, ticket) => Number(cancel(session, ticket)),
    peek: (session, bus) => BigInt(peek(session, bus, bus.byteLength)),
    wake: () => Number(wake()),
    unload: () => library.unload(),
  };
}

/** The core's functions for pictures, for as long as the process lives. */
export function loadPixels(path: string): PixelBinding {
  const { sync, later } = functionsOf(koffi.load(path), pixelSymbols);
  const abi = sync("backstep_pixels_abi");
  const decode = later("backstep_png_decode");
  const tilesOf = sync("backstep_pixels_tiles");
  const compare = sync("backstep_pixels_compare");
  return {
    abi: () => Number(abi()),
    decode: (file, out) => decode(file, file.byteLength, out, out.byteLength),
    tiles: (a, b, width, height, tiles) =>
      Number(tilesOf(a, a.byteLength, b, b.byteLength, width, height, tiles, tiles.byteLength)),
    compare: (a, b, width, height, tiles, marks, tolerance, budget) =>
      Number(
        compare(
          a,
          a.byteLength,
          b,
          b.byteLength,
          width,
          height,
          tiles,
          tiles.byteLength,
          marks,
          marks.byteLength,
          tolerance,
          budget,
        ),
      ),
  };
}

/** The C library's functions for extended attributes, for as long as the process lives. */
export function loadAttributes(): AttributesBinding {
  const { sync } = functionsOf(koffi.load("libc.so.6"), attributeSymbols);
  const list = sync("llistxattr");
  const read = sync("lgetxattr");
  const write = sync("fsetxattr");
  const remove = sync("fremovexattr");
  return {
    list: (path, out) => Number(list(path, out, out.byteLength)),
    read: (path, name, out) => Number(read(path, name, out, out.byteLength)),
    write: (fd, name, value) => Number(write(fd, name, value, value.byteLength, 0)),
    remove: (fd, name) => Number(remove(fd, name)),
  };
}

/** An environment variable. */
export function environment(variable: string): string | undefined {
  return process.env[variable];
}
