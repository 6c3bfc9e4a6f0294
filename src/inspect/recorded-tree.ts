import { buildSnapshot, type NodeDescription } from "../desktop/build.ts";
import { allRoles, type RoleName } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import type { StateName } from "../desktop/states.ts";

/** A line of a tree as a run keeps it: role, name, states, text or number. */
const LINE =
  /^( *)([a-z][\w-]*)(?: "((?:[^"\\]|\\.)*)")?(?: \[([\w\- ]+)\])?(?:: (?:"((?:[^"\\]|\\.)*)"|(-?[\d.e+-]+)))?/;

/** The states of a snapshot for the words of a line. */
const ALSO: Readonly<Record<string, StateName>> = {
  focused: "focused",
  checked: "checked",
  pressed: "pressed",
  selected: "selected",
  expanded: "expanded",
  collapsed: "collapsed",
  required: "required",
  busy: "busy",
  modal: "modal",
  active: "active",
  indeterminate: "indeterminate",
  invalid: "invalidEntry",
};
const WITHOUT: Readonly<Record<string, readonly StateName[]>> = {
  disabled: ["enabled", "sensitive"],
  hidden: ["showing", "visible"],
};

/** What of a line says that its text can be changed. */
const EDITABLE: ReadonlySet<string> = new Set(["textfield", "passwordfield", "spinbutton"]);

const ROLES: ReadonlyMap<string, RoleName | number> = new Map(
  [
    ...allRoles.flatMap(({ words, role }) => words.map((word) => [word, role] as const)),
    ...allRoles.toReversed().map(({ word, role }) => [word, role] as const),
  ],
);

interface Node {
  readonly depth: number;
  readonly own: NodeDescription;
  readonly children: Node[];
}

/** A tree that was kept as lines, as one that selectors can be tried in, and the line of each of its rows. */
export interface RecordedTree {
  readonly snapshot: Snapshot;
  readonly lineOf: readonly number[];
}

/**
 * Reads the lines of a tree that was kept. Roles, names, states, texts and what lies in what are in them; places, ids and boxes
 * without a name are not.
 */
export function recordedTree(lines: readonly string[]): RecordedTree {
  const root: Node = { depth: -1, own: { role: "application", name: "recorded" }, children: [] };
  const around: Node[] = [root];
  const lineOf: number[] = [-1];
  for (const [line, text] of lines.entries()) {
    const node = nodeOf(text);
    if (node === undefined) continue;
    while ((around.at(-1)?.depth ?? -1) >= node.depth && around.length > 1) around.pop();
    around.at(-1)?.children.push(node);
    around.push(node);
    lineOf.push(line);
  }
  const application = { bus: ":0", name: "recorded", pid: 0, toolkit: "", toolkitVersion: "" };
  return { snapshot: buildSnapshot(described(root), application), lineOf };
}

function described({ own, children }: Node): NodeDescription {
  return { ...own, children: children.map(described) };
}

function nodeOf(text: string): Node | undefined {
  const [all, indent = "", word = "", name, states = "", value, number] = LINE.exec(text) ?? [];
  const role = ROLES.get(word);
  if (all === undefined || role === undefined) return undefined;
  const words = states.split(" ");
  const reported = value === undefined ? undefined : unquoted(value);
  const current = number === undefined ? undefined : Number(number);
  return {
    depth: indent.length / 2,
    children: [],
    own: {
      role,
      ...(name === undefined ? {} : { name: unquoted(name) }),
      also: [
        ...words.flatMap((one) => ALSO[one] ?? []),
        ...(word === "textarea" ? ["multiLine" as const, "editable" as const] : []),
        ...(EDITABLE.has(word) ? ["editable" as const] : []),
      ],
      without: words.flatMap((one) => WITHOUT[one] ?? []),
      ...(reported === undefined ? {} : { text: reported }),
      ...(current === undefined ? {} : { value: { current, minimum: NaN, maximum: NaN, step: 0 } }),
    },
  };
}

function unquoted(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, one: string) => one === "n" ? "\n" : one === "t" ? "\t" : one);
}
