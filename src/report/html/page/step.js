// @ts-check
/// <reference lib="dom" />
import { audit } from "./audit.js";
import { backSteps } from "./back.js";
import { chip, h, shown, tabbed, time } from "./dom.js";
import { looks } from "./looks.js";
import { journalTable } from "./journal.js";
import { difference, errorBox, table, tree } from "./text.js";
import { visual } from "./visual.js";

/** @typedef {import("../model.ts").StepItem} StepItem */
/** @typedef {import("../model.ts").ReportTry} ReportTry */

/** Which text was looked at last. */
let chosen = "";

/** All of a step. @param {StepItem} step @param {ReportTry} one */
export function step(step, one) {
  const { before, after, action, changes } = step;
  const shownTree = (action ?? after ?? before)?.tree;
  const lines = one.journal.filter(({ path }) => path === step.path);
  /** @type {{ id: string, title: string, make: () => Node }[]} */
  const tabs = [];
  /** @param {string} id @param {string} title @param {() => Node} make */
  const add = (id, title, make) => tabs.push({ id, title, make });
  const view = step.visual;
  if (view) add("visual", "Visual difference", () => visual(view));
  const findings = step.audit;
  if (findings) add("audit", `Audit (${findings.findings.length})`, () => audit(findings, after));
  if (changes && before?.tree !== undefined && after?.tree !== undefined) {
    const [was, is] = [before.tree, after.tree];
    const count = changes.reduce((sum, [sign, lines]) => sum + (sign === "=" ? 0 : lines), 0);
    add("changes", `Changes (${count})`, () => difference(was, is, changes));
  }
  if (shownTree !== undefined) add("tree", "Tree", () => tree(shownTree, step.line));
  if (step.output !== undefined) {
    add("answer", "Result", () => h("pre", { class: "block", tabindex: "0" }, shown(step.output ?? "")));
  }
  if (step.log.length > 0) {
    add(
      "log",
      `Log (${step.log.length})`,
      () =>
        table(
          "Log",
          ["At", "What"],
          step.log.map((
            { at, level, text },
          ) => [
            h("span", { class: "number dim" }, time(at)),
            level === "warning" ? h("span", {}, chip("drift", "warning"), ` ${shown(text)}`) : shown(text),
          ]),
        ),
    );
  }
  const taken = step.back;
  if (taken) add("back", `Rollback (${taken.length})`, () => backSteps(taken));
  if (lines.length > 0) add("journal", `Journal (${lines.length})`, () => journalTable(lines));
  const on = tabs.some(({ id }) => id === chosen) && !step.visual && !step.audit ? chosen : undefined;
  const particulars = tabs.length > 0 &&
    tabbed("Particulars", tabs, on, (id, asked) => asked && (chosen = id));
  return [
    h(
      "div",
      { class: "head" },
      h("h2", {}, shown(step.name)),
      chip(step.status),
      h(
        "span",
        { class: "dim" },
        h("span", { class: "mono" }, shown(step.path)),
        ` · ${shown(step.operation)} · ${shown(step.effect)} · `,
        h("span", { class: "number" }, time(step.takes)),
        step.tries ? ` · ${step.tries} tries` : "",
      ),
    ),
    step.error && errorBox(step.error),
    ...(step.visual || step.audit ? [particulars, looks(step)] : [looks(step), particulars]),
  ];
}
