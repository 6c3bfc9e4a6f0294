// @ts-check
/// <reference lib="dom" />
import { back, backTitle } from "./back.js";
import { chip, h, kindOf, moved, s, shown, sign, time } from "./dom.js";
import { address, route } from "./route.js";
import { journalTable } from "./journal.js";
import { step } from "./step.js";
import { errorBox } from "./text.js";

/** @typedef {import("../model.ts").ReportItem} ReportItem */
/** @typedef {import("../model.ts").ReportTry} ReportTry */

/** The line that says most: the first that failed, else the first. @param {ReportTry} one */
export function telling(one) {
  const failed = one.items.findIndex((item) => item.kind === "step" && item.status === "failed");
  const step = failed >= 0 ? failed : one.items.findIndex((item) => item.kind === "step");
  return Math.max(0, step);
}

/** The steps of a try, and beside them what is chosen. @param {ReportTry} one @param {number} attempt */
export function timeline(one, attempt) {
  const detail = h("section", { class: "detail", "aria-label": "Step", tabindex: "0" });
  const bars = s("svg", {
    class: "strip",
    "aria-hidden": "true",
    preserveAspectRatio: "none",
    viewBox: "0 0 1000 22",
  });
  const whole = Math.max(
    1,
    one.duration,
    ...one.items.map((item) => item.at + ("takes" in item ? item.takes : 0)),
  );
  const usual = usualApplication(one.items);
  const rows = one.items.map((item, index) => row(item, index, usual, () => choose(index, true)));
  const marks = one.items.map((item, index) => {
    const kind = item.kind === "step" ? kindOf(item.status) : item.kind === "back" ? "back" : "none";
    const long = "takes" in item ? item.takes : 0;
    return s("rect", {
      class: kind,
      x: (item.at / whole) * 1000,
      width: kind === "none" ? 0 : Math.max(3, (long / whole) * 1000 - 1),
      y: 5,
      height: 12,
      rx: 1.5,
      click: () => choose(index, true),
    });
  });
  bars.append(...marks);
  const list = h("ol", {
    class: "steps",
    role: "listbox",
    "aria-label": "Steps",
    keydown: (event) => {
      if (!(event instanceof KeyboardEvent)) return;
      const to = moved(event.key, current, rows.length, "ArrowUp", "ArrowDown");
      if (to !== undefined) {
        event.preventDefault();
        choose(to, true);
      } else if (event.key === "Enter") detail.focus();
    },
  }, rows);
  let current = -1;
  /** @param {number} index @param {boolean} focus */
  const choose = (index, focus) => {
    const item = one.items[index];
    if (!item) return;
    rows[current]?.setAttribute("aria-selected", "false");
    rows[current]?.setAttribute("tabindex", "-1");
    marks[current]?.classList.remove("chosen");
    current = index;
    const now = rows[index];
    now?.setAttribute("aria-selected", "true");
    now?.setAttribute("tabindex", "0");
    marks[index]?.classList.add("chosen");
    detail.replaceChildren(...particulars(item, one).filter((part) => part instanceof Node));
    detail.scrollTop = 0;
    if (focus) {
      now?.focus();
      history.replaceState(null, "", address(route().file, attempt, index));
    }
    now?.scrollIntoView({ block: "nearest" });
  };
  if (rows.length === 0) detail.append(h("p", { class: "none" }, "This try has no steps."));
  return {
    elements: [
      bars,
      h("div", { class: "work" }, rows.length > 0 ? list : h("div", { class: "steps" }), detail),
    ],
    choose: (/** @type {number} */ index) =>
      choose(index < 0 || index >= rows.length ? telling(one) : index, false),
  };
}

/** " of gedit", where most steps end so: said of each, it only takes room. @param {readonly ReportItem[]} items */
function usualApplication(items) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const item of items) {
    const end = item.kind === "step" ? / of [^ ]+$/.exec(item.name)?.[0] : undefined;
    if (end !== undefined) counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most && most[1] > 1 ? most[0] : undefined;
}

/** @param {ReportItem} item @param {number} index @param {string | undefined} usual @param {() => void} chosen */
function row(item, index, usual, chosen) {
  const line = (/** @type {readonly (Node | string)[]} */ ...cells) =>
    h("li", {
      role: "option",
      "aria-selected": "false",
      tabindex: "-1",
      id: `step-${index}`,
      title: "name" in item ? shown(item.name) : undefined,
      class: `depth${Math.min(3, item.depth)}`,
      click: chosen,
    }, cells);
  switch (item.kind) {
    case "step": {
      const name = usual !== undefined && item.name.endsWith(usual)
        ? item.name.slice(0, -usual.length)
        : item.name;
      const verdicts = item.back?.filter(({ incidental }) => !incidental).map(({ verdict }) => verdict) ?? [];
      const worst = verdicts.find((verdict) => kindOf(verdict) === "bad") ??
        verdicts.find((verdict) => kindOf(verdict) === "warn") ??
        verdicts.find((verdict) => verdict !== "already") ?? verdicts[0];
      return line(
        sign(item.status),
        h("span", { class: "at" }, shown(item.path)),
        h("span", { class: "what" }, shown(name), item.tries ? ` (${item.tries} tries)` : ""),
        worst === undefined ? h("span") : chip(worst, `↩ ${worst}`),
        h("span", { class: "took number" }, time(item.takes)),
      );
    }
    case "transaction":
      return line(
        h("span", { class: "mark quiet", "aria-hidden": "true" }, "┌"),
        h("span", { class: "at" }, shown(item.path)),
        h("span", { class: "what group" }, `transaction ${shown(item.name)}`),
        item.committed ? chip("passed", "committed") : chip("failed", "not committed"),
        h("span", { class: "took" }, ""),
      );
    case "savepoint":
      return line(
        h("span", { class: "mark quiet", "aria-hidden": "true" }, "⚑"),
        h("span", { class: "at" }, shown(item.path)),
        h("span", { class: "what group" }, `savepoint ${shown(item.name)}`),
        h("span"),
        h("span", { class: "took" }),
      );
    case "back":
      return line(
        h("span", { class: "mark warn", "aria-hidden": "true" }, "↩"),
        h("span", { class: "at" }, ""),
        h("span", { class: "what way" }, shown(backTitle(item))),
        chip(item.verdict ?? "unknown"),
        h("span", { class: "took number" }, time(item.takes)),
      );
    case "note":
      return line(
        h(
          "span",
          { class: `mark ${item.level === "warning" ? "warn" : "quiet"}`, "aria-hidden": "true" },
          item.level === "warning" ? "!" : "·",
        ),
        h("span", { class: "at" }, ""),
        h("span", { class: "what dim" }, shown(item.text)),
        h("span"),
        h("span", { class: "took" }),
      );
  }
}

/** @param {ReportItem} item @param {ReportTry} one */
function particulars(item, one) {
  switch (item.kind) {
    case "step":
      return step(item, one);
    case "back":
      return back(item, one);
    case "transaction": {
      const lines = one.journal.filter(({ path, kind }) =>
        path === item.path && (kind === "begin" || kind === "commit")
      );
      return [
        h(
          "div",
          { class: "head" },
          h("h2", {}, `Transaction ${shown(item.name)}`),
          item.committed ? chip("passed", "committed") : chip("failed", "not committed"),
          h("span", { class: "mono dim" }, shown(item.path)),
        ),
        item.error && errorBox(item.error),
        lines.length > 0 && journalTable(lines),
      ];
    }
    case "savepoint":
      return [
        h(
          "div",
          { class: "head" },
          h("h2", {}, `Savepoint ${shown(item.name)}`),
          h("span", { class: "mono dim" }, shown(item.path)),
        ),
      ];
    case "note":
      return [
        h(
          "div",
          { class: "head" },
          h("h2", {}, item.level === "warning" ? "Warning" : "Note"),
          h("span", { class: "dim number" }, `at ${time(item.at)}`),
        ),
        h("p", {}, shown(item.text)),
      ];
  }
}
