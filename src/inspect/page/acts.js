/// <reference lib="dom" />
import { shown, time } from "../../report/html/page/dom.js";
import { html, nothing } from "./lit.js";
import { acted } from "./choose.js";
import { ask } from "./server.js";
import { changed, state, trying } from "./state.js";

/** What undoing needs, in words, and its colour. @type {Readonly<Record<string, readonly [string, string]>>} */
const EFFECTS = {
  restorable: ["good", "can be undone"],
  observed: ["warn", "undone by what it changes"],
  compensable: ["warn", "undone by its opposite"],
  irreversible: ["bad", "cannot be undone"],
  read: ["quiet", "changes nothing"],
};

/** What is typed into the fields of an operation, by its name and the field's. @type {Map<string, string>} */
const typed = new Map();

/** The operations on the chosen element. */
export function operations() {
  const { possible } = state;
  if (!possible) return html`<p class="dim">Looking…</p>`;
  const can = possible.filter((/** @type {any} */ one) => one.effect);
  const cannot = possible.filter((/** @type {any} */ one) => !one.effect);
  return html`
    <ul class="operations">${can.map(operation)}</ul>
    ${cannot.length === 0 ? nothing : html`
      <details class="cannot">
        <summary>${cannot.length} cannot be done now</summary>
        <dl>${cannot.map((/** @type {any} */ one) =>
          html`
            <dt>${one.operation}</dt>
            <dd>${shown(one.why ?? "")}</dd>
          `
        )}</dl>
      </details>
    `}
  `;
}

/** @param {any} one */
function operation(one) {
  const [kind, says] = EFFECTS[one.effect] ?? ["quiet", one.effect];
  const needed = one.fields.filter((/** @type {any} */ field) => field.required);
  const more = one.fields.filter((/** @type {any} */ field) => !field.required);
  return html`
    <li>
      <form @submit=${(/** @type {Event} */ event) => {
        event.preventDefault();
        const input = inputOf(one);
        void trying(() => acted(one.operation, input, state.chosen));
      }}>
        <button type="submit" class="plain strong" ?disabled=${state.busy} title=${one.title}>${one
          .operation}</button>
        ${needed.map((/** @type {any} */ field) => control(one.operation, field))}
        <span class=${`chip ${kind}`} title=${one.restores.length > 0
          ? `Restores: ${one.restores.join("; ")}`
          : ""}>${says}</span>
        ${more.length === 0
          ? nothing
          : html`<details class="more"><summary>more</summary>${
            more.map((/** @type {any} */ field) => control(one.operation, field))
          }
      ${
            one.restores.length > 0
              ? html`<p class="dim">Undoing it restores ${shown(one.restores.join("; "))}.</p>`
              : nothing
          }</details>`}
      </form>
    </li>
  `;
}

/** @param {string} operation @param {any} field */
function control(operation, field) {
  const key = `${operation}.${field.name}`;
  const existing = field.name === "value" && !typed.has(key) ? state.facts?.value : undefined;
  const value = typed.get(key) ?? (existing === undefined || existing === null ? "" : String(existing));
  const set = (/** @type {any} */ event) => {
    typed.set(key, event.target.type === "checkbox" ? String(event.target.checked) : event.target.value);
    changed();
  };
  const label = `${operation}: ${field.name}`;
  if (field.kind === "choice") {
    return html`
      <label
        class="field"><span>${field.name}</span><select aria-label=${label} title=${field
          .description} @change=${set}>
            ${field.required ? nothing : html`<option value=""></option>`}
            ${field.choices.map((/** @type {string} */ one) =>
              html`<option ?selected=${one === value}>${one}</option>`
            )}</select></label>
    `;
  }
  const isFlag = field.kind === "boolean" ||
    field.name === "value" && typeof state.facts?.value === "boolean";
  if (isFlag) {
    return html`
      <label
        class="field"><input type="checkbox" aria-label=${label} title=${field
          .description} .checked=${value === "true"} @change=${set}><span>${field.name === "value"
          ? "on"
          : field.name}</span></label>
    `;
  }
  return html`<label class="field"><span>${
    field.required ? nothing : field.name
  }</span><input type="text" aria-label=${label} placeholder=${field.name}
    title=${field.description} .value=${value} @input=${set}></label>`;
}

/** @param {any} one */
function inputOf(one) {
  /** @type {Record<string, unknown>} */
  const input = {};
  for (const field of one.fields) {
    const key = `${one.operation}.${field.name}`;
    const now = field.name === "value" ? state.facts?.value : undefined;
    let text = typed.get(key);
    if (text === undefined && field.required && now !== null && now !== undefined) text = String(now);
    if (text === undefined || text === "" && !field.required) continue;
    if (field.kind === "boolean") {
      if (text === "true" || field.required) input[field.name] = text === "true";
    } else if (field.kind === "number") input[field.name] = Number(text);
    else if (field.kind === "list") {
      input[field.name] = text.split(",").map((part) => part.trim()).filter((part) => part !== "");
    } else if (field.kind === "choice" && /^\d+$/.test(text)) input[field.name] = Number(text);
    else if (typeof now === "number" && text.trim() !== "" && !Number.isNaN(Number(text))) {
      input[field.name] = Number(text);
    } else if (typeof now === "boolean") input[field.name] = text === "true";
    else input[field.name] = text;
  }
  for (const field of one.fields) typed.delete(`${one.operation}.${field.name}`);
  return input;
}

/** Undoes the last act. */
export function undo() {
  return trying(async () => {
    state.busy = true;
    changed();
    try {
      state.last = await ask("undo");
    } finally {
      state.busy = false;
      changed();
    }
  });
}

/** What would be undone next. */
export function nextUndo() {
  return state.acts.findLast((one) =>
    one.operation !== "undo" && !one.undo && !one.error && one.effect !== "read"
  );
}

/** What was done in the pages, the last first. */
export function history() {
  const acts = state.acts.toReversed();
  return html`
    <div
      class="bar"><button type="button" class="plain" ?disabled=${!nextUndo() || state.busy} @click=${() =>
        void undo()}>Undo the last</button>
      <span class="dim">Each act went through the gate and is in a run: <code>backstep runs list</code></span></div>
    ${acts.length === 0 ? html`<p class="none">Nothing was done in a page yet.</p>` : nothing}
    <ol class="history">${acts.map((one) =>
      html`<li class=${one.error ? "bad" : one.undo === "undone" ? "undone" : ""}><span class="mark ${
        one.error ? "bad" : "good"
      }" aria-hidden="true">${one.error ? "✗" : "✓"}</span>
        <div><span>${shown(one.what)}</span>${
        one.error
          ? html`<p class="why">${shown(one.error.message)}${
            one.error.hint
              ? html`
                <span class="dim">${shown(one.error.hint)}</span>
              `
              : nothing
          }</p>`
          : nothing
      }</div>
        <span class="dim number">${
        one.undo === "undone"
          ? "undone"
          : one.undo === "stays"
          ? "stays"
          : one.effect
          ? EFFECTS[one.effect]?.[1]
          : ""
      }</span>
        <span class="dim number">${time(one.ms)}</span></li>`
    )}</ol>
  `;
}
