import process from "node:process";
import { createInterface } from "node:readline/promises";
import { Deadline } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import { BackstepError } from "../../base/error.ts";
import { describeAncestors, describeRow } from "../../desktop/describe.ts";
import type { Application, SnapshotField } from "../../desktop/desktop.ts";
import type { RankedLocator } from "../../desktop/ranking/mod.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { harmless } from "../../report/style.ts";
import type { Session } from "../../session/session.ts";
import { usage } from "../arguments.ts";
import type { Arguments, Command } from "../command.ts";
import { ON_ONE_DESKTOP } from "../desktop-options.ts";
import type { Io } from "../io.ts";
import { isTerminal, write } from "../terminal.ts";
import { onOneDesktop } from "../with-session.ts";

/** What locators are made of. */
const FIELDS: readonly SnapshotField[] = ["extents", "id", "attributes", "relations"];
/** Elements that a query lists. */
const MOST_MATCHES = 20;

/** A place of the screen. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** `backstep selector <query> | --pick | --at <x>,<y>`. */
export const selector: Command = {
  name: "selector",
  summary: "List selectors of the element under the pointer, or what a selector matches",
  details: [
    "--pick waits until you have moved the pointer to an element and pressed Enter in the terminal. --at takes " +
    "a place of the screen instead. Both list selectors that match this element and no other. The first will " +
    "last longest: an id before role and name, a label, a description, a row or column; a number among others " +
    "comes last.",
    "Where the accessibility tree and the application disagree on what lies there, both elements are listed, " +
    "the likelier first.",
    "With a selector it lists what that matches. The exit code is 0 for exactly one element, else 1.",
  ],
  positionals: [{
    name: "selector",
    description: "As in workflow files: 'button[name=\"Save\"]'",
    required: false,
  }],
  options: [
    {
      name: "app",
      kind: "string",
      value: "<name>",
      description: "The application: its name, id or process id",
    },
    { name: "pick", kind: "boolean", description: "The element under the pointer, once you press Enter" },
    {
      name: "at",
      kind: "string",
      value: "<x>,<y>",
      description: "The element at this place of the screen, in pixels",
    },
    ...ON_ONE_DESKTOP,
  ],
  examples: [
    "backstep selector --app gedit --pick",
    "backstep selector --app gedit --at 640,300 --format json",
    `backstep selector 'button[name="Save"]' --app gedit`,
  ],
  async run(args, io) {
    const query = args.positionals[0];
    const at = pointOf(args);
    const pick = args.boolean("pick");
    if ([query !== undefined, at !== undefined, pick].filter(Boolean).length !== 1) {
      throw usage(selector, "it takes a selector, --pick or --at, one of them");
    }
    if (pick && process.stdin.isTTY !== true) {
      throw usage(selector, "--pick needs a terminal to press Enter in", "Use --at X,Y in scripts.");
    }
    const { applicationFor } = await import("../../operations/application.ts");
    const app = args.string("app");
    return await onOneDesktop(selector, args, io, defined({ app }), async (session, stop) => {
      const { desktop } = session;
      const place = pick ? await picked(session, stop) : at;
      const deadline = Deadline.after(20_000, stop);
      const application = await applicationFor({ session, desktop, deadline, app }, undefined);
      return place === undefined
        ? await matches(session, application, query ?? "", deadline, io)
        : await locators(session, application, place, deadline, io);
    });
  },
};

function pointOf(args: Arguments): Point | undefined {
  const text = args.string("at");
  if (text === undefined) return undefined;
  const [, x, y] = /^\s*(-?\d{1,6})\s*,\s*(-?\d{1,6})\s*$/.exec(text) ?? [];
  if (x === undefined || y === undefined) {
    throw usage(selector, `--at wants a place such as 640,300, not "${text}"`);
  }
  return { x: Number(x), y: Number(y) };
}

/** Where a person has put the pointer. */
async function picked(session: Session, signal: AbortSignal): Promise<Point> {
  if (session.pointer === undefined) {
    throw new BackstepError(
      "unsupported",
      "Cannot pick an element: this desktop does not tell where the pointer is",
      {
        hint: "Use --at X,Y. Only X11 tells it.",
      },
    );
  }
  const question = createInterface({
    input: process.stdin,
    ...(isTerminal("stderr") ? { output: process.stderr } : {}),
    terminal: false,
  });
  try {
    if (isTerminal("stderr")) write("stderr", "Move the pointer to the element and press Enter here. ");
    await question.question("", { signal });
  } finally {
    question.close();
  }
  const at = await session.pointer({ signal });
  if (at === undefined) {
    throw new BackstepError("not_found", "Cannot pick an element: the pointer is on another screen");
  }
  return at;
}

async function locators(
  { desktop }: Session,
  application: Application,
  at: Point,
  deadline: Deadline,
  io: Io,
): Promise<number> {
  const { Ranker, rowsAt } = await import("../../desktop/ranking/mod.ts");
  const snapshot = await desktop.snapshot(application, { ...deadline.call(), fields: FIELDS });
  const rows = await rowsAt(desktop, application, snapshot, at, deadline.call());
  const ranker = new Ranker(snapshot);
  const elements = rows.map((row) => ({ ...elementOf(snapshot, row), locators: ranker.candidates(row) }));
  io.json({ application: application.name, at, agreed: rows.length < 2, elements });
  if (elements.length === 0) {
    io.text(`nothing of ${harmless(application.name)} lies at ${at.x},${at.y}\n`);
    return 1;
  }
  for (const [k, { element, in: around, locators: found }] of elements.entries()) {
    const unsure = k > 0 ? io.style.dim("or, as the other way to look says: ") : "";
    io.text(`${unsure}${harmless(element)}${around === "" ? "" : io.style.dim(harmless(` in ${around}`))}\n`);
    for (const one of found) io.text(line(one, io));
    if (found.length === 0) io.text("  nothing short tells it from others\n");
  }
  return 0;
}

function line({ selector: text, score, by }: RankedLocator, io: Io): string {
  return `${String(score).padStart(7)}  ${harmless(text)}  ${io.style.dim([...new Set(by)].join(", "))}\n`;
}

/** Lists what a selector matches; answers 0 for exactly one element, else 1. */
export async function matches(
  { desktop }: Session,
  application: Application,
  query: string,
  deadline: Deadline,
  io: Io,
): Promise<number> {
  const { fieldsOfRead, find, readSelector } = await import("../../desktop/selector/mod.ts");
  const read = readSelector(query);
  const fields = [...new Set([...fieldsOfRead(read), "extents" as const])];
  const snapshot = await desktop.snapshot(application, { ...deadline.call(), fields });
  const { rows, strategy } = find(read, snapshot);
  const elements = rows.slice(0, MOST_MATCHES).map((row) => elementOf(snapshot, row));
  io.json({ application: application.name, selector: query, strategy, count: rows.length, elements });
  io.text(`${rows.length} matched, read as ${strategy}\n`);
  for (const { element, in: around } of elements) {
    io.text(`  ${harmless(element)}${around === "" ? "" : io.style.dim(harmless(` in ${around}`))}\n`);
  }
  if (rows.length > elements.length) io.text(io.style.dim(`  and ${rows.length - elements.length} more\n`));
  return rows.length === 1 ? 0 : 1;
}

function elementOf(snapshot: Snapshot, row: number) {
  const bounds = snapshot.rect(row);
  return {
    element: describeRow(snapshot, row),
    in: describeAncestors(snapshot, row),
    ...defined({ bounds }),
  };
}
