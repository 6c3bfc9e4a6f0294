import type { NodeDescription } from "../desktop/build.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { hasState, State, type StateName } from "../desktop/states.ts";

type Bare = Omit<NodeDescription, "children">;

/** A node that can be changed. */
export type Mutable = { -readonly [K in keyof Bare]: Bare[K] } & {
  children: Mutable[];
  up: Mutable | undefined;
};

const stateNames: readonly StateName[] = Object.keys(State).filter((name): name is StateName =>
  Object.hasOwn(State, name)
);

/** A snapshot as nodes that can be changed, by row. */
export function mutable(snapshot: Snapshot): Mutable[] {
  const nodes: Mutable[] = [];
  for (let row = 0; row < snapshot.size; row++) {
    const rect = snapshot.rect(row), value = snapshot.value(row), text = snapshot.text(row);
    const up = nodes[snapshot.parent(row)];
    const node: Mutable = {
      role: snapshot.role(row),
      states: stateNames.filter((state) =>
        hasState(snapshot.statesLow(row), snapshot.statesHigh(row), State[state])
      ),
      name: snapshot.name(row),
      description: snapshot.description(row),
      id: snapshot.id(row),
      attributes: snapshot.attributes(row),
      ...(text === undefined ? {} : { text }),
      ...(rect === undefined ? {} : { rect }),
      ...(value === undefined ? {} : { value }),
      path: `/old/${row}`,
      children: [],
      up,
    };
    up?.children.push(node);
    nodes.push(node);
  }
  return nodes;
}

/** Deterministic choices (mulberry32). */
export class Choices {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  below(n: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  }
  of<T>(list: readonly T[]): T {
    const chosen = list[this.below(list.length)];
    if (chosen === undefined) throw new Error("nothing to choose from");
    return chosen;
  }
}

/** What it is called, by itself or by what is inside of it. */
export function calledOf(node: Mutable): string {
  return node.name?.trim() || calledInside(node);
}

function calledInside(node: Mutable): string {
  for (const child of node.children) {
    const name = calledOf(child);
    if (name !== "") return name;
  }
  return "";
}

/** Calls it otherwise: every name in it that was the old one. */
export function rename(node: Mutable, from: string, to: string): void {
  if (node.name?.includes(from) === true) node.name = node.name.replaceAll(from, to);
  if (node.text === from) node.text = to;
  for (const child of node.children) rename(child, from, to);
}

export function remove(node: Mutable): void {
  const beside = node.up?.children;
  beside?.splice(beside.indexOf(node), 1);
}

/** The same once more, right behind it. */
export function twin(node: Mutable, path: string): Mutable {
  const copy = copied(node, path, node.up);
  const beside = node.up?.children;
  beside?.splice(beside.indexOf(node) + 1, 0, copy);
  return copy;
}

function copied(node: Mutable, path: string, up: Mutable | undefined): Mutable {
  const copy: Mutable = { ...node, path, children: [], up };
  copy.children = node.children.map((child, k) => copied(child, `${path}/${k}`, copy));
  return copy;
}

/** Puts a box without a name between it and its parent. */
export function wrap(node: Mutable): void {
  const { up } = node;
  if (up === undefined) return;
  const box: Mutable = { role: "filler", path: `${node.path}/box`, children: [node], up };
  if (node.rect) box.rect = node.rect;
  up.children.splice(up.children.indexOf(node), 1, box);
  node.up = box;
}

/** Moves it to the end of its parent. */
export function moveLast(node: Mutable): void {
  remove(node);
  node.up?.children.push(node);
}
