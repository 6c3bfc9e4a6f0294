import { Buffer } from "node:buffer";
import { type Call, cancelled, Deadline } from "../base/call.ts";
import { BackstepError, toBackstepError } from "../base/error.ts";
import type { Frame } from "../desktop/desktop.ts";
import { optional } from "../base/optional.ts";
import type { VisionBackend } from "./vision-backend.ts";
import { findWords, type ReadWord } from "./words.ts";

/** Milliseconds that reading a picture may take by default. */
const PATIENCE = 60_000;
/** Texts on a desktop are smaller than those of scanned paper: below this height a picture is read at twice its size. */
const SMALL = 1_200;

/** Reads the texts of a picture on this machine, without any key; it finds what is written, not what is drawn. */
export function ocrBackend(encode: (picture: Frame) => Uint8Array): VisionBackend {
  return {
    backend: "ocr",
    async locate(picture, description, call) {
      return findWords(await readLines(picture, encode, call), description);
    },
  };
}

/** The lines of words in a picture, in its pixels, read on this machine. Throws `missing` where the reader is not installed. */
export async function readLines(
  picture: Frame,
  encode: (picture: Frame) => Uint8Array,
  call: Call = {},
): Promise<ReadWord[][]> {
  const deadline = Deadline.of(call, PATIENCE);
  deadline.check("read the picture");
  const factor = picture.height < SMALL && picture.width < 2 * SMALL ? 2 : 1;
  const png = Buffer.from(encode(factor === 2 ? doubled(picture) : picture));
  const packages = ["tesseract.js", "@tesseract.js-data/eng"];
  const { createWorker, OEM, PSM } = await optional(
    "read the picture",
    packages,
    () => import("tesseract.js"),
  );
  const { default: language } = await optional(
    "read the picture",
    packages,
    // @ts-types="./data-eng.d.ts"
    () => import("@tesseract.js-data/eng"),
  );
  let failed: unknown;
  const worker = await createWorker("eng", OEM.LSTM_ONLY, {
    langPath: language.langPath,
    gzip: true,
    cacheMethod: "none",
    logger: () => {},
    errorHandler: (error: unknown) => failed = error,
  });
  try {
    await worker.setParameters({ tessedit_pageseg_mode: PSM.SPARSE_TEXT, user_defined_dpi: "96" });
    const { data } = await within(deadline, worker.recognize(png, {}, { blocks: true, text: false }));
    return (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs).flatMap(({ lines }) => lines).map((
      { words },
    ) =>
      words.map(({ text, confidence, bbox: { x0, y0, x1, y1 } }) => ({
        text,
        confidence: confidence / 100,
        rect: {
          x: Math.round(x0 / factor),
          y: Math.round(y0 / factor),
          width: Math.max(1, Math.round((x1 - x0) / factor)),
          height: Math.max(1, Math.round((y1 - y0) / factor)),
        },
      }))
    );
  } catch (thrown) {
    const error = toBackstepError(thrown);
    if (error.code !== "internal") throw error;
    throw new BackstepError("io", "Cannot read the picture: the reader failed", { cause: failed ?? thrown });
  } finally {
    await worker.terminate();
  }
}

/** The reader has no way to be stopped: what waits for it gives up, and ends its worker. */
async function within<T>(deadline: Deadline, work: Promise<T>): Promise<T> {
  const { signal } = deadline;
  let stop: () => void = () => {};
  const over = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => {
      reject(
        new BackstepError("timeout", "Cannot read the picture: it takes too long", {
          hint: "Give the call more time.",
          details: { outcome: "unknown" },
        }),
      );
    }, Math.ceil(deadline.remaining()));
    const abort = () => reject(cancelled("read the picture", signal?.reason));
    signal?.addEventListener("abort", abort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    stop();
  }
}

function doubled({ width, height, rgba }: Frame): Frame {
  const pixels = new Uint32Array(rgba.slice().buffer);
  const twice = new Uint32Array(4 * width * height);
  for (let y = 0; y < 2 * height; y++) {
    const from = width * (y >> 1);
    for (let x = 0; x < 2 * width; x++) twice[2 * width * y + x] = pixels[from + (x >> 1)] ?? 0;
  }
  return { width: 2 * width, height: 2 * height, rgba: new Uint8Array(twice.buffer) };
}
