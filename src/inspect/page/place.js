/// <reference lib="dom" />
import { state } from "./state.js";

/** Matches of the playground that are framed. */
const MOST = 200;

/** What lies over the picture: frames, which are moved without drawing the page. */
export const over = document.createElement("div");
over.className = "over";
const hover = frame("frame hover");
const chosen = frame("frame chosen");
const label = document.createElement("span");
label.className = "frame-label";
const found = document.createElement("div");
over.append(found, chosen, hover, label);

/** @param {string} kind */
function frame(kind) {
  const one = document.createElement("div");
  one.className = kind;
  one.hidden = true;
  return one;
}

const size = { width: 1280, height: 800 };

/** The screen has this size. @param {number} width @param {number} height */
export function sized(width, height) {
  Object.assign(size, { width, height });
}

/** @param {HTMLElement} one @param {any} row */
function put(one, row) {
  one.hidden = !row || row.width <= 0;
  if (one.hidden) return;
  one.style.left = `${(row.x / size.width) * 100}%`;
  one.style.top = `${(row.y / size.height) * 100}%`;
  one.style.width = `${(Math.max(row.width, 2) / size.width) * 100}%`;
  one.style.height = `${(Math.max(row.height, 2) / size.height) * 100}%`;
}

/** @type {any} */
let hovered;
/** @type {((row: any) => void)[]} */
const hearers = [];

/** Calls when something else is pointed at, in the tree or in the picture. @param {(row: any) => void} hears */
export function onHover(hears) {
  hearers.push(hears);
}

/** Points at an element, or at none. @param {any} row */
export function point(row) {
  if (row === hovered) return;
  hovered = row;
  put(hover, row);
  label.hidden = !row || row.width <= 0;
  if (row && !label.hidden) {
    label.textContent = `${row.role}${
      row.name === "" ? "" : ` "${row.name.slice(0, 40)}"`
    } · ${row.width} × ${row.height}`;
    label.style.left = `${(Math.max(0, row.x) / size.width) * 100}%`;
    const below = row.y < 24;
    label.style.top = `${((below ? row.y + row.height : row.y) / size.height) * 100}%`;
    label.classList.toggle("below", below);
  }
  for (const hears of hearers) hears(row);
}

/** What is pointed at. */
export function pointed() {
  return hovered;
}

/** Frames what is chosen, and what the playground finds. */
export function frames() {
  put(chosen, state.chosen);
  const rows = (state.matches?.rows ?? []).slice(0, MOST).map((/** @type {number} */ at) => state.rows[at]);
  while (found.children.length > rows.length) found.lastElementChild?.remove();
  while (found.children.length < rows.length) found.append(frame("frame found"));
  for (const [k, row] of rows.entries()) {
    const one = found.children[k];
    if (one instanceof HTMLElement) put(one, row);
  }
  if (hovered && state.rows[hovered.at] !== hovered) point(undefined);
  else put(hover, hovered);
}
