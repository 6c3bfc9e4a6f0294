import { z } from "zod";
import { defined } from "../base/defined.ts";
import { WRITES } from "../contract/effect.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import { scrollBy } from "../desktop/actions/scroll.ts";
import { scrollIntoView } from "../desktop/actions/scroll-into-view.ts";
import { tellingScrollers } from "../desktop/actions/scroll-content.ts";
import { isGtk, isOffice, isWeb } from "../desktop/toolkits.ts";
import { scrollsOf } from "../participants/scroll.ts";
import { applicationFor } from "./application.ts";
import { Outcome, outcomeOf, outcomeText, subjectOf } from "./outcome.ts";
import { locate, type Match, Target } from "./target.ts";

/** Scrolls. */
export const scroll = defineOperation({
  name: "scroll",
  title: "Scroll an element, or scroll it into view",
  description:
    "Scrolls inside of an element by an amount. Without a direction, it scrolls until the element is visible.",
  input: z.strictObject({
    target: Target.optional().describe("The element to scroll, or to scroll to; default: the window."),
    direction: z.enum(["up", "down", "left", "right"]).optional().describe(
      "Default: until the element is visible.",
    ),
    amount: z.number().positive().max(100_000).optional().describe("Pixels; default 100."),
    app: z.string().min(1).optional().describe("The application, when no element is named."),
  }).refine((input) => input.target !== undefined || input.direction !== undefined, {
    message: "Say what to scroll to with `target`, or where to with `direction`",
  }),
  output: Outcome.extend({
    moved: z.boolean().describe("false: the end was reached, or it was already visible."),
  }),
  hints: { ...WRITES, destructive: false },
  views: {
    yaml: { verb: "scroll", scalar: (value) => ({ target: String(value) }) },
    cli: {
      command: "scroll",
      positionals: [{ property: "target", name: "query", description: "The element", rest: true }],
      options: [
        { property: "direction", description: "up, down, left or right; default: until it is visible" },
        { property: "amount", kind: "number", description: "Pixels; default 100" },
      ],
      examples: ["backstep scroll --direction down --amount 300", `backstep scroll 'row[name="Zoë"]'`],
      toText: (output) => outcomeText("scrolled", output),
    },
  },
  resolve: async (context, input) =>
    input.target === undefined ? await windowOf(context, input.app) : await toScroll(context, input.target),
  effect: () => "restorable",
  reaches: () => [],
  protects: (_input, match) => scrollsOf(match),
  subject: (_input, match) => subjectOf(match),
  async act(context, input, match) {
    const { desktop, deadline } = context;
    if (input.direction === undefined) {
      const done = await scrollIntoView(desktop, match.element, deadline);
      return { ...outcomeOf(match, done), moved: done.method !== "none" };
    }
    const { direction, amount = 100 } = input;
    const done = await scrollBy(desktop, match.element, direction, amount, deadline, match);
    return { ...outcomeOf(match, done), moved: done.moved };
  },
});

/**
 * What scrolls an element of GTK is a bar beside it. In a page it is told by where things lie, which is asked of what may scroll
 * it and what that holds; elsewhere of the whole tree.
 */
async function toScroll(context: Context, target: Target): Promise<Match> {
  const app = typeof target === "string" ? undefined : target.app;
  const application = await applicationFor(context, app);
  const kept = () => locate(context, target, "attached", [], undefined, { kept: "attached" });
  if (isGtk(application) && !isOffice(application)) return await kept();
  const placed = isWeb(application) ? await withScrollers(context, await kept()) : undefined;
  return placed ?? await locate(context, target, "attached", ["extents"]);
}

/** A match in a page, with places for all that tells what scrolls it; undefined: that is to be seen in the whole tree. */
async function withScrollers({ desktop, deadline }: Context, match: Match): Promise<Match | undefined> {
  const { snapshot, row } = match;
  if (snapshot.origin.source === "application") return match;
  const rows = tellingScrollers(snapshot, row);
  const now = await desktop.refresh?.(snapshot, rows, { ...deadline.call(), shows: false, unread: true });
  return now && { ...match, snapshot: now.snapshot, ...defined({ readAt: now.readAt }) };
}

/** The window in front, or the application's first one. */
async function windowOf(context: Context, app: string | undefined): Promise<Match> {
  const application = await applicationFor(context, app);
  const snapshot = await context.desktop.snapshot(application, {
    ...context.deadline.call(),
    fields: ["extents", "id"],
  });
  const windows = snapshot.children(0);
  const row = windows.find((w) => snapshot.has(w, "active")) ?? windows[0] ?? 0;
  return { application, snapshot, row, element: snapshot.element(row) };
}
