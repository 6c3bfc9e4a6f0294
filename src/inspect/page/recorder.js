/// <reference lib="dom" />
import { shown } from "../../report/html/page/dom.js";
import { html, nothing } from "./lit.js";
import { ask } from "./server.js";
import { words } from "./rows.js";
import { changed, say, state, trying } from "./state.js";

/** The text as it is being edited; undefined: as the server has it. @type {string | undefined} */
let editing;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {string} name @param {unknown} [body] */
const order = (name, body) =>
  trying(async () => {
    state.record = await ask(name, body);
    changed();
  });

/** @param {string} text */
function edited(text) {
  editing = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    void order("record-edit", { text }).then(() => {
      if (editing === text) editing = undefined;
    });
  }, 250);
  changed();
}

/** The recorder with its file. */
export function recorder() {
  const { record } = state;
  if (!record) return html`<p class="none">This page has no recorder.</p>`;
  const text = editing ?? record.text;
  const count = text.split("\n").length;
  const bad = new Set(record.problems.map((/** @type {any} */ { line }) => line));
  return html`
    <div class="bar">
      ${record.recording
        ? html`
          <button type="button" class="plain strong rec on" @click=${() =>
            void order("record-stop")}>Stop</button>
          <button type="button" class="plain" aria-pressed=${String(record.paused)} @click=${() =>
            void order("record-pause")}>${record.paused ? "Go on" : "Pause"}</button>
        `
        : html`<button type="button" class="plain strong rec" @click=${() =>
          void order("record-start")}>Record</button>`}
      <button type="button" class="plain" ?disabled=${record.steps.length === 0} @click=${() =>
        void order("record-undo")}>Undo step</button>
      <button type="button" class="plain" aria-pressed=${String(state.tool === "assert")} @click=${() => {
        state.tool = state.tool === "assert" ? "choose" : "assert";
        changed();
      }}>Assert…</button>
      <span class="spring"></span>
      <button type="button" class="plain strong" ?disabled=${record.saved} @click=${() =>
        void order("record-save").then(() => say("good", `Saved ${state.record?.file ?? ""}`))}>${record.saved
        ? "Saved"
        : "Save"}</button>
    </div>
    ${record.deaf
      ? html`
        <p
          class="notice">What is done at the desktop itself is not recorded: ${shown(
            record.deaf,
          )} What you do in this page is.</p>
      `
      : nothing}
    ${assertions()}
    <ol class="steps-list" aria-label="Recorded steps">${record.steps.map((
      /** @type {any} */ step,
      /** @type {number} */ k,
    ) =>
      html`<li><span class="at">${k + 1}</span><span class="what">${
        shown(step.text)
      }</span><span class="dim">${step.from}</span></li>`
    )}</ol>
    ${record.steps.length === 0
      ? html`<p class="dim">${
        record.recording
          ? "Use the desktop, or this page: each act becomes a step."
          : "Record, then use the desktop: directly, with Use in the picture, or with what can be done to an element."
      }</p>`
      : nothing}
    <label class="filename" for="file">${shown(record.file)}${record.edited ? " · edited" : ""}</label>
    <div class="editor">
      <div class="gutter" aria-hidden="true">${Array.from(
        { length: count },
        (_, k) => html`<span class=${bad.has(k + 1) ? "bad" : ""}>${k + 1}</span>`,
      )}</div>
      <textarea id="file" spellcheck="false" wrap="off" rows=${Math.max(
        12,
        Math.min(40, count + 1),
      )} .value=${text}
        @input=${(/** @type {any} */ event) => edited(event.target.value)}
        @scroll=${(/** @type {any} */ event) => {
          event.target.previousElementSibling.scrollTop = event.target.scrollTop;
        }}></textarea>
    </div>
    ${record.problems.length === 0
      ? nothing
      : html`<ul class="problems" role="status">${
        record.problems.map((/** @type {any} */ one) =>
          html`<li><span class="number">line ${one.line}</span> ${shown(one.message)}${
            one.hint
              ? html`
                <span class="dim">${shown(one.hint)}</span>
              `
              : nothing
          }</li>`
        )
      }</ul>`}
  `;
}

/** What can be asserted of the element that was picked. */
function assertions() {
  const { assertions: picked } = state;
  if (!picked) {
    return state.tool === "assert" ? html`<p class="notice">Click an element in the picture.</p>` : nothing;
  }
  return html`
    <div class="box assertions">
      <p>Assert of ${shown(words(picked.row))}:</p>
      <div class="choices">${picked.list.map((/** @type {any} */ one) =>
        html`<button type="button" class="plain" @click=${() => {
          void order("record-assert", {
            chosen: { app: state.app?.bus, version: state.version, row: picked.row.at },
            holds: one.holds,
          });
          state.assertions = undefined;
          state.tool = "choose";
          changed();
        }}>${shown(one.words)}</button>`
      )}
        <button type="button" class="plain" @click=${() => {
          state.assertions = undefined;
          changed();
        }}>Cancel</button></div>
    </div>
  `;
}
