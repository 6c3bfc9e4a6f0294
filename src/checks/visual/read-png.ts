// @ts-types="./pngjs.d.ts"
import { PNG } from "pngjs";
import { Buffer } from "node:buffer";
import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Frame } from "../../desktop/desktop.ts";
import { pixelCore } from "../../ffi/pixels.ts";
import { lendable } from "./marks.ts";

/** The largest side and the most pixels of a picture, and bytes of a file: what a bomb claims is refused before it is unpacked. */
const SIDE = 32_767, PIXELS = 100_000_000, BYTES = 256 * 1024 * 1024;
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Why a file cannot be decoded; as `enum backstep_png`. */
const WHY: ReadonlyMap<number, string> = new Map([
  [-101, "it is no PNG"],
  [-102, "it ends too early"],
  [-103, "it is damaged: a checksum or a field of it is wrong"],
]);
const UNSUPPORTED = -105;

/**
 * Decodes a PNG: in the native core where there is one, else with pngjs, which takes those of 16 bits a channel too.
 *
 * @param bytes The file.
 * @param name For messages: "editor.png".
 * @throws {BackstepError} `invalid` where it is no PNG, is damaged, ends too early or is interlaced; `limit` where it has more
 * than 100 million pixels, a side above 32,767, or is larger than 256 MiB.
 */
export async function readPng(bytes: Uint8Array, name: string): Promise<Frame> {
  const { width, height, depth } = headerOf(bytes, name);
  const core = depth === 16 ? undefined : await pixelCore();
  if (core) {
    const out = new Uint8Array(4 * width * height + height);
    const status = await core.decode(lendable(bytes), out);
    if (status === 0) return { width, height, rgba: out.subarray(0, 4 * width * height) };
    if (status !== UNSUPPORTED) throw fault(name, WHY.get(status) ?? `the native core answered ${status}`);
  }
  return script(bytes, name, width, height);
}

/** The decoder in JavaScript. */
export function script(bytes: Uint8Array, name: string, width: number, height: number): Frame {
  try {
    const png = PNG.sync.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (png.width === width && png.height === height && png.data.length === 4 * width * height) {
      return { width, height, rgba: png.data };
    }
  } catch (cause) {
    throw fault(name, `it is damaged: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
  throw fault(name, "it is damaged");
}

/** What is asked before anything is unpacked. */
export function headerOf(
  bytes: Uint8Array,
  name: string,
): { readonly width: number; readonly height: number; readonly depth: number } {
  if (bytes.length > BYTES) throw limit(name, `${bytes.length} bytes are more than ${BYTES}`);
  if (SIGNATURE.slice(0, bytes.length).some((byte, at) => bytes[at] !== byte) || bytes.length < 4) {
    throw fault(name, "it is no PNG");
  }
  if (bytes.length < 33) throw fault(name, "it ends too early");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = view.getUint32(16), height = view.getUint32(20);
  if (view.getUint32(8) !== 13 || view.getUint32(12) !== 0x49484452 || width === 0 || height === 0) {
    throw fault(name, "it is damaged: it has no header");
  }
  if (width > SIDE || height > SIDE || width * height > PIXELS) {
    throw limit(name, `${width}x${height} are more than ${SIDE} a side or ${PIXELS} pixels`);
  }
  // Unpacking these is not bounded by what the header says.
  if (view.getUint8(28) !== 0) throw fault(name, "it is interlaced");
  return { width, height, depth: view.getUint8(24) };
}

function fault(name: string, why: string, cause?: unknown): BackstepError {
  return new BackstepError("invalid", `Cannot read the picture ${name}: ${why.slice(0, 300)}`, {
    ...defined({ cause }),
    hint: "Save it as a PNG that is not interlaced.",
  });
}

function limit(name: string, why: string): BackstepError {
  return new BackstepError("limit", `Cannot read the picture ${name}: ${why}`);
}
