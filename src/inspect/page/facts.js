/// <reference lib="dom" />
import { shown } from "../../report/html/page/dom.js";
import { html, nothing } from "./lit.js";
import { choose } from "./choose.js";
import { point } from "./place.js";
import { words } from "./rows.js";
import { say, state } from "./state.js";
import { tryOut } from "./playground.js";
import { operations } from "./acts.js";

/** @param {string} text */
async function copy(text) {
  await navigator.clipboard.writeText(text);
  say("quiet", `Copied: ${text}`);
}

/** What is known of the chosen element. */
export function facts() {
  const { chosen, facts: read } = state;
  if (!chosen) {
    return html`<div class="none">Choose an element: in the tree, or with a click in the picture.
      <p class="keys dim"><kbd>/</kbd> search · <kbd>s</kbd> selector · <kbd>f</kbd> freeze · <kbd>Alt+1…3</kbd> what a click does</p></div>`;
  }
  return html`
    <div class="head">
      <h2>${shown(words(chosen))}</h2>
    </div>
    <p class="dim within">${read ? shown(read.in) : " "}</p>
    ${read
      ? html`<div class="states">${
        read.states.map((/** @type {string} */ word) => html`<span class="state">${word}</span>`)
      }</div>`
      : nothing}
    ${here()}
    <h3>Selectors</h3>
    ${selectors(read)}
    <h3>What can be done</h3>
    ${operations()}
    <h3>Properties</h3>
    ${read
      ? html`
        <table class="properties">
          <tbody>${read.properties.map((/** @type {[string, string]} */ [name, value]) =>
            html`
              <tr>
                <th scope="row">${shown(name)}</th>
                <td>${shown(value)}</td>
              </tr>
            `
          )}</tbody>
        </table>
      `
      : html`<p class="dim">Reading…</p>`}
  `;
}

/** @param {any} read */
function selectors(read) {
  if (!read) return html`<p class="dim">Reading…</p>`;
  if (read.locators.length === 0) {
    return html`<p class="dim">Nothing short tells it from others. Give it an id, or a name.</p>`;
  }
  return html`<ol class="selectors">${
    read.locators.map((/** @type {any} */ one, /** @type {number} */ k) =>
      html`<li><button type="button" class="try" title="Try it in the playground" @click=${() =>
        tryOut(one.selector)}
      ><code>${shown(one.selector)}</code></button><span class=${`chip ${
        one.score >= 10000 ? "bad" : one.score <= 200 ? "good" : "quiet"
      }`}
      title=${`Score ${one.score}: the lower, the longer it will last`}>${
        [...new Set(one.by)].join(", ")
      }</span
      ><button type="button" class="plain" @click=${() =>
        void copy(one.selector)} aria-label=${`Copy selector ${k + 1}`}>Copy</button></li>`
    )
  }</ol>`;
}

/** What lies at the place that was clicked, one under the other. */
function here() {
  const box = state.hello?.scaffolding ?? 0;
  const rows = state.here.filter((row) =>
    state.rows[row.at] === row && (state.boxes || row === state.chosen || (row.states & box) === 0)
  );
  if (rows.length < 2 || !rows.includes(state.chosen)) return nothing;
  return html`
    <details class="here" open>
      <summary>${rows.length} elements at this place</summary>
      <ul>${rows.slice(0, 12).map((row) =>
        html`<li><button type="button" aria-current=${row === state.chosen ? "true" : nothing}
      @pointerenter=${() => point(row)} @pointerleave=${() => point(undefined)} @focus=${() => point(row)}
      @click=${() => choose(row, true)}>${shown(words(row))}</button></li>`
      )}</ul>
    </details>
  `;
}
