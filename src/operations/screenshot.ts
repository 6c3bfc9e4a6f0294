import { stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Buffer } from "node:buffer";
import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { LOOKS } from "../contract/effect.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import type { Application, Area, Frame, Rect, Window } from "../desktop/desktop.ts";
import { intersection, visiblePart } from "../desktop/hands/visible.ts";
import { raise } from "../desktop/hands/window.ts";
import { centre, contains } from "../desktop/rect.ts";
import { labelOf } from "../participants/element.ts";
import { applicationFor } from "./application.ts";
import { asFault, confine, isMissing } from "./confine.ts";
import { encodePng } from "./png.ts";
import { locate, Target, targetText } from "./target.ts";

const pixel = z.int().min(-100_000).max(100_000);
const Region = z.strictObject({
  x: pixel,
  y: pixel,
  width: z.int().min(1).max(100_000),
  height: z.int().min(1).max(100_000),
});

/** Pictures the screen, a window, an element or a region. */
export const screenshot = defineOperation({
  name: "screenshot",
  title: "Take a picture of the screen, a window or an element",
  description:
    "Pictures the screen, an application's window, an element or a region, as a PNG file or in the answer.",
  input: z.strictObject({
    app: z.string().min(1).optional().describe("The application whose window; default: the whole screen."),
    window: z.int().min(0).optional().describe("Which of its windows, from 0; default: the one in front."),
    target: Target.optional().describe("An element."),
    region: Region.optional().describe("A part, from the upper left corner of the window or screen."),
    path: z.string().min(1).max(4_000).optional().describe(
      "A file below the folder of the workflow, in a folder that exists.",
    ),
    inline: z.boolean().optional().describe("The PNG in the answer, in base64. Default false."),
  }),
  output: z.strictObject({
    width: z.int(),
    height: z.int(),
    path: z.string().optional(),
    mime_type: z.literal("image/png"),
    data: z.string().optional().describe("Base64."),
  }),
  hints: LOOKS,
  views: {
    yaml: { verb: "screenshot", scalar: (value) => ({ path: String(value) }) },
    cli: {
      command: "screenshot",
      positionals: [],
      options: [
        { property: "path", name: "output", kind: "path", description: "The file to write" },
        { property: "target", name: "element", description: "Only this element" },
        { property: "window", kind: "number", description: "Which window, from 0" },
        { property: "inline", kind: "boolean", description: "Base64 in the answer" },
      ],
      examples: ["backstep screenshot --app gedit --output gedit.png"],
      toText: (output) => {
        const parsed = z.looseObject({ width: z.number(), height: z.number(), path: z.string().optional() })
          .safeParse(output);
        if (!parsed.success) return JSON.stringify(output);
        const { width, height, path } = parsed.data;
        return `${width}x${height}${path === undefined ? "" : ` ${path}`}`;
      },
    },
  },
  resolve: async (context, input) => {
    if (input.path !== undefined) {
      await requireFolder(await confine(context, input.path, "write"), input.path);
    }
    return input.target === undefined
      ? undefined
      : await locate(context, input.target, "attached", ["extents"]);
  },
  effect: () => "read",
  subject: (input) => input.target === undefined ? input.app ?? "screen" : targetText(input.target),
  async act(context, input, match) {
    const { desktop, deadline } = context;
    let area: Area;
    let within: Window | undefined;
    if (match === undefined) area = await areaOf(context, input.app, input.window);
    else {
      const rect = visiblePart(match.snapshot, match.row);
      if (rect === undefined) {
        throw new BackstepError(
          "not_actionable",
          `Cannot picture ${labelOf(match)}: it is not on the screen`,
        );
      }
      area = { what: "rect", rect };
      // In the background it is cut out of what its window shows, whatever lies over that.
      if (desktop.mode === "background") within = await windowUnder(context, match.application, rect);
      else await raise(desktop, match.application, deadline);
    }
    const wanted = await part(context, area, input.region);
    const frame = within === undefined || wanted.what !== "rect"
      ? await desktop.screenshot(wanted, deadline.call())
      : cutOut(
        await desktop.screenshot({ what: "window", window: within.id }, deadline.call()),
        within.rect,
        wanted.rect,
      );
    const png = encodePng(frame);
    const path = input.path === undefined ? undefined : await confine(context, input.path, "write");
    if (path !== undefined) {
      try {
        await writeFile(path, png);
      } catch (thrown) {
        throw asFault(thrown, "write", input.path ?? path);
      }
    }
    return {
      width: frame.width,
      height: frame.height,
      ...(path === undefined ? {} : { path }),
      mime_type: "image/png" as const,
      ...(input.inline === true ? { data: Buffer.from(png).toString("base64") } : {}),
    };
  },
});

/** Before the picture is taken: a folder that is misspelt is not made. */
async function requireFolder(path: string, given: string): Promise<void> {
  try {
    if ((await stat(dirname(path))).isDirectory()) return;
  } catch (thrown) {
    if (!isMissing(thrown)) throw asFault(thrown, "write", given);
  }
  throw new BackstepError("io", `Cannot write ${given}: there is no folder ${dirname(given)}`, {
    hint: "Make the folder first.",
  });
}

async function areaOf(context: Context, app: string | undefined, index: number | undefined): Promise<Area> {
  if (app === undefined && context.app === undefined) return { what: "screen" };
  const application = await applicationFor(context, app);
  const windows = (await context.desktop.windows(context.deadline.call()))
    .filter((w) => w.pid === application.pid && !w.popup);
  const window = index === undefined ? windows.find((w) => w.active) ?? windows[0] : windows[index];
  if (window !== undefined) return { what: "window", window: window.id };
  throw new BackstepError(
    "not_found",
    `Cannot picture window ${index ?? 0} of ${application.name}: it has ${windows.length}`,
  );
}

/** The window of an application that a rectangle of the screen belongs to. */
async function windowUnder(context: Context, application: Application, rect: Rect): Promise<Window> {
  const { x, y } = centre(rect);
  const windows = await context.desktop.windows(context.deadline.call());
  const under = windows.findLast((w) => w.pid === application.pid && !w.minimised && contains(w.rect, x, y));
  if (under !== undefined) return under;
  throw new BackstepError(
    "not_actionable",
    `Cannot picture a part of ${application.name}: no window shows it`,
  );
}

/** The part of a window's picture that shows a rectangle of the screen. */
function cutOut(frame: Frame, window: Rect, rect: Rect): Frame {
  const shown = { ...window, width: frame.width, height: frame.height };
  const { x, y, width, height } = intersection(rect, shown) ?? { ...shown, width: 0, height: 0 };
  const rgba = new Uint8Array(4 * width * height);
  for (let row = 0; row < height; row++) {
    const from = 4 * ((y - window.y + row) * frame.width + (x - window.x));
    rgba.set(frame.rgba.subarray(from, from + 4 * width), 4 * width * row);
  }
  return { width, height, rgba };
}

/** A region counts from the corner of what it is a part of. */
async function part(context: Context, area: Area, region: Rect | undefined): Promise<Area> {
  if (region === undefined) return area;
  if (area.what === "screen") return { what: "rect", rect: region };
  const within = area.what === "rect"
    ? area.rect
    : (await context.desktop.windows(context.deadline.call())).find((w) => w.id === area.window)?.rect;
  if (within === undefined) throw new BackstepError("not_found", "Cannot picture the window: it is gone");
  return { what: "rect", rect: { ...region, x: within.x + region.x, y: within.y + region.y } };
}
