import process from "node:process";
import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { align } from "../checks/tree/align.ts";
import type { Tree } from "../checks/tree/node.ts";
import { parseTree } from "../checks/tree/parse.ts";
import type { Pattern, TreePattern } from "../checks/tree/pattern.ts";
import { printTree } from "../checks/tree/print.ts";
import { type Baseline, writesBaseline } from "../contract/baselines.ts";
import { READS } from "../contract/effect.ts";
import { type Context, defineOperation } from "../contract/operation.ts";
import { Duration, milliseconds } from "./duration.ts";
import { Target, targetText } from "./target.ts";
import { unmatched } from "./unmatched-tree.ts";
import { atRest, watched } from "./watch-tree.ts";

const HEAD = "# Written by --update-baselines; lines may be changed, and expressions in them are kept.\n";

const input = z.strictObject({
  target: Target.optional().describe("The element to compare; default: the whole application."),
  app: z.string().min(1).optional().describe("The application, when no element is named."),
  matches: z.string().max(1_000_000).optional().superRefine((text, issues) => {
    const why = text === undefined ? undefined : faultOf(text);
    if (why !== undefined) issues.addIssue({ code: "custom", message: why });
  }).describe('The expected tree, in the tree notation: - button "Save" [enabled]'),
  baseline: z.string().min(1).max(300).optional().describe(
    "The name of a stored tree, instead of `matches`: `save` is baselines/save.tree.yaml.",
  ),
  exact: z.boolean().optional().describe(
    "Only the listed elements may exist. Default false: they must exist in this order, and others may " +
      "be between them.",
  ),
  timeout: Duration.optional().describe("How long it may take to match; default 5 s."),
}).superRefine((value, issues) => {
  if ((value.matches === undefined) !== (value.baseline === undefined)) return;
  issues.addIssue({
    code: "custom",
    path: [],
    message: "Say either `matches` or `baseline`; `read_tree` only reads a tree",
  });
});

/** What may be wrong with the notation, with line and column; the file says where it stands. */
function faultOf(text: string): string | undefined {
  try {
    parseTree(text);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof BackstepError)) throw thrown;
    return [thrown.message.replace(/^Cannot read the tree: /, ""), ...(thrown.hint ? [thrown.hint] : [])]
      .join(". ");
  }
}

const output = z.strictObject({
  passed: z.literal(true),
  failures: z.array(z.never()).describe(
    "Always empty: a tree that does not match is an error, which has this list in its details.",
  ),
  target: z.string(),
  lines: z.int().describe("The number of lines."),
  elements: z.int().describe("The number of elements that they were compared with."),
  waited_ms: z.int(),
  baseline: z.strictObject({
    uri: z.string().describe("baseline:save.tree.yaml"),
    written: z.enum(["no", "new", "changed"]),
  }).optional(),
});

/** Asserts what a tree of elements is. */
export const matchTree = defineOperation({
  name: "match-tree",
  title: "Fail unless a tree of elements matches a text",
  description:
    "Waits until the tree of an application or element matches a text in the tree notation, or a " +
    "stored baseline. When it fails, the error shows the lines that differ.",
  input,
  output,
  hints: READS,
  timeout: 120_000,
  views: {
    yaml: { verb: "tree" },
    cli: {
      command: "match-tree",
      positionals: [{ property: "target", name: "query", description: "The element", rest: true }],
      options: [
        { property: "matches", description: "The expected tree, in the tree notation" },
        { property: "baseline", description: "A stored tree: `save` is baselines/save.tree.yaml" },
        { property: "exact", kind: "boolean", description: "Nothing may be there beside what is listed" },
        { property: "timeout", kind: "time", description: "How long it may take to match; default 5s" },
      ],
      examples: [
        `backstep match-tree dialog --matches '- button "Save" [enabled]' --app gedit`,
        "backstep match-tree window --baseline calculator --app gnome-calculator",
      ],
      toText: ({ target, lines }) => `matches: ${target}, ${lines} lines`,
    },
  },
  resolve: () => Promise.resolve(undefined),
  effect: () => "read",
  subject: ({ target, app, baseline }) =>
    [target === undefined ? app ?? "the application" : targetText(target), baseline].filter(Boolean).join(
      " as ",
    ),
  async act(context, given) {
    const started = performance.now();
    const limit = milliseconds(given.timeout ?? 5_000);
    const target = given.target === undefined ? given.app ?? "the application" : targetText(given.target);
    const found = await compare(context, given, target, limit);
    return {
      passed: true as const,
      failures: [],
      target,
      ...found,
      waited_ms: Math.round(performance.now() - started),
    };
  },
});

type Given = z.infer<typeof input>;
type Found = Pick<z.infer<typeof output>, "lines" | "elements" | "baseline">;

async function compare(context: Context, given: Given, target: string, limit: number): Promise<Found> {
  const { baseline, exact = false } = given;
  if (baseline === undefined) {
    const pattern = parseTree(given.matches ?? "");
    const { tree, held } = await watched(context, given, pattern, limit);
    if (!held) throw unmatched(pattern, tree, exact, target, limit);
    return { lines: pattern.all.length, elements: tree.all.length };
  }
  const name = /\.tree\.yaml(\?|$)/.test(baseline) ? baseline : baseline.replace(/(?=\?|$)/, ".tree.yaml");
  const stored = await context.baselines.find(name, { platform: process.platform });
  if (stored === undefined) return await first(context, given, target, name, limit);
  const pattern = readStored(stored);
  const { tree, held } = await watched(context, given, pattern, limit);
  const { mode } = context.baselines;
  const { uri } = stored;
  if (!writesBaseline(mode, held ? "same" : "differs")) {
    if (!held) throw unmatched(pattern, tree, exact, target, limit, uri);
    return { lines: pattern.all.length, elements: tree.all.length, baseline: { uri, written: "no" } };
  }
  const settled = await atRest(context, given, limit);
  const text = updated(pattern, settled, exact);
  if (held && text === new TextDecoder().decode(stored.bytes)) {
    return { lines: pattern.all.length, elements: settled.all.length, baseline: { uri, written: "no" } };
  }
  await context.baselines.store(name, stored.variant, new TextEncoder().encode(text));
  context.progress(`wrote ${uri}`);
  return { lines: settled.all.length, elements: settled.all.length, baseline: { uri, written: "changed" } };
}

/** There is no baseline yet: it is made, where that is allowed. */
async function first(
  context: Context,
  given: Given,
  target: string,
  name: string,
  limit: number,
): Promise<Found> {
  if (!writesBaseline(context.baselines.mode, "missing")) {
    throw new BackstepError(
      "assertion",
      `Cannot confirm the tree of ${target}: there is no baseline ${name}`,
      {
        hint: "Run the workflow with `--update-baselines missing`, check the new baseline, and keep it.",
        details: { passed: false, failures: [{ property: "baseline", expected: name, actual: null }] },
      },
    );
  }
  const tree = await atRest(context, given, limit);
  const { uri } = await context.baselines.store(name, {}, new TextEncoder().encode(HEAD + printTree(tree)));
  context.progress(`wrote ${uri}`);
  return { lines: tree.all.length, elements: tree.all.length, baseline: { uri, written: "new" } };
}

function readStored({ uri, bytes }: Baseline): TreePattern {
  try {
    return parseTree(new TextDecoder().decode(bytes));
  } catch (thrown) {
    if (!(thrown instanceof BackstepError)) throw thrown;
    const message = `Cannot read ${uri}: ${thrown.message.replace(/^Cannot read the tree: /, "")}`;
    throw new BackstepError("invalid", message, {
      cause: thrown,
      ...defined({ hint: thrown.hint }),
    });
  }
}

/** The tree as it is now, with what of the baseline's expressions still holds. */
function updated(pattern: TreePattern, tree: Tree, exact: boolean): string {
  const { nodeOf } = align(pattern, tree, exact);
  const lineOf = new Map([...nodeOf].map(([line, node]): [typeof node, Pattern] => [node, line]));
  return HEAD + printTree(tree, { before: (node) => lineOf.get(node) });
}
