/// <reference lib="dom" />
import { chip, shown, sign, time } from "../../report/html/page/dom.js";
import { html, nothing } from "./lit.js";
import { ask } from "./server.js";
import { changed, state, trying } from "./state.js";

/** The step that is forked at, and its alternatives. @type {{ path: string, branches: { name: string, text: string }[] } | undefined} */
let forking;

/** @param {string} name @param {unknown} [body] */
const order = (name, body) =>
  trying(async () => {
    const reported = await ask(name, body);
    if (reported) state.travel = reported;
    changed();
  });

/** The steps of the run that stands on this desktop. */
export function travel() {
  const { travel: run } = state;
  if (!run) return nothing;
  const busy = run.doing !== "";
  const begun = run.steps.some((/** @type {any} */ { status }) => status === "passed" || status === "failed");
  return html`
    <div class="bar">
      <button type="button" class="plain strong" ?disabled=${busy} @click=${() =>
        void order("travel-on")}>Go on</button>
      <button type="button" class="plain" ?disabled=${busy} @click=${() =>
        void order("travel-step")}>One step</button>
      <button type="button" class="plain" ?disabled=${busy} title="Read the file again, go back to the first step that changed, and go on" @click=${() =>
        void order("travel-reload")}>File changed</button>
      ${busy
        ? html`
          <button type="button" class="plain" @click=${() =>
            void ask("travel-stop")}>Stop</button><span class="dim"
            role="status">${run.doing}…</span>
        `
        : nothing}
      ${!busy && run.went
        ? html`<span role="status">${
          chip(run.went.verdict, run.went.verdict === "none" ? "nothing to undo" : run.went.verdict)
        } <span class="dim number">${time(run.went.duration_ms)}</span></span>`
        : nothing}
    </div>
    ${run.error
      ? html`<div class="error"><p class="message">${shown(run.error.message)}</p>${
        run.error.hint ? html`<p class="hint">${shown(run.error.hint)}</p>` : nothing
      }</div>`
      : nothing}
    <p class="filename">${shown(run.file)}</p>
    <ol class="travel" aria-label="Steps">${run.steps.map((/** @type {any} */ step) =>
      line(step, run, busy)
    )}</ol>
    ${!busy && run.why === "end" ? html`<p class="notice good">All steps passed.</p>` : nothing}
    ${!begun && run.why === null
      ? html`<p class="dim">Nothing was done yet. What you do in this page is undone before the run goes on.</p>`
      : nothing}
    ${forking ? forkForm(run, busy) : nothing}
    ${run.forks.length === 0 ? nothing : html`
      <h2>Forks</h2>
      <ul class="forks">${run.forks.map((/** @type {any} */ one) =>
        html`<li>${chip(one.status)} <strong>${
          shown(one.name)
        }</strong> <span class="dim">${one.steps} steps reached</span>
        ${one.error ? html`<p class="why">${shown(one.error.message)}</p>` : nothing}
        ${
          one.differs.length > 0
            ? html`<p class="dim">Differs before the step: ${shown(one.differs.join(", "))}</p>`
            : nothing
        }</li>`
      )}</ul>
    `}
  `;
}

/** @param {any} step @param {any} run @param {boolean} busy */
function line(step, run, busy) {
  const reached = step.status !== "ahead" &&
    !(step.status === "next" && step.ms === undefined && run.why === null);
  return html`<li class=${step.status}>
    ${
    step.status === "next"
      ? html`<span class="mark" title="next">▶</span>`
      : step.status === "ahead"
      ? html`<span class="mark quiet">·</span>`
      : sign(step.status)
  }
    <span class="at">${step.path}</span><span class="what" title=${shown(step.name)}>${
    shown(step.name)
  }</span>
    <span class="dim number">${step.ms === undefined ? "" : time(step.ms)}</span>
    <span class="go">${
    step.status === "ahead"
      ? html`
        <button type="button" class="plain" ?disabled=${busy} aria-label=${`Go on to step ${step.path}`}
          @click=${() => void order("travel-until", { path: step.path })}>To here</button>
      `
      : reached && step.status !== "next"
      ? html`
        <button type="button" class="plain" ?disabled=${busy} aria-label=${`Back to here, step ${step.path}`}
          @click=${() => void order("travel-back", { path: step.path })}>Back to here</button>
      `
      : nothing
  }${
    reached
      ? html`
        <button type="button" class="plain" ?disabled=${busy} aria-label=${`Fork at step ${step.path}`}
          @click=${() => {
            forking = {
              path: step.path,
              branches: [{ name: "as it is", text: run.text }, { name: "alternative", text: run.text }],
            };
            changed();
          }}>Fork</button>
      `
      : nothing
  }</span></li>`;
}

/** @param {any} run @param {boolean} busy */
function forkForm(run, busy) {
  const form = forking;
  if (!form) return nothing;
  return html`<form class="box" @submit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    void order("travel-fork", form);
    forking = undefined;
    changed();
  }}>
    <p>Fork before step ${form.path}: each alternative runs on a private desktop of its own. The steps before it stay the same.</p>
    ${
    form.branches.map((branch, k) =>
      html`
        <label class="field"><span>Name</span><input type="text" .value=${branch.name} @input=${(
          /** @type {any} */ event,
        ) => branch.name = event.target.value}></label>
        <textarea aria-label=${`Alternative ${k + 1}`} rows="8" spellcheck="false" wrap="off" .value=${branch
          .text}
          @input=${(/** @type {any} */ event) => branch.text = event.target.value}></textarea>
      `
    )
  }
    <div class="choices"><button type="button" class="plain" @click=${() => {
    form.branches.push({ name: `alternative ${form.branches.length}`, text: run.text });
    changed();
  }}>One more</button><button type="submit" class="plain strong" ?disabled=${busy}>Fork</button>
    <button type="button" class="plain" @click=${() => {
    forking = undefined;
    changed();
  }}>Cancel</button></div></form>`;
}
