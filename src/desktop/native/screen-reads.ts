import type { Call } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import type { Bytes } from "../../ffi/binding.ts";
import { Op, type OpNumber } from "../../ffi/op.ts";
import { Request } from "../../ffi/request.ts";
import type { CoreCall } from "../../ffi/session.ts";
import type { Area, Drawn, Frame, ScreenshotCall } from "../desktop.ts";
import type { Rect } from "../element.ts";
import { decodeDrawn, decodeFrame, type NativeWindow } from "./replies.ts";
import { asWhole, shownPart } from "./window-frame.ts";

/** The display, as its pixels are read. */
export interface ScreenSource {
  submit(op: OpNumber, request: Bytes, call: CoreCall): Promise<Bytes>;
  /** As they are now; bottom to top. */
  windows(call: Call): Promise<NativeWindow[]>;
  /** Does the display tell what is drawn on it? */
  tellsDrawing(): boolean;
  /** Can only whole outputs be pictured, and nothing lies there that is in no list of windows? */
  readonly outputsAlone: boolean;
  /** In pixels. */
  readonly screen: { readonly width: number; readonly height: number };
}

/** What a display shows, and what was drawn on it. */
export class ScreenReads {
  readonly #source: ScreenSource;
  #asked = false;

  constructor(source: ScreenSource) {
    this.#source = source;
  }

  /** The core was asked what is drawn, and notes it since. */
  get seesDrawing(): boolean {
    return this.#asked;
  }

  /** What was drawn in a rectangle within so many milliseconds; undefined: nobody can say. */
  async drawn({ x, y, width, height }: Rect, within: number, call: Call): Promise<Drawn | undefined> {
    if (!this.#source.tellsDrawing()) return undefined;
    const request = new Request();
    for (const side of [x, y, width, height]) request.i32(Math.round(side));
    request.u32(Math.ceil(within));
    this.#asked = true;
    try {
      return decodeDrawn(await this.#source.submit(Op.drawn, request.bytes(), call));
    } catch (thrown) {
      if (toBackstepError(thrown).code !== "unsupported") throw thrown;
      return undefined;
    }
  }

  /** See `Desktop.screenshot`. */
  async picture(area: Area, { into, ...call }: ScreenshotCall): Promise<Frame> {
    if (area.what === "window" && this.#source.outputsAlone) {
      const { window, part } = shownPart(
        area.window,
        await this.#source.windows(call),
        this.#source.screen,
      );
      return asWhole(await this.picture({ what: "rect", rect: part }, call), part, window);
    }
    const rect = area.what === "rect" ? area.rect : { x: 0, y: 0, width: 0, height: 0 };
    const request = new Request()
      .u32({ screen: 0, window: 1, rect: 2 }[area.what])
      .u32(area.what === "window" ? area.window : 0)
      .i32(Math.round(rect.x)).i32(Math.round(rect.y))
      .i32(Math.round(rect.width)).i32(Math.round(rect.height));
    const memory = into?.rgba.buffer;
    const how = memory instanceof ArrayBuffer ? { ...call, into: memory } : call;
    return decodeFrame(await this.#source.submit(Op.capture, request.bytes(), how));
  }
}
