// @ts-check
/// <reference lib="dom" />
import { h, shown, time } from "./dom.js";
import { table } from "./text.js";

/** @typedef {import("../model.ts").ReportTry} ReportTry */
/** @typedef {import("../model.ts").JournalText} JournalText */

/** The lines of the journal that fit, with a heading. @param {ReportTry} one @param {(line: JournalText) => boolean} fits */
export function journal(one, fits) {
  const lines = one.journal.filter(fits);
  return lines.length === 0 ? [] : [h("h3", {}, "Journal"), journalTable(lines)];
}

/** @param {readonly JournalText[]} lines */
export function journalTable(lines) {
  return table(
    "Journal",
    ["Line", "At", "Kind", "What it says"],
    lines.map((
      { n, at, kind, text },
    ) => [
      String(n),
      h("span", { class: "number dim" }, time(Math.max(0, at))),
      h("code", {}, shown(kind)),
      h("span", { class: "mono" }, shown(text)),
    ]),
  );
}
