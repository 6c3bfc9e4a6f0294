/// <reference lib="dom" />

/** Who has the address may use the page: the token is in its fragment, which no browser sends. */
const token = location.hash.slice(1);

/** An error as the server tells it. */
export class Refused extends Error {
  /** @param {{ message: string, hint?: string, code?: string }} error */
  constructor(error) {
    super(error.message);
    this.hint = error.hint;
    this.code = error.code;
  }
}

/** @param {string} path @param {RequestInit} [init] */
async function asked(path, init = {}) {
  const headers = { ...init.headers, authorization: `Bearer ${token}` };
  const response = await fetch(path, { ...init, headers, cache: "no-store", credentials: "omit" });
  if (response.ok) return response;
  const body = await response.json().catch(() => undefined);
  throw new Refused(body?.error ?? { message: `The inspector answered ${response.status}` });
}

/** Asks the inspector. @param {string} name @param {unknown} [body] */
export async function ask(name, body = null) {
  const response = await asked(`/api/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return await response.json();
}

/**
 * Hears what changes, until `signal` fires or the server ends. @param {string | undefined} app
 * @param {(event: string, data: any) => void} heard @param {AbortSignal} signal
 */
export async function notices(app, heard, signal) {
  const path = app === undefined ? "/api/notices" : `/api/notices?app=${encodeURIComponent(app)}`;
  const { body } = await asked(path, { signal });
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  /** What of an event has come; put together once, however large it is. @type {string[]} */
  let begun = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const pieces = value.split("\n\n");
    for (let k = 0; k < pieces.length; k++) {
      begun.push(pieces[k] ?? "");
      if (k === pieces.length - 1) break;
      const [, event, data] = /^event: (.*)\ndata: ([^]*)$/.exec(begun.join("")) ?? [];
      begun = [];
      if (event !== undefined && data !== undefined) heard(event, JSON.parse(data));
    }
  }
}

/**
 * Draws what changes on the screen, until `signal` fires or the server ends.
 * @param {(picture: { width: number, height: number, tiles: { x: number, y: number, pixels: ImageData }[] }) => void} draw
 * @param {AbortSignal} signal
 */
export async function pictures(draw, signal) {
  const { body } = await asked("/api/picture", { signal });
  if (!body) return;
  const reader = body.getReader();
  let bytes = new Uint8Array(0);
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    if (bytes.length === 0) bytes = value;
    else {
      const both = new Uint8Array(bytes.length + value.length);
      both.set(bytes);
      both.set(value, bytes.length);
      bytes = both;
    }
    for (;;) {
      if (bytes.length < 4) break;
      const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
      if (bytes.length < 4 + length) break;
      draw(await unpacked(bytes.slice(4, 4 + length)));
      bytes = bytes.subarray(4 + length);
    }
  }
}

/** @param {Uint8Array<ArrayBuffer>} message */
async function unpacked(message) {
  const view = new DataView(message.buffer);
  const [width, height, count] = [view.getUint16(0, true), view.getUint16(2, true), view.getUint32(4, true)];
  const packed = new Blob([message.subarray(8 + 8 * count)]).stream();
  const raw = await new Response(packed.pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();
  let from = 0;
  const tiles = Array.from({ length: count }, (_, k) => {
    const [x, y, w, h] = [0, 2, 4, 6].map((more) => view.getUint16(8 + 8 * k + more, true));
    const pixels = new ImageData(new Uint8ClampedArray(raw, from, w * h * 4), w, h);
    from += w * h * 4;
    return { x, y, pixels };
  });
  return { width, height, tiles };
}
