// @ts-check
/// <reference lib="dom" />
import { h, s, shown, tabbed, time } from "./dom.js";
import { pictureAddress } from "./route.js";

/** @typedef {import("../model.ts").ReportLook} ReportLook */
/** @typedef {import("../model.ts").StepItem} StepItem */

/** Which picture was looked at last: the next step shows the same. */
let chosen = "action";
let full = false;

/** The pictures of a step, before, at its action and after. @param {StepItem} step */
export function looks(step) {
  const all = /** @type {const} */ ([["before", step.before], ["action", step.action], ["after", step.after]])
    .flatMap(([id, look]) => look ? [{ id, look }] : []);
  if (!all.some(({ look }) => look.picture !== undefined || look.missing !== undefined)) return undefined;
  const titles = { before: "Before", action: "Action", after: "After" };
  const on = all.some(({ id }) => id === chosen) ? chosen : "after";
  return tabbed(
    "Pictures",
    all.map(({ id, look }) => ({
      id,
      title: titles[id],
      make: () => {
        const earlier = all.find((one) =>
          one.look !== look && one.look.picture === look.picture &&
          all.indexOf(one) < all.findIndex((x) => x.look === look)
        );
        const note = earlier && look.picture ? `the same as ${titles[earlier.id].toLowerCase()}` : undefined;
        const marked = id === "action" || (!step.action && id === "before");
        return picture(
          look,
          marked ? step.marks ?? [] : [],
          `Screenshot: ${titles[id].toLowerCase()}, ${step.name}`,
          note,
        );
      },
    })),
    on,
    (id, asked) => {
      if (asked) chosen = id;
    },
  );
}

/**
 * One picture, with the places that were acted on.
 *
 * @param {ReportLook} look
 * @param {readonly import("../../../desktop/desktop.ts").Rect[]} marks
 * @param {string} alt
 * @param {string} [note]
 */
export function picture(look, marks, alt, note) {
  const address = pictureAddress(look.picture);
  if (!address || !look.width || !look.height) {
    return h("p", { class: "none" }, `No picture: ${shown(look.missing ?? "it is not in this report")}.`);
  }
  const drawing = s(
    "svg",
    { viewBox: `0 0 ${look.width} ${look.height}`, "aria-hidden": "true" },
    marks.flatMap(place),
  );
  const stage = h(
    "div",
    { class: full ? "full" : "" },
    h(
      "div",
      { class: "stage" },
      h("img", { src: address, alt: shown(alt), width: look.width, height: look.height }),
      drawing,
    ),
  );
  const size = h("button", {
    type: "button",
    class: "plain",
    "aria-pressed": String(full),
    click: () => {
      full = !full;
      stage.className = full ? "full" : "";
      size.setAttribute("aria-pressed", String(full));
    },
  }, "Full size");
  return h(
    "figure",
    {},
    stage,
    h(
      "figcaption",
      { class: "under" },
      size,
      h("span", { class: "number" }, `at ${time(look.at)}`),
      note && h("span", {}, note),
      marks.length > 0 && h("span", {}, "the target is framed"),
      look.missing && h("span", {}, shown(look.missing)),
    ),
  );
}

/** @param {import("../../../desktop/desktop.ts").Rect} rect */
function place({ x, y, width, height }) {
  const shape = (/** @type {string} */ kind) =>
    width === 0 && height === 0
      ? s("circle", { class: kind, cx: x, cy: y, r: 9 })
      : s("rect", { class: kind, x: x - 2, y: y - 2, width: width + 4, height: height + 4, rx: 3 });
  return [shape("place halo"), shape("place")];
}
