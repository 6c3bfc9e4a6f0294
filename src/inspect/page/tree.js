/// <reference lib="dom" />
import { moved, shown } from "../../report/html/page/dom.js";
import { html, nothing, render } from "./lit.js";
import { choose, onChoose } from "./choose.js";
import { onHover, point, pointed } from "./place.js";
import { has, lines, listAnew } from "./rows.js";
import { changed, state } from "./state.js";

/** Pixels of a line, and lines that are in the page at most. */
const LINE = 22, MOST = 58;
/** Lines above and below what shows. */
const MORE = 6;

const scroller = document.createElement("div");
scroller.className = "tree";
scroller.tabIndex = 0;
scroller.setAttribute("role", "tree");
scroller.setAttribute("aria-label", "Accessibility tree");
const space = document.createElement("div");
space.className = "space";
space.setAttribute("role", "presentation");
const part = document.createElement("div");
part.className = "part";
part.setAttribute("role", "presentation");
space.append(part);
scroller.append(space);
let due = false;

scroller.addEventListener("scroll", () => {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    drawLines();
  });
}, { passive: true });
new ResizeObserver(() => drawLines()).observe(scroller);
scroller.addEventListener("pointerleave", () => point(undefined));

/** Roles by what they are for: each has its colour. */
const KINDS = {
  press: ["button", "togglebutton", "link", "menuitem", "tab", "checkbox", "radio", "switch"],
  fill: ["textfield", "textarea", "passwordfield", "spinbutton", "slider", "combobox"],
  hold: [
    "window",
    "dialog",
    "application",
    "alert",
    "document",
    "menu",
    "menubar",
    "toolbar",
    "table",
    "list",
    "tablist",
  ],
};
const kinds = new Map(Object.entries(KINDS).flatMap(([kind, roles]) => roles.map((role) => [role, kind])));
/** States that a line says. */
const SAID = [
  "focused",
  "checked",
  "pressed",
  "selected",
  "expanded",
  "readonly",
  "required",
  "busy",
  "modal",
  "indeterminate",
  "invalid",
  "secure",
];

/** Draws the lines that show. */
export function drawLines() {
  const { list } = lines();
  const tall = list.length * LINE;
  if (space.style.height !== `${tall}px`) space.style.height = `${tall}px`;
  const from = Math.max(0, Math.min(Math.floor(scroller.scrollTop / LINE) - MORE, list.length - 1));
  const count = Math.min(MOST, Math.ceil(scroller.clientHeight / LINE) + 2 * MORE, list.length - from);
  part.style.transform = `translateY(${from * LINE}px)`;
  const matched = new Set(state.matches?.rows ?? []);
  render(list.slice(from, from + count).map((line) => lineOf(line, matched)), part);
  const active = state.chosen &&
    list.some(({ row }, k) => row === state.chosen && k >= from && k < from + count);
  if (active) scroller.setAttribute("aria-activedescendant", "chosen-line");
  else scroller.removeAttribute("aria-activedescendant");
  mark(pointed());
}

/** @param {{ row: any, level: number, parent: boolean, found: boolean }} line @param {ReadonlySet<number>} matched */
function lineOf({ row, level, parent, found }, matched) {
  const is = row === state.chosen;
  const said = SAID.filter((word) => has(row, word) && !(word === "pressed" && has(row, "checked")));
  const kind = kinds.get(row.role) ?? "other";
  const classes = `line ${kind}${is ? " chosen" : ""}${has(row, "visible") ? "" : " unseen-row"}${
    has(row, "enabled") || row.role === "application" ? "" : " off"
  }${matched.has(row.at) ? " matched" : ""}${found ? " found" : ""}`;
  return html`
    <div class=${classes} role="treeitem" id=${is ? "chosen-line" : nothing} data-at=${row.at}
      aria-level=${level + 1} aria-selected=${String(is)} aria-expanded=${parent
        ? String(!row.closed)
        : nothing}
      .style=${`padding-left:${6 + level * 14}px`}
      @click=${() => {
        choose(row, false);
        scroller.focus({ preventScroll: true });
      }}
      @dblclick=${() => toggle(row)}
      @pointerenter=${() => point(row)}
    ><span class="caret" aria-hidden="true" @click=${(/** @type {Event} */ event) => {
      if (!parent) return;
      event.stopPropagation();
      toggle(row);
    }}>${parent ? row.closed ? "▸" : "▾" : ""}</span><span class="role">${row.role}</span>${row.name === ""
      ? nothing
      : html`<span class="name">${shown(row.name)}</span>`}${row.text === "" || row.text === row.name
      ? nothing
      : html`<span class="text">${shown(row.text)}</span>`}${said.map((word) =>
        html`<span class="state">${word}</span>`
      )}</div>
  `;
}

/** @param {any} row */
function toggle(row) {
  row.closed = !row.closed;
  listAnew();
  drawLines();
}

/** @param {any} row */
function mark(row) {
  for (const one of part.querySelectorAll(".pointed")) one.classList.remove("pointed");
  if (row) part.querySelector(`[data-at="${row.at}"]`)?.classList.add("pointed");
}
onHover(mark);

/** Scrolls to a row. @param {any} row */
function show(row) {
  const at = lines().list.findIndex((line) => line.row === row);
  if (at < 0) return;
  const top = at * LINE;
  const { scrollTop, clientHeight } = scroller;
  if (top < scrollTop + LINE || top > scrollTop + clientHeight - 2 * LINE) {
    scroller.scrollTop = Math.max(0, top - clientHeight / 3);
  }
  drawLines();
}
onChoose(show);

scroller.addEventListener("keydown", (event) => {
  const { list } = lines();
  const at = list.findIndex(({ row }) => row === state.chosen);
  const line = list[at];
  if (line && event.key === "ArrowLeft" && line.parent && !line.row.closed && state.search === "") {
    toggle(line.row);
  } else if (line && event.key === "ArrowLeft") {
    const up = list.slice(0, at).findLast(({ level }) => level < line.level);
    if (up) choose(up.row, true);
  } else if (line && event.key === "ArrowRight" && line.row.closed) toggle(line.row);
  else if (line && event.key === "ArrowRight" && line.parent) move(at + 1);
  else if (event.key === "PageDown" || event.key === "PageUp") {
    const page = Math.floor(scroller.clientHeight / LINE) - 1;
    move(Math.max(0, Math.min(list.length - 1, at + (event.key === "PageDown" ? page : -page))));
  } else {
    const to = moved(event.key, at, list.length, "ArrowUp", "ArrowDown");
    if (to === undefined) return;
    move(to);
  }
  event.preventDefault();
});

/** @param {number} to */
function move(to) {
  const line = lines().list[to];
  if (line) choose(line.row, true);
}

/** Goes to the next row that is looked for. @param {1 | -1} by */
function next(by) {
  const { list } = lines();
  const found = list.filter((line) => line.found);
  if (found.length === 0) return;
  const at = found.findIndex(({ row }) => row === state.chosen);
  const line = found[(at + by + found.length) % found.length];
  if (line) choose(line.row, true);
}

/** The tree with its search. */
export function tree() {
  const { list, found } = lines();
  return html`
    <div class="bar">
      <label class="find"><span class="unseen">Search in the tree</span><input type="search" id="search" placeholder="Search the tree   /"
        .value=${state.search}
        @input=${(/** @type {any} */ event) => {
          state.search = event.target.value;
          scroller.scrollTop = 0;
          changed();
        }}
        @keydown=${(/** @type {KeyboardEvent} */ event) => {
          if (event.key === "Enter") next(event.shiftKey ? -1 : 1);
          if (event.key === "ArrowDown") scroller.focus();
        }}></label>
      ${state.search === "" ? nothing : html`<span class="dim number" role="status">${found}</span>`}
      <button type="button" class="plain" aria-pressed=${String(
        state.boxes,
      )} title="Also boxes without a name" @click=${() => {
        state.boxes = !state.boxes;
        changed();
      }}>Boxes</button>
    </div>
    ${state.noApp && state.rows.length === 0
      ? html`<p class="none">${shown(state.noApp.message ?? "")}<br><span class="dim">${
        shown(state.noApp.hint ?? "")
      }</span></p>`
      : nothing}
    ${scroller}
    <div class="foot dim number">${state.rows.length.toLocaleString(
      "en",
    )} elements${list.length < state.rows.length
      ? `, ${list.length.toLocaleString("en")} listed`
      : ""}<span class="spring"></span>${state.took ? `read in ${state.took} ms` : ""}</div>
  `;
}
