import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Gesture } from "../desktop.ts";
import { ClickNotes } from "./click-notes.ts";
import { Clicks } from "./clicks.ts";

const click = (x: number, button: "left" | "right" = "left"): Gesture => {
  return { do: "click", x, y: 10, button, count: 1 };
};

/** Milliseconds until a gesture may begin, right after a click at 100, 10. */
async function after(gesture: Gesture): Promise<number> {
  const clicks = new Clicks();
  clicks.done(click(100));
  const from = performance.now();
  await clicks.ready(gesture);
  return performance.now() - from;
}

Deno.test("a click at the place of the one before waits until it is no double click", async () => {
  assert.ok(await after(click(103)) >= 480);
});

Deno.test("a click elsewhere or with another button does not wait, nor does a move", async () => {
  assert.ok(await after(click(130)) < 200);
  assert.ok(await after(click(100, "right")) < 200);
  assert.ok(await after({ do: "move", x: 100, y: 10 }) < 200);
});

Deno.test("a double click waits wherever the click before was, for GTK's lists take it for none", async () => {
  assert.ok(await after({ do: "click", x: 300, y: 10, button: "left", count: 2 }) >= 480);
  assert.ok(await after({ do: "click", x: 300, y: 10, button: "right", count: 2 }) < 200);
});

Deno.test("a click waits for an earlier one at its place although another was elsewhere meanwhile: GTK counts by lists", async () => {
  const clicks = new Clicks();
  clicks.done(click(100));
  clicks.done(click(300));
  const from = performance.now();
  await clicks.ready(click(102));
  assert.ok(performance.now() - from >= 480);
});

Deno.test("a click waits for an earlier one wherever that was, if a window was moved between them", async () => {
  const clicks = new Clicks();
  clicks.done(click(100));
  clicks.moved();
  const from = performance.now();
  await clicks.ready(click(300));
  assert.ok(performance.now() - from >= 480);
  clicks.done(click(300));
  await clicks.ready(click(500));
  assert.ok(performance.now() - from < 700, "what was clicked since then lies where it was");
});

Deno.test("who waits can be called off", async () => {
  const clicks = new Clicks();
  clicks.done(click(100));
  await assert.rejects(clicks.ready(click(100), { signal: AbortSignal.abort() }), { code: "cancelled" });
});

Deno.test("a click waits for one that somebody else did on the same desktop", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backstep-clicks-"));
  try {
    const notes = () => new ClickNotes(join(folder, "clicks"));
    const one = new Clicks(notes()), other = new Clicks(notes());
    await other.ready(click(100));
    one.done(click(100));
    const from = performance.now();
    await other.ready(click(300));
    assert.ok(performance.now() - from < 200, "elsewhere");
    await other.ready(click(103));
    assert.ok(performance.now() - from >= 480);
    // Another click by somebody else does not make the first forgotten.
    one.done(click(700));
    new Clicks(notes()).done(click(900));
    const late = performance.now();
    await other.ready(click(700));
    assert.ok(performance.now() - late >= 480);
    for (const text of ["", "{", "[1]"]) {
      writeFileSync(join(folder, "clicks"), text);
      await other.ready(click(500));
    }
    other.done(click(103));
    const again = performance.now();
    await one.ready(click(100));
    assert.ok(performance.now() - again >= 480, "not its own that came before");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("where no clicks can be noted, others' clicks are not known, and nothing fails", async () => {
  const clicks = new Clicks(new ClickNotes("/nowhere/at/all/clicks"));
  clicks.done(click(100));
  await clicks.ready(click(300));
});
