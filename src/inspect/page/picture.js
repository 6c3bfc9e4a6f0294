/// <reference lib="dom" />
import { html, nothing } from "./lit.js";
import { over, point, sized } from "./place.js";
import { has, rowsAt } from "./rows.js";
import { ask } from "./server.js";
import { changed, say, state, trying } from "./state.js";
import { acted, choose, pickAssertions } from "./choose.js";

const canvas = document.createElement("canvas");
canvas.width = 1280;
canvas.height = 800;
canvas.setAttribute("role", "img");
canvas.setAttribute("aria-label", "The screen. Choose an element in the tree, or point at it here.");
canvas.className = "screen";
const context = canvas.getContext("2d", { alpha: false, desynchronized: true });
/** When something was drawn last, and how often: read by the benchmark. */
export const drawn = { at: 0, times: 0 };

/** @param {{ width: number, height: number, tiles: { x: number, y: number, pixels: ImageData }[] }} picture */
export function drawTiles({ width, height, tiles }) {
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  sized(width, height);
  for (const { x, y, pixels } of tiles) context?.putImageData(pixels, x, y);
  drawn.at = performance.now();
  drawn.times++;
}

/** Where on the screen a pointer is. @param {MouseEvent} event */
function placeOf(event) {
  const rect = canvas.getBoundingClientRect();
  return {
    x: Math.floor((event.clientX - rect.left) * canvas.width / rect.width),
    y: Math.floor((event.clientY - rect.top) * canvas.height / rect.height),
  };
}

canvas.addEventListener("pointermove", (event) => {
  const { x, y } = placeOf(event);
  point(rowsAt(x, y)[0]);
});
canvas.addEventListener("pointerleave", () => point(undefined));
canvas.addEventListener("click", (event) => clicked(event, "left"));
canvas.addEventListener("contextmenu", (event) => {
  event.preventDefault();
  if (state.tool === "use") clicked(event, "right");
});

/** @param {MouseEvent} event @param {"left" | "right"} button */
function clicked(event, button) {
  const place = placeOf(event);
  const seen = rowsAt(place.x, place.y);
  void trying(async () => {
    const { app, rows, version } = await ask("at", place);
    if (app !== undefined && app !== state.app?.bus) {
      if (state.tool === "use") return await usedAt(place, button, undefined);
      const other = state.apps.find(({ bus }) => bus === app);
      state.wanted = app;
      return say("quiet", `That is ${other?.name ?? "another application"}: it is shown now.`);
    }
    const likely = version === state.version ? rows.map((/** @type {number} */ at) => state.rows[at]) : [];
    const row = likely[0] ?? seen[0];
    if (state.tool === "use") return await usedAt(place, button, row);
    state.here = [...new Set([...likely, ...seen])];
    if (row) choose(row, true);
    if (row && state.tool === "assert") await pickAssertions(row);
    changed();
  });
}

/** @param {{ x: number, y: number }} place @param {"left" | "right"} button @param {any} row */
async function usedAt(place, button, row) {
  const more = button === "left" ? {} : { button };
  if (row && has(row, "visible")) await acted("click", more, row);
  else await acted("click-at", { ...place, ...more }, undefined);
}

/** What is typed a moment after each other is one text. */
let text = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

function flush() {
  clearTimeout(timer);
  const typed = text;
  text = "";
  if (typed === "") return Promise.resolve();
  return trying(() =>
    acted("type", { text: typed }, state.rows.findLast((row) => has(row, "focused") && has(row, "editable")))
  );
}

canvas.addEventListener("keydown", (event) => {
  if (state.tool !== "use" || event.altKey && /^[123]$/.test(event.key)) return;
  if (["Control", "Shift", "Alt", "Meta", "AltGraph"].includes(event.key)) return;
  event.preventDefault();
  const plain = !event.ctrlKey && !event.altKey && !event.metaKey && [...event.key].length === 1;
  if (plain) {
    text += event.key;
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), 350);
    return;
  }
  const keys = [
    event.ctrlKey && "ctrl",
    event.altKey && "alt",
    event.shiftKey && "shift",
    event.metaKey && "super",
    keyName(event.key),
  ];
  void flush().then(() => trying(() => acted("press", { keys: keys.filter(Boolean).join("+") }, undefined)));
});

/** @param {string} key */
function keyName(key) {
  const names = {
    " ": "space",
    ArrowUp: "Up",
    ArrowDown: "Down",
    ArrowLeft: "Left",
    ArrowRight: "Right",
    Enter: "Return",
  };
  return names[/** @type {keyof typeof names} */ (key)] ?? (key.length === 1 ? key.toLowerCase() : key);
}

/** @type {readonly (readonly ["choose" | "use" | "assert", string, string])[]} */
const TOOLS = [
  ["choose", "Choose", "A click chooses the element (Alt+1)"],
  ["use", "Use", "Clicks and keys go to the desktop, through the gate (Alt+2; Alt+1 leaves)"],
  ["assert", "Assert", "A click lists what can be asserted of the element (Alt+3)"],
];

/** The picture with what is said about it. */
export function picture() {
  // It takes keys only while they go to the desktop.
  const used = state.tool === "use";
  canvas.classList.toggle("using", used);
  canvas.setAttribute("role", used ? "application" : "img");
  if (used) canvas.tabIndex = 0;
  else canvas.removeAttribute("tabindex");
  return html`
    <div class="bar">
      <div class="segments" role="group" aria-label="What a click does">
        ${TOOLS.map(([tool, title, hint]) =>
          tool === "assert" && !state.record ? nothing : html`
            <button type="button" title=${hint} aria-pressed=${String(state.tool === tool)}
              @click=${() => {
                state.tool = tool;
                changed();
                if (tool === "use") queueMicrotask(() => canvas.focus());
              }}>${title}</button>
          `
        )}
      </div>
      <span class="dim hint">${TOOLS.find(([tool]) => tool === state.tool)?.[2]}</span>
      <span class="spring"></span>
      ${state.hello?.pictures === false ? html`<span class="chip warn">no pictures</span>` : nothing}
    </div>
    <div class="stagewrap">
      <div class=${`screenstage${state.frozen ? " frozen" : ""}`}>${canvas}${over}</div>
    </div>
  `;
}
