import { Buffer } from "node:buffer";
import type { Deadline } from "../../../base/call.ts";
import type { Application, Desktop, Frame } from "../../../desktop/desktop.ts";
import { windowsOf } from "./view.ts";

/** Bytes of a picture that is handed out, as MCP clients take it. */
const MOST = 5_000_000;

/** A PNG picture of the window in front. */
export interface Picture {
  readonly png: Uint8Array;
  /** By how much it was made smaller so that it is handed out at all; 1: not at all. */
  readonly scaledDownBy: number;
}

/** Pictures the active window of an application, else the uppermost; undefined: it shows none. */
export async function pictureOf(
  desktop: Desktop,
  application: Application,
  deadline: Deadline,
): Promise<Picture | undefined> {
  const shown = (await windowsOf(desktop, application, deadline.call())).filter((one) => !one.minimised);
  const [window] = shown;
  if (window === undefined) return undefined;
  const frame = await desktop.screenshot({ what: "window", window: window.id }, deadline.call());
  return await fitting(frame, MOST);
}

/** The picture, at half its size as often as it takes to stay below so many bytes. */
export async function fitting(frame: Frame, most: number): Promise<Picture> {
  const { encodePng } = await import("../../../operations/png.ts");
  let picture = frame, scaledDownBy = 1, png = encodePng(picture);
  while (base64Length(png) > most && picture.width > 1 && picture.height > 1) {
    picture = halved(picture);
    scaledDownBy *= 2;
    png = encodePng(picture);
  }
  return { png, scaledDownBy };
}

export function base64(png: Uint8Array): string {
  return Buffer.from(png).toString("base64");
}

function base64Length(bytes: Uint8Array): number {
  return 4 * Math.ceil(bytes.length / 3);
}

/** Each pixel the mean of four. */
function halved({ width, height, rgba }: Frame): Frame {
  const [across, down] = [width >> 1, height >> 1];
  const smaller = new Uint8Array(4 * across * down);
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      for (let c = 0; c < 4; c++) {
        const at = 4 * (2 * y * width + 2 * x) + c;
        const sum = (rgba[at] ?? 0) + (rgba[at + 4] ?? 0) + (rgba[at + 4 * width] ?? 0) +
          (rgba[at + 4 * width + 4] ?? 0);
        smaller[4 * (y * across + x) + c] = sum >> 2;
      }
    }
  }
  return { width: across, height: down, rgba: smaller };
}
