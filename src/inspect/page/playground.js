/// <reference lib="dom" />
import { shown } from "../../report/html/page/dom.js";
import { html, nothing } from "./lit.js";
import { frames } from "./place.js";
import { choose } from "./choose.js";
import { ask } from "./server.js";
import { changed, state, trying } from "./state.js";

/** When it was asked, and when the answer was shown: read by the benchmark. */
export const timed = { asked: 0, shown: 0, ms: 0 };
let waiting = false;
let again = false;

/** Asks what the selector finds now; while that is under way, once more at most. */
export async function match() {
  if (state.selector.trim() === "") {
    state.matches = undefined;
    frames();
    return changed();
  }
  if (waiting) {
    again = true;
    return;
  }
  waiting = true;
  try {
    do {
      again = false;
      timed.asked = performance.now();
      const matches = await ask("match", { app: state.app?.bus ?? "", selector: state.selector });
      if (matches.version !== state.version) matches.rows = [];
      state.matches = matches;
      timed.shown = performance.now();
      timed.ms = matches.ms;
      askWhy();
      frames();
      changed();
    } while (again);
  } catch (error) {
    state.matches = error instanceof Error ? { count: 0, rows: [], why: error.message } : undefined;
    changed();
  } finally {
    waiting = false;
  }
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Asks why nothing matches, once nobody types any more: that looks at everything there is. */
function askWhy() {
  clearTimeout(timer);
  const { matches, selector } = state;
  if (!matches || matches.count > 0 || matches.why) return;
  timer = setTimeout(() => {
    void trying(async () => {
      const reason = await ask("why", { app: state.app?.bus ?? "", selector });
      if (state.matches !== matches) return;
      state.matches = { ...matches, ...reason };
      changed();
    });
  }, 120);
}

/** Tries a selector that somebody has. @param {string} selector */
export function tryOut(selector) {
  state.selector = selector;
  state.explained = undefined;
  document.getElementById("selector")?.focus();
  changed();
  void match();
}

async function explainNow() {
  await trying(async () => {
    state.explained = await ask("explain", { app: state.app?.bus ?? "", selector: state.selector });
    changed();
  });
}

/** The line in which selectors are tried. */
export function playground() {
  const { matches, explained } = state;
  const one = matches?.count === 1 || matches?.meant === 1;
  return html`
    <div class="playground">
      <label for="selector">Selector</label>
      <input id="selector" type="text" spellcheck="false" autocomplete="off" placeholder='button[name="Save"]'
        .value=${state.selector}
        @input=${(/** @type {any} */ event) => {
          state.selector = event.target.value;
          state.explained = undefined;
          void match();
        }}
        @keydown=${(/** @type {KeyboardEvent} */ event) => {
          const row = event.key === "Enter" ? state.rows[matches?.rows?.[0] ?? -1] : undefined;
          if (row) choose(row, true);
        }}>
      <span class=${`count chip ${
        !matches ? "quiet" : one ? "good" : matches.count === 0 ? "bad" : "warn"
      }`} role="status">${!matches
        ? "no selector"
        : matches.count === 1
        ? "1 match"
        : matches.count === 0
        ? "no match"
        : `${matches.count} match`}${matches && matches.count > 1 && matches.meant < matches.count
        ? html`, ${matches.meant} meant`
        : nothing}</span>
      <button type="button" class="plain" ?disabled=${state.selector.trim() === ""} @click=${() =>
        void explainNow()}>Explain</button>
    </div>
    ${matches?.why
      ? html`<p class="why">${shown(matches.why)}${
        matches.hint ? html`<br><span class="dim">${shown(matches.hint)}</span>` : nothing
      }</p>`
      : nothing}
    ${matches && matches.count > 0
      ? html`<p class="dim named">read as ${matches.strategy}: ${shown(matches.named.join(", "))}${
        matches.meant > matches.named.length ? "…" : ""
      }</p>`
      : nothing}
    ${explained
      ? html`<p class=${`explained ${explained.ready ? "good" : "bad"}`} role="status">${
        explained.ready ? "✓" : "✗"
      } ${shown(explained.sentence)}${
        explained.coveredBy
          ? html`
            Covered by ${shown(explained.coveredBy)}.
          `
          : nothing
      }</p>`
      : nothing}
  `;
}
