// @ts-check
/// <reference lib="dom" />
import { h, shown } from "./dom.js";
import { data } from "./route.js";

/** @typedef {import("../../../base/error.ts").ErrorJson} ErrorJson */

/** Lines that stay around a change. */
const AROUND = 3;

/** @param {number | undefined} tree */
export function linesOf(tree) {
  return tree === undefined ? [] : (data.trees[tree] ?? "").split("\n");
}

/** A tree, with the line of what was acted on. @param {number} tree @param {number} [acted] */
export function tree(tree, acted) {
  const lines = linesOf(tree).map((line, index) =>
    index === acted
      ? h("div", { class: "acted" }, shown(line), h("span", { class: "dim" }, "  ← acted on"))
      : h("div", {}, shown(line))
  );
  return h(
    "div",
    { class: "lines", role: "region", "aria-label": "Accessibility tree", tabindex: "0" },
    lines,
  );
}

/** What changed between two trees. @param {number} before @param {number} after @param {readonly import("../model.ts").DiffRun[]} runs */
export function difference(before, after, runs) {
  const [was, is] = [linesOf(before), linesOf(after)];
  /** @type {HTMLElement[]} */
  const out = [];
  let [i, j] = [0, 0];
  for (const [index, [sign, count]] of runs.entries()) {
    const lines = sign === "-" ? was.slice(i, i + count) : is.slice(j, j + count);
    if (sign !== "+") i += count;
    if (sign !== "-") j += count;
    if (sign !== "=") {
      const kind = sign === "+" ? "added" : "removed";
      out.push(...lines.map((line) => h("div", { class: kind }, `${sign} ${shown(line)}`)));
      continue;
    }
    const head = index === 0 ? 0 : AROUND;
    const tail = index === runs.length - 1 ? 0 : AROUND;
    if (count <= head + tail + 1) out.push(...lines.map((line) => h("div", {}, `  ${shown(line)}`)));
    else {
      out.push(...lines.slice(0, head).map((line) => h("div", {}, `  ${shown(line)}`)));
      out.push(h("div", { class: "cut" }, `  … ${count - head - tail} lines the same`));
      out.push(...lines.slice(count - tail).map((line) => h("div", {}, `  ${shown(line)}`)));
    }
  }
  return h("div", {
    class: "lines",
    role: "region",
    "aria-label": "What changed in the accessibility tree",
    tabindex: "0",
  }, out);
}

/** What happened, what to try, where, and the rest on demand. @param {ErrorJson} error */
export function errorBox(error) {
  const { place, details } = error;
  return h(
    "div",
    { class: "error" },
    h("p", { class: "message" }, shown(error.message)),
    error.hint !== undefined && h("p", { class: "hint" }, shown(error.hint)),
    h(
      "p",
      { class: "where" },
      h("code", {}, error.code),
      place ? ` at ${shown(place.file)}:${place.line}:${place.column}` : "",
    ),
    details && Object.keys(details).length > 0 &&
      h("details", {}, h("summary", {}, "Details"), h("pre", {}, shown(JSON.stringify(details, null, 2)))),
  );
}

/** @param {unknown} value */
export function word(value) {
  const text = typeof value === "string" ? JSON.stringify(value) : JSON.stringify(value) ?? "";
  return shown(text.length > 300 ? `${text.slice(0, 299)}…` : text);
}

/** @param {string} label @param {readonly string[]} titles @param {readonly (readonly (Node | string)[])[]} rows */
export function table(label, titles, rows) {
  return h(
    "div",
    { class: "wide", role: "region", "aria-label": label, tabindex: "0" },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, titles.map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell))))),
    ),
  );
}
