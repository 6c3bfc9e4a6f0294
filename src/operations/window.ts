import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { WRITES } from "../contract/effect.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import type { Application, Window, WindowAction } from "../desktop/desktop.ts";
import { changeWindow } from "../desktop/actions/window-action.ts";
import { windowOf } from "../participants/window.ts";
import { windowOwnerFor } from "./application.ts";
import { Outcome, outcomeText } from "./outcome.ts";

const Side = z.int().min(-32_768).max(32_767);
const Length = z.int().min(1).max(32_767);

const input = z.strictObject({
  do: z.enum(["activate", "close", "minimise", "restore", "place"]).describe("What to do with it."),
  app: z.string().min(1).optional().describe("The application."),
  title: z.string().min(1).optional().describe(
    "The title of the window; default: the active one, or the application's last one.",
  ),
  x: Side.optional().describe("For `place`: its left edge, in pixels of the screen."),
  y: Side.optional().describe("For `place`: its upper edge."),
  width: Length.optional().describe("For `place`."),
  height: Length.optional().describe("For `place`."),
}).superRefine((value, issues) => {
  const sides = [value.x, value.y, value.width, value.height].some((side) => side !== undefined);
  if (sides === (value.do === "place")) return;
  const message = sides ? "Only `place` takes a place" : "Say at least one of x, y, width, height";
  issues.addIssue({ code: "custom", path: ["do"], message });
});

interface Goal {
  readonly application: Application;
  readonly window: Window;
}

/** Moves, minimises, restores, raises or closes a window. */
export const window = defineOperation({
  name: "window",
  title: "Place, minimise, restore, raise or close a window",
  description:
    "Places, minimises, restores, activates or closes a window through the window manager, and reads " +
    "the result back. What an application does when its window is closed is not known beforehand.",
  input,
  output: Outcome,
  hints: WRITES,
  views: {
    yaml: { verb: "window", scalar: (value) => ({ do: String(value) }) },
    cli: {
      command: "window",
      positionals: [
        { property: "do", description: "activate, close, minimise, restore or place", required: true },
      ],
      options: [
        { property: "title", description: "The title of the window" },
        { property: "x", kind: "number", description: "Its left edge" },
        { property: "y", kind: "number", description: "Its upper edge" },
        { property: "width", kind: "number", description: "In pixels" },
        { property: "height", kind: "number", description: "In pixels" },
      ],
      examples: ["backstep window minimise --app gedit", "backstep window place --x 0 --y 0 --app gedit"],
      toText: (output) => outcomeText("changed", output),
    },
  },
  async resolve(context, given): Promise<Goal> {
    const application = await windowOwnerFor(context, given.app);
    return { application, window: await windowFor(context, application, given.title) };
  },
  effect: (given) => given.do === "close" ? "irreversible" : "restorable",
  reaches: (given, { application, window: { id, title } }) =>
    given.do === "close" ? [{ by: "close", application, id, title }] : [],
  protects: (given, { window }) => given.do === "close" ? [] : [windowOf(window)],
  subject: (given, { application, window }) => `${given.do} ${nameOf(window)} of ${application.name}`,
  async act(context, given, { application, window }) {
    const done = await changeWindow(context.desktop, window, actionOf(given), context.deadline);
    return {
      target: nameOf(window),
      app: application.name,
      method: done.method,
      verified: done.verified,
      ...(done.tried.length === 0 ? {} : { tried: done.tried.map((t) => ({ ...t })) }),
    };
  },
});

function actionOf({ do: verb, x, y, width, height }: z.infer<typeof input>): WindowAction {
  if (verb !== "place") return { do: verb };
  return {
    do: "place",
    ...defined({ x, y, width, height }),
  };
}

function nameOf({ title }: Window): string {
  return `window ${JSON.stringify(title.slice(0, 60))}`;
}

/** The application's window of this title; without one the active one, else the topmost. */
async function windowFor(
  context: Context,
  application: Application,
  title: string | undefined,
): Promise<Window> {
  const windows = await context.desktop.windows(context.deadline.call());
  const own = windows.filter((one) => one.pid === application.pid && !one.popup);
  const titled = title === undefined ? own : own.filter((one) => one.title === title);
  const found = title === undefined ? own.find((one) => one.active) ?? own.at(-1) : titled[0];
  if (found !== undefined && (title === undefined || titled.length === 1)) return found;
  throw new BackstepError(
    titled.length > 1 ? "ambiguous" : "not_found",
    titled.length > 1
      ? `Cannot tell which window is meant: ${titled.length} of ${application.name} are called so`
      : `Cannot find a window of ${application.name}${
        title === undefined ? "" : ` called ${JSON.stringify(title)}`
      }`,
    { details: { windows: own.slice(0, 10).map((one) => one.title.slice(0, 100)) } },
  );
}
