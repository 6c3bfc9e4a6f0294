// @ts-check
/// <reference lib="dom" />
import { chip, h, s, shown } from "./dom.js";
import { pictureAddress } from "./route.js";

/** @typedef {import("../model.ts").AuditView} AuditView */
/** @typedef {import("../model.ts").ReportLook} ReportLook */

/** Findings on the picture, and as a list: each tells the other. @param {AuditView} view @param {ReportLook | undefined} look */
export function audit(view, look) {
  const address = pictureAddress(look?.picture);
  /** @type {Element[]} */
  const boxes = [];
  const light = (/** @type {number} */ index, /** @type {boolean} */ on) =>
    boxes[index]?.classList.toggle("chosen", on);
  const drawn = view.findings.map(({ rect, rule }, index) => {
    const box = rect
      ? s("rect", {
        class: "finding",
        x: rect.x,
        y: rect.y,
        width: Math.max(3, rect.width),
        height: Math.max(3, rect.height),
      }, s("title", {}, `${index + 1} ${shown(rule)}`))
      : s("g");
    boxes[index] = box;
    return box;
  });
  const figure = address && look?.width
    ? h(
      "div",
      { class: "stage" },
      h("img", {
        src: address,
        alt: "Screenshot with the findings framed",
        width: look.width,
        height: look.height,
      }),
      s("svg", { viewBox: `0 0 ${look.width} ${look.height}`, "aria-hidden": "true" }, drawn),
    )
    : undefined;
  const rows = view.findings.map((one, index) =>
    h(
      "tr",
      { mouseenter: () => light(index, true), mouseleave: () => light(index, false) },
      h("td", { class: "number" }, index + 1),
      h(
        "td",
        {},
        chip(one.impact === "critical" || one.impact === "serious" ? "failed" : "drift", shown(one.impact)),
      ),
      h("td", {}, h("code", {}, shown(one.rule)), h("div", { class: "dim" }, shown(one.criterion))),
      h(
        "td",
        {},
        shown(one.text),
        h("div", { class: "dim mono" }, shown(one.element)),
        one.suggestion && h("div", { class: "dim" }, shown(one.suggestion)),
      ),
    )
  );
  return h(
    "div",
    {},
    h("p", {}, shown(view.summary)),
    figure,
    view.findings.length > 0 &&
      h(
        "div",
        { class: "wide", tabindex: "0", role: "region", "aria-label": "Findings" },
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h("tr", {}, ["#", "Impact", "Rule", "Finding"].map((title) => h("th", { scope: "col" }, title))),
          ),
          h("tbody", {}, rows),
        ),
      ),
  );
}
