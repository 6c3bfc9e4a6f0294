/// <reference lib="dom" />
import { frames } from "./place.js";
import { around, listAnew, named } from "./rows.js";
import { ask } from "./server.js";
import { changed, state, trying } from "./state.js";

/** Tells the tree to show a row. @type {((row: any) => void)[]} */
const shows = [];

/** @param {(row: any) => void} show */
export function onChoose(show) {
  shows.push(show);
}

let asked = 0;

/** Chooses an element; `open`: the tree shows it. @param {any} row @param {boolean} open */
export function choose(row, open) {
  state.chosen = row;
  if (state.tab === "history") state.tab = "element";
  if (open) {
    for (const up of around(row)) {
      if (up.closed) {
        up.closed = false;
        listAnew();
      }
    }
    for (const show of shows) show(row);
  }
  frames();
  void refresh(row, true);
  changed();
}

/** Reads what is shown of the chosen element anew. @param {any} row @param {boolean} first */
export async function refresh(row, first) {
  const number = ++asked;
  if (first) {
    state.facts = undefined;
    state.possible = undefined;
  }
  const chosen = named(row);
  await trying(async () => {
    const facts = await ask("element", { chosen });
    if (number !== asked || state.chosen !== row) return;
    state.facts = facts;
    changed();
    const possible = await ask("possible", { chosen: named(row), value: facts.value ?? null });
    if (number !== asked || state.chosen !== row) return;
    state.possible = possible;
    changed();
  });
}

/** Does something through the gate. @param {string} operation @param {any} input @param {any} row */
export async function acted(operation, input, row) {
  state.busy = true;
  changed();
  try {
    const app = state.app?.bus;
    const done = await ask("act", {
      operation,
      input,
      ...(row ? { chosen: named(row) } : app ? { app } : {}),
    });
    state.said = undefined;
    state.last = done;
    if (state.chosen) void refresh(state.chosen, false);
    return done;
  } finally {
    state.busy = false;
    changed();
  }
}

/** @param {any} row */
export async function pickAssertions(row) {
  state.assertions = { row, list: await ask("record-assertions", { chosen: named(row) }) };
  state.tab = "recorder";
  changed();
}
