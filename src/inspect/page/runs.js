/// <reference lib="dom" />
import { chip, shown, time } from "../../report/html/page/dom.js";
import { html, nothing } from "./lit.js";
import { data, opened } from "./route.js";
import { ask } from "./server.js";
import { changed, trying } from "./state.js";
import { timeline } from "../../report/html/page/timeline.js";

/** @type {any[] | undefined} */
let list;
/** @type {any} */
let open;
/** @type {readonly Element[]} */
let elements = [];
const tried = { selector: "", /** @type {any} */ matches: undefined };

/** Reads the list of runs. */
export function listRuns() {
  return trying(async () => {
    list = await ask("runs");
    changed();
  });
}

/** @param {any} record */
function openRun(record) {
  return trying(async () => {
    const { data: report, pictures } = await ask("run", { run: record.run });
    opened(report, pictures);
    const [one] = report.files[0]?.tries ?? [];
    open = { record, one };
    const shownLines = one && timeline(one, 0);
    elements = shownLines?.elements ?? [];
    shownLines?.choose(-1);
    for (const element of elements) {
      element.addEventListener("click", () => void matchRecorded(), { passive: true });
    }
    changed();
    void matchRecorded();
  });
}

/** The tree of the step that is looked at; undefined: none was kept. */
function treeOfStep() {
  const chosen = document.querySelector('.runview .steps [aria-selected="true"]');
  const item = open?.one?.items[Number(chosen?.id.slice("step-".length))];
  return (item?.action ?? item?.after ?? item?.before)?.tree;
}

/** Tries the selector in the tree that was recorded at the step. */
async function matchRecorded() {
  const tree = treeOfStep();
  tried.matches = undefined;
  if (tree !== undefined && tried.selector.trim() !== "") {
    await trying(async () => {
      tried.matches = await ask("run-match", { run: open.record.run, tree, selector: tried.selector });
    });
    const tab = [...document.querySelectorAll('.runview [role="tab"]')].find((one) =>
      one.textContent === "Tree"
    );
    if (tab instanceof HTMLElement && tab.getAttribute("aria-selected") !== "true") tab.click();
  }
  const found = new Set(tried.matches?.rows ?? []);
  const lines = document.querySelectorAll('.runview [aria-label="Accessibility tree"] > div');
  let first = true;
  for (const [k, line] of lines.entries()) {
    line.classList.toggle("matched", found.has(k));
    if (first && found.has(k)) {
      line.scrollIntoView({ block: "nearest" });
      first = false;
    }
  }
  changed();
}

/** Runs that are over. */
export function runs() {
  if (list === undefined) {
    list = [];
    void listRuns();
  }
  return html`
    <div class="runview">
      <nav class="runlist" aria-label="Runs">
        <div class="bar"><strong>Runs</strong><span class="spring"></span>
          <button type="button" class="plain" @click=${() => void listRuns()}>Read again</button></div>
        <ul>${list.map((record) =>
          html`<li><button type="button" aria-current=${
            record.run === open?.record.run ? "true" : nothing
          } @click=${() => void openRun(record)}>
        <span>${shown(record.workflow)}</span>${chip(record.status)}<span class="dim number">${
            record.began.slice(0, 16).replace("T", " ")
          }</span></button></li>`
        )}</ul>
      </nav>
      <section class="run" aria-label="Run">${open
        ? runOpen()
        : html`<p class="none">Choose a run: what was seen before, at and after each of its steps is shown here.</p>`}</section>
    </div>
  `;
}

function runOpen() {
  const { record, one } = open;
  const { matches } = tried;
  return html`
    <div
      class="about"><div class="line"><h1>${shown(record.workflow)}</h1>${chip(
        record.status,
      )}<span class="dim number">${one ? time(one.duration) : ""}</span></div>
      <p class="facts mono">${record.run} · ${shown(record.desktop)} · exit ${String(
        record.exit,
      )}${record.rollback ? ` · rollback ${record.rollback}` : ""}</p>
      ${one?.missing ? html`<p class="notice">${shown(one.missing)}</p>` : nothing}
      ${data.trees.length === 0
        ? nothing
        : html`<div class="playground"><label for="recorded">Selector</label>
        <input id="recorded" type="text" spellcheck="false" placeholder="Try a selector in the tree of the step" .value=${tried.selector}
          @input=${(/** @type {any} */ event) => {
          tried.selector = event.target.value;
          void matchRecorded();
        }}><span class=${`count chip ${
          !matches ? "quiet" : matches.count === 1 ? "good" : matches.count === 0 ? "bad" : "warn"
        }`} role="status">${
          !matches
            ? "no selector"
            : matches.count === 1
            ? "1 match"
            : matches.count === 0
            ? "no match"
            : `${matches.count} match`
        }</span></div>
        ${matches?.why ? html`<p class="why">${shown(matches.why)}</p>` : nothing}`}
    </div>${elements}
  `;
}
