// @ts-check
/// <reference lib="dom" />
import { h, shown, sign, time } from "./dom.js";
import { address, data, route } from "./route.js";

/** @typedef {import("../model.ts").ReportFile} ReportFile */

const STATUSES = /** @type {const} */ (["failed", "flaky", "passed", "skipped"]);

/** The files, to be filtered by status and text. What needs attention comes first. */
export function fileList() {
  /** @type {Set<string>} */
  const hidden = new Set();
  const order = data.files.map((file, index) => ({ file, index }))
    .sort((a, b) => rank(a.file) - rank(b.file) || a.index - b.index);
  const links = order.map(({ file, index }) => ({ file, index, item: h("li", {}, link(file, index)) }));
  const found = h("p", { class: "found", role: "status" });
  const search = h("input", {
    type: "search",
    id: "search",
    placeholder: "Filter by name, path, tag or error",
    input: () => filter(),
  });
  const filter = () => {
    const words = search instanceof HTMLInputElement
      ? search.value.toLowerCase().split(/\s+/).filter(Boolean)
      : [];
    let count = 0;
    for (const { file, item } of links) {
      const text = `${file.name} ${file.file} ${file.id} ${file.tags.join(" ")} ${file.error?.message ?? ""}`
        .toLowerCase();
      const fits = !hidden.has(file.status) && words.every((word) => text.includes(word));
      item.hidden = !fits;
      if (fits) count++;
    }
    found.textContent = count === links.length ? `${count} files` : `${count} of ${links.length} files`;
  };
  const kinds = STATUSES.filter((status) => data.counts[status] > 0).map((status) =>
    h("button", {
      type: "button",
      class: "plain",
      "aria-pressed": "true",
      click: (event) => {
        const off = hidden.delete(status) ? false : Boolean(hidden.add(status));
        if (event.currentTarget instanceof Element) {
          event.currentTarget.setAttribute("aria-pressed", String(!off));
        }
        filter();
      },
    }, `${status} ${data.counts[status]}`)
  );
  filter();
  const list = h(
    "ul",
    { class: "list", keydown: (event) => event instanceof KeyboardEvent && walk(event) },
    links.map(({ item }) => item),
  );
  const element = h(
    "nav",
    { class: "files", "aria-label": "Files" },
    h(
      "div",
      { class: "filter" },
      h("label", { for: "search", class: "unseen" }, "Filter files"),
      search,
      h("div", { class: "kinds", role: "group", "aria-label": "Show files that" }, kinds),
      found,
    ),
    list,
  );
  return {
    element,
    /** Marks the file that is shown. */
    update() {
      for (const { index, item } of links) {
        const is = index === route().file;
        if (is) item.firstElementChild?.setAttribute("aria-current", "true");
        else item.firstElementChild?.removeAttribute("aria-current");
      }
    },
  };
}

/** @param {KeyboardEvent} event */
function walk(event) {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || !(event.currentTarget instanceof Element)) return;
  const all = [...event.currentTarget.querySelectorAll("li:not([hidden]) > a")];
  const next = all[all.findIndex((one) => one === document.activeElement) + step];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}

/** @param {ReportFile} file */
function rank(file) {
  return STATUSES.indexOf(file.status);
}

/** @param {ReportFile} file @param {number} index */
function link(file, index) {
  const tries = file.tries.length > 1 ? ` · ${file.tries.length} tries` : "";
  return h(
    "a",
    { href: address(index) },
    sign(file.status),
    h("span", { class: "name" }, shown(file.name)),
    h("span", { class: "number dim" }, file.status === "skipped" ? "" : time(file.duration)),
    h("span", { class: "path" }, shown(file.id), tries),
  );
}
