import { BackstepError } from "../base/error.ts";
import { asksLevels, matchesTree, namesScrollBars } from "../checks/tree/match.ts";
import { type Tree, treeOf, type TreeOptions } from "../checks/tree/node.ts";
import type { TreePattern } from "../checks/tree/pattern.ts";
import { printTree } from "../checks/tree/print.ts";
import type { Context } from "../contract/operation.ts";
import { untilDeadline } from "../desktop/actions/read-back.ts";
import { meant } from "../desktop/locator/mod.ts";
import { applicationFor } from "./application.ts";
import { lookKept } from "./look-kept.ts";
import { readTree } from "./read-tree.ts";
import { locate, LOOK, look, type Target, targetText } from "./target.ts";

/** Milliseconds that a tree must stay the same before it becomes a baseline. */
const QUIET = 300;

/** Which tree is looked at, and how. */
export interface Watched {
  /** Default: the whole application. */
  readonly target?: Target | undefined;
  readonly app?: string | undefined;
  readonly exact?: boolean | undefined;
}

/** Reads the tree until it matches, or the time is over. */
export async function watched(context: Context, given: Watched, pattern: TreePattern, limit: number) {
  const options = { scrollBars: namesScrollBars(pattern) };
  const exact = given.exact === true;
  return await until(
    context,
    given,
    { limit, levels: asksLevels(pattern), options },
    (tree) => matchesTree(pattern, tree, { exact }),
  );
}

/** The tree once it has stayed the same for a while. */
export async function atRest(context: Context, given: Watched, limit: number): Promise<Tree> {
  let text = "";
  let since = performance.now();
  const { held, tree } = await until(
    context,
    given,
    { limit: limit + QUIET, levels: true, options: {} },
    (tree) => {
      const now = printTree(tree);
      if (now !== text) [text, since] = [now, performance.now()];
      return performance.now() - since >= QUIET;
    },
  );
  if (held) return tree;
  throw new BackstepError("timeout", `Cannot write down the tree: it never stayed the same for ${QUIET} ms`, {
    hint: "Give a `target:` that does not change, or list only the lasting parts in `matches:`.",
  });
}

interface Reading {
  readonly limit: number;
  readonly levels: boolean;
  readonly options: TreeOptions;
}

/** Reads the tree again and again until it is as wanted. Throws what a locator throws where there never was one. */
async function until(context: Context, given: Watched, reading: Reading, holds: (tree: Tree) => boolean) {
  const looking = { ...context, deadline: context.deadline.within(reading.limit + LOOK) };
  let gone: BackstepError | undefined;
  const { held, last } = await untilDeadline(
    context.desktop,
    async () => {
      try {
        return await readOnce(looking, given, reading);
      } catch (thrown) {
        if (!(thrown instanceof BackstepError) || !PASSES.has(thrown.code)) throw thrown;
        gone = thrown;
        return undefined;
      }
    },
    (tree) => tree !== undefined && holds(tree),
    context.deadline.within(reading.limit),
  );
  if (last !== undefined) return { held, tree: last };
  // Nothing, or too much, was there to the end: a locator says best what and why.
  if (given.target === undefined) throw gone;
  await locate(
    { ...context, deadline: context.deadline.within(PARTING) },
    withApp(given.target, given.app),
    "attached",
  );
  throw gone;
}

/** What may be otherwise at the next look: an application that starts, an element that comes. */
const PASSES: ReadonlySet<string> = new Set(["stale", "app_not_running", "app_gone", "not_found"]);
/** Milliseconds for saying why there is nothing to compare. */
const PARTING = 1_000;

/** One look; throws `not_found` unless there is exactly one element. */
async function readOnce(context: Context, given: Watched, { levels, options }: Reading): Promise<Tree> {
  const { target, app } = given;
  if (target === undefined) {
    const application = await applicationFor(context, app);
    return treeOf(await readTree(context, { application, element: undefined }, levels), options);
  }
  const where = withApp(target, app);
  // Where it begins is told by what is kept of the application; its tree is read afresh.
  const { application, snapshot, rows: all } = await lookKept(context, where) ??
    await look(context, where, ["extents"]);
  const rows = meant(snapshot, all);
  const [row] = rows;
  if (row === undefined || rows.length > 1) {
    const message = `Cannot compare the tree of ${targetText(target)}: ${rows.length} elements match`;
    throw new BackstepError("not_found", message);
  }
  return treeOf(await readTree(context, { application, element: snapshot.element(row) }, levels), options);
}

function withApp(target: Target, app: string | undefined): Target {
  if (app === undefined) return target;
  return typeof target === "string" ? { selector: target, app } : { app, ...target };
}
