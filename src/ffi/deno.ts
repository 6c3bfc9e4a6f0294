import { type AttributesBinding, attributeSymbols } from "./attributes-binding.ts";
import type { Binding } from "./binding.ts";
import { type PixelBinding, pixelSymbols } from "./pixel-symbols.ts";
import { symbols } from "./symbols.ts";

/** Loads the native core on Deno; needs `--allow-ffi=<path>` and nothing else. */
export function load(path: string): Binding {
  const library = Deno.dlopen(path, symbols);
  const native = library.symbols;
  return {
    abi: () => native.backstep_abi(),
    open: () => native.backstep_open(),
    close: (session) => native.backstep_close(session),
    submit: (session, op, request, timeout) =>
      native.backstep_submit(session, op, request, request.byteLength, timeout),
    wait: (buffer, timeout) => native.backstep_wait(buffer, buffer.byteLength, timeout),
    take: (session, ticket, buffer) =>
      Number(native.backstep_take(session, ticket, buffer, buffer.byteLength)),
    cancel: (session, ticket) => native.backstep_cancel(session, ticket),
    peek: (session, bus) => native.backstep_peek(session, bus, bus.byteLength),
    wake: () => native.backstep_wake(),
    unload: () => library.close(),
  };
}

/** The core's functions for pictures, for as long as the process lives. */
export function loadPixels(path: string): PixelBinding {
  const native = Deno.dlopen(path, pixelSymbols).symbols;
  return {
    abi: () => native.backstep_pixels_abi(),
    decode: (file, out) => native.backstep_png_decode(file, file.byteLength, out, BigInt(out.byteLength)),
    tiles: (a, b, width, height, tiles) =>
      Number(
        native.backstep_pixels_tiles(
          a,
          BigInt(a.byteLength),
          b,
          BigInt(b.byteLength),
          width,
          height,
          tiles,
          tiles.byteLength,
        ),
      ),
    compare: (a, b, width, height, tiles, marks, tolerance, budget) =>
      Number(
        native.backstep_pixels_compare(
          a,
          BigInt(a.byteLength),
          b,
          BigInt(b.byteLength),
          width,
          height,
          tiles,
          tiles.byteLength,
          marks,
          BigInt(marks.byteLength),
          tolerance,
          BigInt(budget),
        ),
      ),
  };
}

/** The C library's functions for extended attributes, for as long as the process lives. */
export function loadAttributes(): AttributesBinding {
  const native = Deno.dlopen("libc.so.6", attributeSymbols).symbols;
  return {
    list: (path, out) => Number(native.llistxattr(path, out, BigInt(out.byteLength))),
    read: (path, name, out) => Number(native.lgetxattr(path, name, out, BigInt(out.byteLength))),
    write: (fd, name, value) => native.fsetxattr(fd, name, value, BigInt(value.byteLength), 0),
    remove: (fd, name) => native.fremovexattr(fd, name),
  };
}

/** An environment variable, undefined as well where the permission to read it was not given: nothing is asked. */
export function environment(variable: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable });
  return state === "granted" ? Deno.env.get(variable) : undefined;
}
