import { z } from "zod";
import { defined } from "../base/defined.ts";
import { READS } from "../contract/effect.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import type { Application, ElementRef } from "../desktop/desktop.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { shownRows } from "../desktop/shown-rows.ts";
import { treeOf } from "../checks/tree/node.ts";
import { printTree } from "../checks/tree/print.ts";
import { applicationFor } from "./application.ts";
import { ElementInfo, infoOf, infoText, READ_TEXT } from "./element-info.ts";
import { readTree } from "./read-tree.ts";
import { locate, Target, targetText } from "./target.ts";

/** Elements shown unless more are asked for. */
const NODES = 2_000;
/** Milliseconds that where to start is waited for: a tree is read to see what is there now. */
const COMES = 2_000;

const Node = ElementInfo.extend({
  get children() {
    return z.array(Node).optional();
  },
});
type Node = z.infer<typeof Node>;
const Tree = ElementInfo.extend({
  children: z.array(Node).optional(),
  app: z.string(),
  nodes: z.int().describe("Elements shown."),
  notation: z.string().optional().describe(
    "The tree in the notation of `match-tree`, when it was asked for.",
  ),
  cut: z.array(z.string()).describe('What was left out: "depth", "nodes", "hidden"…; empty: nothing.'),
});

/** Where to start. */
interface Root {
  readonly application: Application;
  readonly element: ElementRef | undefined;
}

/** The tree of an application, or below an element. */
export const tree = defineOperation({
  name: "tree",
  title: "Show the tree of elements, of an application or below one of them",
  description:
    "Reads the tree of an application, or the part below an element: roles, names, values and states. " +
    "Says what was cut.",
  input: z.strictObject({
    target: Target.optional().describe("Where to start; default: the whole application."),
    depth: z.int().min(0).max(255).optional().describe("Levels below the start; default 5."),
    all: z.boolean().optional().describe("Include hidden elements. Default false."),
    limit: z.int().min(1).max(100_000).optional().describe(`Elements; default ${NODES}.`),
    app: z.string().min(1).optional().describe("The application, when no element is named."),
    notation: z.boolean().optional().describe(
      "Return the whole tree as a text for `match-tree` instead of as children, without places and passwords.",
    ),
  }),
  output: Tree,
  hints: READS,
  timeout: 20_000,
  views: {
    yaml: { verb: "read_tree", scalar: (target) => ({ target: String(target) }) },
    cli: {
      command: "tree",
      positionals: [{ property: "target", name: "query", description: "Where to start", rest: true }],
      options: [
        { property: "depth", kind: "number", description: "Levels; default 5" },
        { property: "all", kind: "boolean", description: "Hidden elements too" },
        { property: "limit", kind: "number", description: `Elements; default ${NODES}` },
        {
          property: "notation",
          kind: "boolean",
          description: "In the notation that `tree:` steps and baselines compare with",
        },
      ],
      examples: [
        "backstep tree --app gedit --depth 3",
        "backstep tree dialog --notation --app gedit > baselines/save.tree.yaml",
        "backstep tree --format json | jq '.children[0]'",
      ],
      toText: (output) => output.notation ?? text(output, output.cut),
    },
  },
  async resolve(context, input): Promise<Root> {
    if (input.target === undefined) {
      return { application: await applicationFor(context, input.app), element: undefined };
    }
    return await locate(context, input.target, "attached", [], COMES);
  },
  effect: () => "read",
  subject: (input, root) => input.target === undefined ? root.application.name : targetText(input.target),
  async act(context, input, root) {
    if (input.notation === true) return await inNotation(context, root);
    const snapshot = await read(context, root, input.depth ?? 5);
    const budget = { left: input.limit ?? NODES, hidden: false };
    const node = nodeOf(snapshot, 0, input.all === true ? undefined : shownRows(snapshot), budget);
    const cut = [
      ...snapshot.origin.cut,
      ...(budget.left <= 0 ? ["nodes"] : []),
      ...(budget.hidden ? ["hidden"] : []),
    ];
    const nodes = (input.limit ?? NODES) - budget.left;
    return { ...node, app: root.application.name, nodes, cut: [...new Set(cut)] };
  },
});

async function inNotation(context: Context, root: Root) {
  const snapshot = await readTree(context, root);
  const found = treeOf(snapshot);
  const { application } = root;
  return {
    ...infoOf(snapshot, 0),
    app: application.name,
    nodes: found.all.length,
    cut: [...snapshot.origin.cut],
    notation: printTree(found),
  };
}

async function read(context: Context, { application, element }: Root, depth: number): Promise<Snapshot> {
  return await context.desktop.snapshot(application, {
    ...context.deadline.call(),
    ...defined({ root: element }),
    fields: ["extents", "text", "value", "id", "selection"],
    maxDepth: depth,
    maxText: READ_TEXT,
  });
}

function nodeOf(
  snapshot: Snapshot,
  row: number,
  shown: Uint8Array | undefined,
  budget: { left: number; hidden: boolean },
): Node {
  budget.left--;
  const children: Node[] = [];
  for (const child of snapshot.children(row)) {
    if (shown !== undefined && shown[child] !== 1) budget.hidden = true;
    else if (budget.left > 0) children.push(nodeOf(snapshot, child, shown, budget));
  }
  return { ...infoOf(snapshot, row), ...(children.length === 0 ? {} : { children }) };
}

function text(root: Node, cut: readonly string[]): string {
  const lines: string[] = [];
  const write = (node: Node, depth: number) => {
    lines.push(`${"  ".repeat(depth)}- ${infoText(node)}`);
    for (const child of node.children ?? []) write(child, depth + 1);
  };
  write(root, 0);
  const left = cut.filter((what) => what !== "hidden");
  if (left.length > 0) lines.push(`(cut: ${left.join(", ")})`);
  return lines.join("\n");
}
