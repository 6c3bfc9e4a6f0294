import { BackstepError, type Json } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { diffTree } from "../checks/tree/diff.ts";
import type { Tree } from "../checks/tree/node.ts";
import type { TreePattern } from "../checks/tree/pattern.ts";
import { printTree } from "../checks/tree/print.ts";

/** Characters of a tree in an error's details. */
const MOST = 4_000;

/** The error of a tree that did not match in its time; `uri` names the baseline it was compared with. */
export function unmatched(
  pattern: TreePattern,
  tree: Tree,
  exact: boolean,
  target: string,
  limit: number,
  uri?: string,
): BackstepError {
  const diff = diffTree(pattern, tree, exact);
  const more = diff.wrong > 1 ? `, and ${diff.wrong - 1} more` : "";
  const as = uri === undefined ? "" : ` as ${uri}`;
  const cut = (text: string) => text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text;
  const failure: Json = { property: "tree", expected: diff.expected, actual: diff.actual };
  return new BackstepError(
    "assertion",
    `Cannot confirm the tree of ${target}${as}: ${diff.first}${more} (waited ${limit} ms)`.slice(0, 1_500),
    {
      hint: uri === undefined
        ? "`backstep tree --notation` prints what is there."
        : "If that is right now, `--update-baselines changed` writes it down.",
      details: {
        passed: false,
        failures: [failure],
        line: diff.line,
        diff: cut(diff.text),
        actual: cut(printTree(tree)),
        ...defined({ baseline: uri }),
      },
    },
  );
}
