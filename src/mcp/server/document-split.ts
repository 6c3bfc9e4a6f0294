import type { Json } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";

/** Children that an earlier page has left out. */
interface Part {
  /** JSON pointer (RFC 6901) of what holds them, in the whole document; "": the document itself is the list. */
  readonly at: string;
  /** Which child of it is the first here, from 0. */
  readonly from: number;
  readonly children: readonly Json[];
}

/**
 * A document in pages of about `most` bytes each. A tree (objects with `children`) gives its top levels first, in its own
 * shape: what has more below it says `truncated: true` and has no `children`. Each further page is a list of
 * `{ at, from?, children }`: where in the whole document these children belong. A list gives its first items first. One
 * element alone is never cut, so that a page with a larger one is larger.
 */
export function split(document: Json, most: number): Json[] {
  if (bytes(document) <= most) return [document];
  const queue: Part[] = [];
  const pages: Json[] = [];
  if (isList(document)) {
    const first: Json[] = [];
    fill({ at: "", from: 0, children: document }, most, queue, (child) => first.push(child));
    pages.push(first);
  } else {
    pages.push(topOf(document, "", most, queue));
  }
  while (queue.length > 0) pages.push(pageOf(queue, most));
  return pages;
}

function pageOf(queue: Part[], most: number): Json {
  const page: { at: string; from?: number; children: Json[] }[] = [];
  let left = most;
  while (queue.length > 0 && (page.length === 0 || left > most / 2)) {
    const part = queue.shift();
    if (part === undefined) break;
    const children: Json[] = [];
    page.push({ at: part.at, ...(part.from === 0 ? {} : { from: part.from }), children });
    left = fill(part, left - part.at.length - 40, queue, (child) => children.push(child));
  }
  return page;
}

/** Takes children of a part until the space is used; what is left goes into the queue. Answers the space that remains. */
function fill(part: Part, space: number, queue: Part[], take: (child: Json) => void): number {
  let left = space;
  for (const [index, child] of part.children.entries()) {
    const size = bytes(child) + 1;
    const at = `${part.at}${part.at === "" ? "" : "/children"}/${part.from + index}`;
    if (size <= left) {
      take(child);
      left -= size;
    } else if (index === 0 || left > space / 2) {
      const top = topOf(child, at, left, queue);
      take(top);
      left -= bytes(top) + 1;
    } else {
      queue.unshift({ at: part.at, from: part.from + index, children: part.children.slice(index) });
      return 0;
    }
  }
  return Math.max(0, left);
}

/** As many whole levels of a tree as fit, the root in any case; the rest goes into the queue. */
function topOf(root: Json, at: string, space: number, queue: Part[]): Json {
  if (bytes(root) <= space) return root;
  let level: Json[] = [root];
  let used = 0;
  let levels = 0;
  while (level.length > 0) {
    const next = level.flatMap((node) => childrenOf(node));
    used += level.reduce<number>((sum, node) => sum + ownBytes(node), 0);
    if (used > space && levels > 0) break;
    levels++;
    level = next;
  }
  return pruned(root, at, levels - 1, queue);
}

function pruned(node: Json, at: string, levels: number, queue: Part[]): Json {
  const children = childrenOf(node);
  if (!isMap(node) || children.length === 0) return node;
  if (levels > 0) {
    return {
      ...node,
      children: children.map((child, k) => pruned(child, `${at}/children/${k}`, levels - 1, queue)),
    };
  }
  const { children: _later, ...own } = node;
  queue.push({ at, from: 0, children });
  return { ...own, truncated: true };
}

function childrenOf(node: Json): readonly Json[] {
  const children = isMap(node) ? node.children : undefined;
  return isList(children) ? children : [];
}

/** Of what is known never to change: nodes are measured on several levels. */
const measured = new WeakMap<object, number>();

function bytes(value: Json): number {
  const children = childrenOf(value);
  if (isMap(value) && children.length > 0) {
    const existing = measured.get(value);
    if (existing !== undefined) return existing;
    const size = children.reduce<number>((sum, child) => sum + bytes(child) + 1, ownBytes(value));
    measured.set(value, size);
    return size;
  }
  if (isList(value)) return value.reduce<number>((sum, item) => sum + bytes(item) + 1, 2);
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** Without its children, with the room that their list takes. */
function ownBytes(node: Json): number {
  const { children: _below, ...own } = isMap(node) ? node : {};
  return new TextEncoder().encode(JSON.stringify(isMap(node) ? own : node)).length + 20;
}
