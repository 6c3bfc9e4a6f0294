/// <reference lib="dom" />
import { chip, shown, time } from "../../report/html/page/dom.js";
import { html, nothing } from "./lit.js";
import { ask } from "./server.js";
import { state, trying } from "./state.js";

/** @param {readonly string[]} ids */
const run = (ids) => trying(() => ask("suite-run", { ids }));

/** The files of a test run: which ran, how they ended, and running them again. */
export function suite() {
  const { suite: tests } = state;
  if (!tests) return nothing;
  const failed = tests.files.filter((/** @type {any} */ { status }) => status === "failed").map((
    /** @type {any} */ { id },
  ) => id);
  return html`<div class="suite">
    <div class="bar"><strong>${tests.files.length} files</strong>
      <button type="button" class="plain strong" ?disabled=${tests.running} @click=${() =>
    void run(tests.files.map((/** @type {any} */ { id }) => id))}>Run all</button>
      <button type="button" class="plain" ?disabled=${tests.running || failed.length === 0} @click=${() =>
    void run(failed)}>Run failed (${failed.length})</button>
      ${
    tests.running
      ? html`
        <button type="button" class="plain" @click=${() =>
          void trying(() => ask("suite-stop"))}>Stop</button><span class="dim"
          role="status">running…</span>
      `
      : nothing
  }
      <span class="spring"></span>
      ${
    ["passed", "failed", "flaky", "skipped"].map((status) => {
      const count = tests.files.filter((/** @type {any} */ one) => one.status === status).length;
      return count === 0 ? nothing : chip(status, `${count} ${status}`);
    })
  }</div>
    ${
    tests.workers.length === 0
      ? nothing
      : html`<p class="workers">Desktops: ${
        tests.workers.map((/** @type {any} */ one) =>
          html`
            <a href=${one.url} target="_blank" rel="noreferrer">worker ${one.worker}</a>
          `
        )
      }</p>`
  }
    <ul class="files-list">${
    tests.files.map((/** @type {any} */ one) =>
      html`<li>
      ${one.status ? chip(one.status) : html`<span class="chip">not run</span>`}
      <span class="name">${shown(one.name)}</span><span class="dim path">${shown(one.id)}</span>
      <span class="dim number">${one.ms === undefined ? "" : time(one.ms)}</span>
      <button type="button" class="plain" ?disabled=${tests.running} aria-label=${`Run ${one.id}`} @click=${() =>
        void run([one.id])}>Run</button>
      ${
        one.error
          ? html`<p class="why">${shown(one.error.message)}${
            one.error.hint
              ? html`
                <span class="dim">${shown(one.error.hint)}</span>
              `
              : nothing
          }</p>`
          : nothing
      }</li>`
    )
  }</ul></div>`;
}
