// @ts-check
/// <reference lib="dom" />
import { chip, h, shown, sign, time } from "./dom.js";
import { fileList } from "./files.js";
import { address, data, route } from "./route.js";
import { errorBox, table, word } from "./text.js";
import { timeline } from "./timeline.js";

/** @typedef {import("../model.ts").ReportFile} ReportFile */
/** @typedef {import("../model.ts").ReportTry} ReportTry */

const dark = matchMedia("(prefers-color-scheme: dark)");

/** What a run of many files came to. */
function top() {
  const theme = h("button", {
    type: "button",
    class: "plain",
    click: () => {
      const now = document.documentElement.dataset["theme"] ?? (dark.matches ? "dark" : "light");
      document.documentElement.dataset["theme"] = now === "dark" ? "light" : "dark";
      theme.textContent = now === "dark" ? "Dark theme" : "Light theme";
    },
  }, dark.matches ? "Light theme" : "Dark theme");
  const totals = /** @type {const} */ (["passed", "failed", "flaky", "skipped"]).filter((status) =>
    data.counts[status] > 0
  )
    .map((status) => chip(status, `${data.counts[status]} ${status}`));
  return h(
    "header",
    { class: "top" },
    h("span", { class: "title" }, shown(data.title)),
    h("div", { class: "totals" }, totals),
    data.interrupted && chip("failed", "interrupted"),
    h("span", { class: "spring" }),
    h(
      "span",
      { class: "dim number" },
      `${new Date(data.began).toISOString().slice(0, 16).replace("T", " ")} UTC · ${time(data.duration)} · ${
        data.workers === 1 ? "1 worker" : `${data.workers} workers`
      }`,
    ),
    theme,
  );
}

/** What the chosen file is, above its timeline. @param {ReportFile} file @param {number} index @param {number} attempt */
function about(file, index, attempt) {
  const one = file.tries[attempt];
  const facts = [
    file.id,
    one?.desktop,
    one && `worker ${one.worker}`,
    one && `run ${one.run}`,
    one && `exit ${one.exit}`,
    file.tags.length > 0 ? file.tags.join(", ") : undefined,
  ];
  const error = one?.error ?? file.error;
  const seen = one?.items.some((item) => item.kind === "step" && item.error?.message === error?.message);
  return h(
    "div",
    { class: "about" },
    h(
      "div",
      { class: "line" },
      h("h1", {}, shown(file.name)),
      chip(file.status, file.error?.code === "rejected" ? "rejected" : file.status),
      h(
        "span",
        { class: "dim number" },
        file.status === "skipped" ? "" : time(one?.duration ?? file.duration),
      ),
    ),
    h("p", { class: "facts mono" }, facts.filter(Boolean).map((fact) => shown(String(fact))).join(" · ")),
    file.tries.length > 1 &&
      h(
        "nav",
        { class: "tries", "aria-label": "Tries" },
        file.tries.map((one, number) =>
          h(
            "a",
            { href: address(index, number), ...(number === attempt ? { "aria-current": "true" } : {}) },
            sign(one.status),
            ` Try ${one.attempt} `,
            h("span", { class: "dim number" }, time(one.duration)),
          )
        ),
      ),
    file.reason !== undefined && h("p", { class: "notice" }, `Skipped: ${shown(file.reason)}`),
    error && !seen && errorBox(error),
    file.divergence && divergence(file.divergence),
    one?.missing !== undefined && h("p", { class: "notice" }, shown(one.missing)),
    one && one.unstable.length > 0 &&
      h("p", { class: "facts" }, `Changes by itself: ${shown(one.unstable.join(", "))}`),
    one?.printed
      ? h("details", { class: "box" }, h("summary", {}, "What it printed"), h("pre", {}, shown(one.printed)))
      : undefined,
  );
}

/** Where the tries of a flaky file part. @param {NonNullable<ReportFile["divergence"]>} found */
function divergence({ divergence, common, after, context, unopened }) {
  const fields = [...context, ...divergence?.fields ?? []];
  const side = (/** @type {"first" | "second"} */ which) => {
    const kind = divergence?.kinds[which];
    return !kind
      ? "it has ended"
      : `${kind}${divergence?.paths[which] ? ` of step ${divergence.paths[which]}` : ""} (line ${
        divergence?.lines[which]
      })`;
  };
  return h(
    "details",
    { class: "box", open: true },
    h(
      "summary",
      {},
      divergence
        ? "First divergence of the failing and the passing try"
        : "The tries do not differ in their journals",
    ),
    h(
      "p",
      {},
      `${common} events the same${after === undefined ? "" : `, the last step ${shown(after)}`}. `,
      divergence ? `Then, failing: ${shown(side("first"))}; passing: ${shown(side("second"))}.` : "",
    ),
    fields.length > 0 &&
      table(
        "Fields that differ",
        ["Field", "Failing try", "Passing try"],
        fields.map((
          { field, first, second },
        ) => [h("code", {}, shown(field)), h("code", {}, word(first)), h("code", {}, word(second))]),
      ),
    unopened.length > 0 &&
      h("p", { class: "dim" }, "Inputs and answers were not compared: the key of a run is not here."),
  );
}

const files = fileList();
const main = h("main", { id: "main", tabindex: "-1" });
const notes = data.notes.length > 0
  ? h("ul", { class: "notice" }, data.notes.map((note) => h("li", {}, shown(note))))
  : undefined;
let drawn = "";

function draw() {
  const { file: index, attempt, item } = route();
  const at = data.files[index]
    ? index
    : Math.max(0, data.files.findIndex(({ status }) => status === "failed"));
  const file = data.files[at];
  const number = file?.tries[attempt] ? attempt : (file?.tries.length ?? 0) - 1;
  if (drawn === `${at}.${number}.${item}`) return;
  drawn = `${at}.${number}.${item}`;
  files.update();
  if (!file) {
    main.replaceChildren(h("div", { class: "about" }, h("h1", {}, "No files")));
    return;
  }
  const one = file.tries[number];
  const lines = one ? timeline(one, number) : undefined;
  main.replaceChildren(about(file, at, number), ...(lines?.elements ?? []));
  lines?.choose(item);
}

const first = data.files.findIndex(({ status }) => status === "failed");
const flaky = data.files.findIndex(({ status }) => status === "flaky");
if (location.hash === "") history.replaceState(null, "", address(first >= 0 ? first : Math.max(0, flaky)));
document.body.append(
  h("a", {
    class: "skip",
    href: "#main",
    click: (event) => {
      event.preventDefault();
      main.focus();
    },
  }, "Skip to the steps"),
  top(),
  ...(notes ? [notes] : []),
  h("div", { class: data.files.length > 1 ? "frame" : "frame alone" }, files.element, main),
);
addEventListener("hashchange", draw);
draw();
