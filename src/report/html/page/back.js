// @ts-check
/// <reference lib="dom" />
import { chip, h, shown, time } from "./dom.js";
import { picture } from "./looks.js";
import { journal } from "./journal.js";
import { errorBox, table, word } from "./text.js";

/** @typedef {import("../model.ts").BackItem} BackItem */
/** @typedef {import("../model.ts").BackStep} BackStep */
/** @typedef {import("../model.ts").ReportTry} ReportTry */

/** @param {BackItem} item */
export function backTitle(item) {
  return item.savepoint !== undefined
    ? `Rollback to savepoint ${item.savepoint}`
    : item.path === ""
    ? "Rollback of the workflow"
    : `Rollback of ${item.path}`;
}

/** All of a rollback. @param {BackItem} item @param {ReportTry} one */
export function back(item, one) {
  const { verdict = "unknown", barrier } = item;
  return [
    h(
      "div",
      { class: "head" },
      h("h2", {}, shown(backTitle(item))),
      chip(verdict),
      h("span", { class: "dim number" }, time(item.takes)),
    ),
    item.reason && h("div", {}, h("h3", {}, "Because"), errorBox(item.reason)),
    barrier &&
    h(
      "p",
      { class: "notice" },
      `It ends after step ${shown(barrier.path)} (${shown(barrier.name)}): that is irreversible.`,
    ),
    item.steps.length > 0 ? backSteps(item.steps) : h("p", { class: "dim" }, "There was nothing to undo."),
    ...differences("Drift: what is not as it was", item.drift),
    ...differences("Other differences (not enrolled)", item.beside),
    item.after && h("h3", {}, "The desktop after it"),
    item.after && picture(item.after, [], "Screenshot after the rollback"),
    item.enrolled.length > 0 && h("h3", {}, "What was protected"),
    item.enrolled.length > 0 &&
    table(
      "What was protected",
      ["Verdict", "What", "Properties"],
      item.enrolled.map((
        { label, verdict, properties },
      ) => [chip(verdict), shown(label), shown(properties.join(", "))]),
    ),
    ...journal(
      one,
      (line) =>
        line.path === item.path && /^(rollback|rolled-back|changed-afterwards|rebuil)/.test(line.kind) ||
        line.kind === "undoing" || line.kind === "undone",
    ),
  ];
}

/** What was rolled back, one line each. @param {readonly BackStep[]} steps */
export function backSteps(steps) {
  return table(
    "What was rolled back",
    ["Step", "Verdict", "What", "How, or why not"],
    steps.map((step) => [
      h("span", { class: "mono" }, shown(step.path)),
      chip(step.verdict),
      h(
        "span",
        {},
        shown(step.what.replace(/^deed /, "")),
        step.incidental ? h("span", { class: "dim" }, " (best effort)") : "",
      ),
      h(
        "span",
        {},
        shown([step.method, step.reason].filter(Boolean).join(": ")),
        step.conflict ? conflict(step.conflict) : "",
      ),
    ]),
  );
}

/** @param {import("../../../contract/events.ts").Conflict} one */
function conflict({ property, found, left, was }) {
  return h(
    "div",
    {},
    h("span", { class: "dim" }, `somebody changed ${shown(property)}: found `),
    word(found),
    h("span", { class: "dim" }, ", the step had left "),
    word(left),
    h("span", { class: "dim" }, ", before it was "),
    word(was),
  );
}

/** @param {string} title @param {BackItem["drift"]} found */
function differences(title, found) {
  if (found.length === 0) return [];
  return [
    h("h3", {}, title),
    table(
      title,
      ["What", "Property", "Expected", "Found"],
      found.map((
        { participant, property, expected, actual },
      ) => [shown(participant), shown(property), h("code", {}, word(expected)), h("code", {}, word(actual))]),
    ),
  ];
}
