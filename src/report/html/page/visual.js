// @ts-check
/// <reference lib="dom" />
import { h, shown, tabbed } from "./dom.js";
import { pictureAddress } from "./route.js";

/** @typedef {import("../model.ts").VisualView} VisualView */

let way = "slider";

/** Two pictures and what differs. @param {VisualView} view */
export function visual(view) {
  const [expected, actual, diff] = [view.expected, view.actual, view.diff].map((name) =>
    pictureAddress(name)
  );
  const tabs = [
    expected && actual ? { id: "slider", title: "Slider", make: () => slider(expected, actual) } : undefined,
    expected && actual
      ? {
        id: "beside",
        title: "Side by side",
        make: () => h("div", { class: "beside" }, one("Expected", expected), one("Actual", actual)),
      }
      : undefined,
    diff ? { id: "difference", title: "Difference", make: () => one("Difference", diff) } : undefined,
    expected ? { id: "expected", title: "Expected", make: () => one("Expected", expected) } : undefined,
    actual ? { id: "actual", title: "Actual", make: () => one("Actual", actual) } : undefined,
  ].filter((tab) => tab !== undefined);
  return h(
    "div",
    {},
    h("p", {}, shown(view.summary)),
    tabs.length > 0
      ? tabbed("Visual difference", tabs, way, (id, asked) => asked && (way = id))
      : h("p", { class: "none" }, "The pictures are not in this report."),
    view.clusters.length > 0 && h(
      "ul",
      {},
      view.clusters.map(({ rect, text }) =>
        h(
          "li",
          {},
          h("span", { class: "mono dim" }, `${rect.x},${rect.y} ${rect.width}×${rect.height} `),
          shown(text),
        )
      ),
    ),
  );
}

/** @param {string} title @param {string} address */
function one(title, address) {
  return h(
    "figure",
    {},
    h("h3", {}, title),
    h("img", { src: address, alt: `${title} picture`, class: "compare" }),
  );
}

/** @param {string} expected @param {string} actual */
function slider(expected, actual) {
  const box = h(
    "div",
    { class: "compare" },
    h("img", { src: expected, alt: "Expected picture" }),
    h("div", { class: "over" }, h("img", { src: actual, alt: "Actual picture" })),
    h("div", { class: "edge" }),
  );
  const range = h("input", {
    type: "range",
    min: 0,
    max: 100,
    value: 50,
    id: "cut",
    "aria-label": "How much of the expected picture shows",
    input: () => range instanceof HTMLInputElement && box.style.setProperty("--cut", `${range.value}%`),
  });
  return h(
    "div",
    {},
    box,
    h(
      "div",
      { class: "slide" },
      h("span", { class: "dim" }, "Actual"),
      range,
      h("span", { class: "dim" }, "Expected"),
    ),
  );
}
