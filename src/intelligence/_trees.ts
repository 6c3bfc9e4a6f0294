import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { defined } from "../base/defined.ts";
import { buildSnapshot, type NodeDescription } from "../desktop/build.ts";
import { EMBEDDED } from "../desktop/content.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { hasState, State, type StateName } from "../desktop/states.ts";

const folder = fileURLToPath(new URL("_trees/", import.meta.url));

/** A node as it is written down: what is empty is left out. */
const Node = z.strictObject({
  /** Levels below the root. */
  d: z.number(),
  /** AtspiRole. */
  r: z.number(),
  /** The two words of its states. */
  s: z.tuple([z.number(), z.number()]),
  n: z.string().optional(),
  about: z.string().optional(),
  id: z.string().optional(),
  text: z.string().optional(),
  at: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
  value: z.tuple([z.number(), z.number(), z.number()]).optional(),
  attributes: z.record(z.string(), z.string()).optional(),
});
type Node = z.infer<typeof Node>;

const Tree = z.strictObject({
  toolkit: z.string(),
  toolkitVersion: z.string(),
  name: z.string(),
  nodes: z.array(Node),
});

/** Text of a document that matters to nobody. */
const MOST = 80;
/** Attributes that say something; the others are the toolkit's own business. */
const KEPT = new Set(["xml-roles", "text-input-type", "placeholder-text", "placeholder"]);

/** Names of the recorded trees. */
export function treeNames(): string[] {
  return readdirSync(folder).map((file) => file.replace(/\.json$/, "")).sort();
}

/** Writes a snapshot of a real application down. */
export function writeTree(name: string, snapshot: Snapshot): void {
  const nodes = Array.from({ length: snapshot.size }, (_, row): Node => {
    const rect = snapshot.rect(row), value = snapshot.value(row);
    const text = snapshot.text(row)?.replaceAll(EMBEDDED, "").slice(0, MOST) ?? "";
    const attributes = Object.entries(snapshot.attributes(row)).filter(([key]) => KEPT.has(key));
    return {
      d: snapshot.depth(row),
      r: snapshot.role(row),
      s: [snapshot.statesLow(row), snapshot.statesHigh(row)],
      ...(snapshot.name(row) === "" ? {} : { n: snapshot.name(row).slice(0, MOST) }),
      ...(snapshot.description(row) === "" ? {} : { about: snapshot.description(row).slice(0, MOST) }),
      ...(snapshot.id(row) === "" ? {} : { id: snapshot.id(row) }),
      ...(text === "" ? {} : { text }),
      ...(rect === undefined ? {} : { at: [rect.x, rect.y, rect.width, rect.height] }),
      ...(value === undefined
        ? {}
        : { value: [finite(value.current), finite(value.minimum), finite(value.maximum)] }),
      ...(attributes.length === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
    };
  });
  const { toolkit, toolkitVersion, name: app } = snapshot.origin.application;
  const head = JSON.stringify({ toolkit, toolkitVersion, name: app }).slice(0, -1);
  const lines = nodes.map((node) => JSON.stringify(node)).join(",\n");
  writeFileSync(`${folder}${name}.json`, `${head},"nodes":[\n${lines}\n]}\n`);
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}

const stateNames: readonly StateName[] = Object.keys(State).filter(isState);

function isState(name: string): name is StateName {
  return Object.hasOwn(State, name);
}

/** A recorded tree as the snapshot that it was. */
export function readTree(name: string): Snapshot {
  const tree = Tree.parse(JSON.parse(readFileSync(`${folder}${name}.json`, "utf8")));
  let at = 0;
  const take = (): NodeDescription => {
    const node = tree.nodes[at++];
    if (node === undefined) throw new Error(`${name} ends early`);
    const children: NodeDescription[] = [];
    while ((tree.nodes[at]?.d ?? -1) > node.d) children.push(take());
    const { n, about, id, text, at: place, value, attributes, s: [low, high] } = node;
    const [x = 0, y = 0, width = 0, height = 0] = place ?? [];
    return {
      role: node.r,
      states: stateNames.filter((state) => hasState(low, high, State[state])),
      ...defined({ name: n, description: about, id, text }),
      ...(place === undefined ? {} : { rect: { x, y, width, height } }),
      ...(value === undefined
        ? {}
        : { value: { current: value[0], minimum: value[1], maximum: value[2], step: 0 } }),
      ...defined({ attributes }),
      children,
    };
  };
  const { toolkit, toolkitVersion } = tree;
  return buildSnapshot(take(), { bus: ":1.5", name: tree.name, pid: 42, toolkit, toolkitVersion });
}
