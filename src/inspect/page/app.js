/// <reference lib="dom" />
import { shown } from "../../report/html/page/dom.js";
import { html, nothing, render } from "./lit.js";
import { choose, pickAssertions, refresh } from "./choose.js";
import { history, nextUndo, undo } from "./acts.js";
import { facts } from "./facts.js";
import { frames, point } from "./place.js";
import { drawn, drawTiles, picture } from "./picture.js";
import { match, playground, timed } from "./playground.js";
import { recorder } from "./recorder.js";
import { heardTree } from "./rows.js";
import { runs } from "./runs.js";
import { ask, notices, pictures, Refused } from "./server.js";
import { changed, drawnBy, say, state } from "./state.js";
import { suite } from "./suite.js";
import { travel } from "./travel.js";
import { drawLines, tree } from "./tree.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
/** Milliseconds after which the picture is asked for although no tree has come. */
const LATEST = 400;
/** What listens now. */
let listening = new AbortController();
/** When the tree was told first since the page connected: read by the benchmark. */
export const first = { asked: 0, heard: 0, drawn: 0 };

/** @type {Readonly<Record<string, (data: any) => void>>} */
const HEARD = {
  hello: (data) => state.hello = data,
  apps: (data) => state.apps = data,
  app: (data) => {
    if (state.app?.bus !== data.bus) {
      Object.assign(state, {
        rows: [],
        version: 0,
        chosen: undefined,
        facts: undefined,
        possible: undefined,
        here: [],
      });
    }
    state.app = data;
    state.noApp = undefined;
  },
  "no-app": (data) => state.noApp = data,
  tree: (data) => {
    if (first.heard === 0) first.heard = performance.now();
    heardTree(data);
    frames();
    if (state.selector !== "") void match();
    if (state.chosen) void refresh(state.chosen, false);
  },
  acts: (data) => state.acts = data,
  record: (data) => state.record = data,
  suite: (data) => {
    if (!state.suite && state.hello?.kind === "none") state.view = "suite";
    state.suite = data;
  },
  pause: (data) => state.pause = data,
  travel: (data) => {
    if (!state.travel) state.tab = "travel";
    state.travel = data;
  },
  note: (data) => say("warn", data.message),
};

/** Listens to the server; a page that nobody sees listens to nothing. @param {string | undefined} app */
async function connect(app) {
  listening.abort();
  const own = listening = new AbortController();
  first.asked = performance.now();
  first.heard = first.drawn = 0;
  while (!own.signal.aborted) {
    try {
      state.trouble = undefined;
      let looks = false;
      const look = () => {
        if (looks || own.signal.aborted || !state.hello?.pictures) return;
        looks = true;
        // What is wrong with a picture that does not come, the notices say.
        pictures(drawTiles, own.signal).catch(() => {});
      };
      const heard = (/** @type {string} */ event, /** @type {any} */ data) => {
        if (own.signal.aborted) return;
        state.connected = true;
        HEARD[event]?.(data);
        // The tree goes first: the picture takes the processor that it needs.
        if (event === "hello") setTimeout(look, LATEST);
        if (event === "tree" || event === "no-app") setTimeout(look);
        changed();
      };
      await notices(app ?? state.app?.bus, heard, own.signal);
    } catch (error) {
      if (own.signal.aborted) return;
      state.trouble = error instanceof Refused
        ? error.message
        : "The inspector has ended, or cannot be reached.";
    }
    state.connected = false;
    changed();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** Shows another application. @param {string} app */
function showApp(app) {
  state.noApp = undefined;
  void connect(app);
}

/** Nothing of the page changes any more, and nothing is read for it. */
function freeze() {
  state.frozen = !state.frozen;
  if (state.frozen) {
    listening.abort();
    state.connected = false;
  } else void connect(state.app?.bus);
  changed();
}

document.addEventListener("visibilitychange", () => {
  if (state.frozen) return;
  if (document.hidden) listening.abort();
  else void connect(state.app?.bus);
});

/** What is beside the picture. @returns {readonly (readonly [string, string])[]} */
function tabs() {
  return [
    ...(state.travel ? [/** @type {const} */ (["travel", "Steps"])] : []),
    ["element", "Element"],
    ...(state.record ? [/** @type {const} */ (["recorder", "Recorder"])] : []),
    ["history", "History"],
  ];
}

function header() {
  const views = [["live", "Live"], ["runs", "Runs"], ...(state.suite ? [["suite", "Tests"]] : [])];
  return html`<header class="top">
    <span class="title">Backstep</span>
    <nav class="segments" aria-label="Views">${
    views.map(([view, title]) =>
      html`<button type="button" aria-pressed=${String(state.view === view)} @click=${() => {
        state.view = view;
        changed();
      }}>${title}</button>`
    )
  }</nav>
    <label class="app"><span class="unseen">Application</span><select @change=${(/** @type {any} */ event) =>
    showApp(event.target.value)}>
      ${state.app ? nothing : html`<option value="">Choose an application</option>`}
      ${
    state.apps.map(({ bus, name, pid, silent }) =>
      html`<option value=${bus} ?selected=${bus === state.app?.bus}>${shown(name)} (${pid})${
        silent ? ", silent" : ""
      }</option>`
    )
  }
    </select></label>
    <span class="dim">${shown(state.hello?.label ?? "")}</span>
    <span class="spring"></span>
    ${state.pause ? paused() : nothing}
    ${
    state.record?.recording
      ? html`<span class="chip bad">${state.record.paused ? "recording paused" : "● recording"}</span>`
      : nothing
  }
    <span class=${`chip ${state.frozen ? "warn" : state.connected ? "good" : "bad"}`} role="status">${
    state.frozen ? "frozen" : state.connected ? "live" : "not connected"
  }</span>
    <button type="button" class="plain" aria-pressed=${
    String(state.frozen)
  } title="f" @click=${freeze}>Freeze</button>
    <button type="button" class="plain" ?disabled=${!nextUndo() || state.busy} title=${
    nextUndo() ? `Undo ${nextUndo().what}` : "Nothing to undo"
  } @click=${() => void undo()}>Undo</button>
    <button type="button" class="plain" @click=${theme}>${isDark() ? "Light" : "Dark"}</button>
  </header>`;
}

/** A test that runs: a person may take over, and hand back. */
function paused() {
  const { pause } = state;
  return html`
    <span class="dim">${shown(
      pause.step ?? "",
    )}</span><button type="button" class="plain strong" aria-pressed=${String(pause.held)}
      @click=${() => void ask(pause.held ? "hand-back" : "take-over")}>${pause.held
        ? "Hand back"
        : "Take over"}</button>
  `;
}

function isDark() {
  return (document.documentElement.dataset["theme"] ?? (dark.matches ? "dark" : "light")) === "dark";
}

function theme() {
  document.documentElement.dataset["theme"] = isDark() ? "light" : "dark";
  changed();
}

function panel() {
  switch (state.tab) {
    case "travel":
      return travel();
    case "recorder":
      return recorder();
    case "history":
      return history();
    default:
      return facts();
  }
}

function side() {
  return html`
    <div role="tablist" aria-label="Beside the picture" @keydown=${(/** @type {KeyboardEvent} */ event) => {
      const at = tabs().findIndex(([id]) => id === state.tab);
      const to = event.key === "ArrowRight" ? at + 1 : event.key === "ArrowLeft" ? at - 1 : undefined;
      const tab = to === undefined ? undefined : tabs().at(to % tabs().length);
      if (!tab) return;
      state.tab = tab[0];
      changed();
      queueMicrotask(() => document.getElementById(`tab-${tab[0]}`)?.focus());
    }}>${tabs().map(([id, title]) =>
      html`
        <button type="button" role="tab" id=${`tab-${id}`} aria-selected=${String(
          state.tab === id,
        )} aria-controls="side"
          tabindex=${state.tab === id ? "0" : "-1"} @click=${() => {
            state.tab = id;
            changed();
          }}>${title}</button>
      `
    )}</div>
    <div role="tabpanel" id="side" aria-labelledby=${`tab-${state.tab}`} tabindex="0">${panel()}</div>
  `;
}

function said() {
  const { said: one, last } = state;
  if (one) {
    return html`<div class=${`said ${one.kind}`} role="status"><span>${shown(one.text)}${
      one.hint
        ? html`
          <span class="dim">${shown(one.hint)}</span>
        `
        : nothing
    }</span>
      <button type="button" class="plain" aria-label="Close" @click=${() => {
      state.said = undefined;
      changed();
    }}>✕</button></div>`;
  }
  if (!last) return nothing;
  return html`
    <div class=${`said ${last.error ? "bad" : "good"}`}
      role="status"><span>${last.error ? "✗" : "✓"} ${shown(last.what)}${last.error
        ? html`: ${shown(last.error.message)}`
        : html`
          <span class="dim">${last.ms} ms${last.method ? ` · ${last.method}` : ""}</span>
        `}</span>${!last.error && last.operation !== "undo" && last.effect !== "irreversible" && nextUndo()
        ? html`<button type="button" class="plain" @click=${() => void undo()}>Undo</button>`
        : nothing}<button type="button" class="plain" aria-label="Close" @click=${() => {
        state.last = undefined;
        changed();
      }}>✕</button></div>
  `;
}

function page() {
  if (state.trouble && !state.connected && !state.frozen && !state.hello) {
    return html`
      ${header()}<main id="main">
        <p class="none">${shown(state.trouble)}</p>
      </main>
    `;
  }
  return html`${header()}
    ${
    state.trouble && !state.frozen
      ? html`<p class="notice" role="alert">${shown(state.trouble)}</p>`
      : nothing
  }
    <main id="main" class=${state.view}><h1 class="unseen">Backstep inspector</h1>${
    state.view === "runs" ? runs() : state.view === "suite" ? suite() : html`
      <section class="left" aria-label="Tree">${tree()}</section>
      <section class="middle" aria-label="Picture">${picture()}${playground()}${said()}</section>
      <section class="right" aria-label="Details">${side()}</section>
    `
  }</main>`;
}

drawnBy(() => {
  render(page(), document.body);
  if (state.view === "live") drawLines();
  if (first.heard > 0 && first.drawn === 0) first.drawn = performance.now();
  if (state.wanted) {
    const app = state.wanted;
    state.wanted = undefined;
    showApp(app);
  }
});

addEventListener("keydown", (event) => {
  const inField = event.target instanceof Element &&
    /^(INPUT|TEXTAREA|SELECT|CANVAS)$/.test(event.target.tagName);
  if (event.altKey && /^[123]$/.test(event.key)) {
    const tools = /** @type {const} */ (["choose", "use", "assert"]);
    state.tool = tools[Number(event.key) - 1] ?? "choose";
    event.preventDefault();
    return changed();
  }
  if (inField || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/" || event.key === "s") {
    event.preventDefault();
    document.getElementById(event.key === "/" ? "search" : "selector")?.focus();
  } else if (event.key === "f") freeze();
});

void connect(undefined);
changed();
// The benchmark and tests read these.
Object.assign(globalThis, {
  inspector: { state, first, drawn, timed, choose, assert: pickAssertions, point },
});
