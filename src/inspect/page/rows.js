/// <reference lib="dom" />
import { state } from "./state.js";

/** @param {any} data @param {any} [row] */
function filled(data, row = { closed: false }) {
  [row.depth, row.role, row.name, row.states, row.x, row.y, row.width, row.height, row.text] = data;
  return row;
}

/** The rows after what the server told: an element stays the same object. @param {any} notice */
export function heardTree(notice) {
  const before = state.rows;
  if (notice.rows) {
    state.rows = notice.rows.map((/** @type {any} */ data) => filled(data));
  } else {
    /** @type {any[]} */
    const rows = [];
    for (const piece of notice.pieces) {
      if (Array.isArray(piece)) {
        for (let at = piece[0]; at < piece[0] + piece[1]; at++) rows.push(before[at]);
      } else if ("was" in piece) rows.push(filled(piece.row, before[piece.was]));
      else rows.push(filled(piece.row));
    }
    state.rows = rows;
  }
  for (let at = 0; at < state.rows.length; at++) state.rows[at].at = at;
  state.version = notice.version;
  state.took = notice.ms;
  if (state.chosen && state.rows[state.chosen.at] !== state.chosen) state.chosen = undefined;
  listed.rows = undefined;
}

/** @param {any} row @param {string} word */
export function has(row, word) {
  const bit = state.hello?.states.indexOf(word) ?? -1;
  return bit >= 0 && (row.states & (1 << bit)) !== 0;
}

/** How the server is told of a row. @param {any} row */
export function named(row) {
  return { app: state.app?.bus, version: state.version, row: row.at };
}

/** `button "Save"`. @param {any} row */
export function words(row) {
  return row.name === ""
    ? row.role
    : `${row.role} "${row.name.length > 60 ? `${row.name.slice(0, 59)}…` : row.name}"`;
}

/** What a row lies in, the nearest first. @param {any} row */
export function around(row) {
  /** @type {any[]} */
  const ups = [];
  let depth = row.depth;
  for (let at = row.at - 1; at >= 0 && depth > 0; at--) {
    const up = state.rows[at];
    if (up.depth < depth) {
      ups.push(up);
      depth = up.depth;
    }
  }
  return ups;
}

/** @type {{ rows: any[] | undefined, list: { row: any, level: number, parent: boolean, found: boolean }[], found: number, search: string, boxes: boolean }} */
const listed = { rows: undefined, list: [], found: 0, search: "", boxes: false };

/** Somebody opened or closed a row. */
export function listAnew() {
  listed.rows = undefined;
}

/** The lines of the tree: what is closed, or is not looked for, is left out. */
export function lines() {
  const { rows, search, boxes } = state;
  if (listed.rows === rows && listed.search === search && listed.boxes === boxes) return listed;
  Object.assign(listed, { rows, search, boxes, ...listOf(rows, search.trim().toLowerCase(), boxes) });
  return listed;
}

/** @param {any[]} rows @param {string} search @param {boolean} boxes */
function listOf(rows, search, boxes) {
  const parts = search.split(/\s+/).filter((part) => part !== "");
  const scaffolding = state.hello?.scaffolding ?? 0;
  /** Of each row: 2 it was looked for, 1 something in it was. */
  const keep = parts.length === 0 ? undefined : new Uint8Array(rows.length);
  let found = 0;
  if (keep) {
    /** @type {number[]} */
    const ups = [];
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at];
      while (ups.length > 0 && rows[ups[ups.length - 1]].depth >= row.depth) ups.pop();
      const text = `${row.role} ${row.name} ${row.text}`.toLowerCase();
      if (parts.every((part) => text.includes(part))) {
        keep[at] = 2;
        found++;
        for (let k = ups.length - 1; k >= 0 && keep[ups[k]] === 0; k--) keep[ups[k]] = 1;
      }
      ups.push(at);
    }
  }
  /** @type {{ row: any, level: number, parent: boolean, found: boolean }[]} */
  const list = [];
  /** @type {{ depth: number, level: number, closed: boolean }[]} */
  const ups = [];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    while (ups.length > 0 && ups[ups.length - 1].depth >= row.depth) ups.pop();
    const up = ups[ups.length - 1];
    const level = up?.level ?? 0;
    const left = up?.closed || keep && keep[at] === 0;
    const box = !boxes && (row.states & scaffolding) !== 0 && keep?.[at] !== 2;
    const parent = (rows[at + 1]?.depth ?? 0) > row.depth;
    if (!left && !box) list.push({ row, level, parent, found: keep?.[at] === 2 });
    ups.push({
      depth: row.depth,
      level: box ? level : level + 1,
      closed: !keep && (up?.closed || row.closed) || false,
    });
  }
  return { list, found };
}

/** The rows that lie at a place of the screen, the one that is drawn last first. @param {number} x @param {number} y */
export function rowsAt(x, y) {
  /** @type {any[]} */
  const found = [];
  for (let at = state.rows.length - 1; at > 0; at--) {
    const row = state.rows[at];
    if (row.width <= 0 || x < row.x || y < row.y || x >= row.x + row.width || y >= row.y + row.height) {
      continue;
    }
    if (has(row, "visible")) found.push(row);
  }
  return found;
}
