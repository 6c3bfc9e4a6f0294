// What is pictured part by part, as the display tells what was drawn, is what the screen shows.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { existsSync } from "node:fs";
import { Deadline, pause } from "../src/base/call.ts";
import type { Desktop } from "../src/desktop/desktop.ts";
import { ScreenPixels, type Shown } from "../src/engine/evidence/screen-pixels.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";

/** Milliseconds without drawing after which a picture and the next one are of the same. */
const STILL = 60;
const KEYS = "1234567890";

for (const program of ["gnome-calculator", "gedit"]) {
  Deno.test({
    name: `parts of the screen make the whole, as ${program} draws`,
    ignore: !existsSync(`/usr/bin/${program}`),
    async fn() {
      const session = await openSession({ kind: "isolated" });
      try {
        await session.launcher.launch(program, { timeout: 30_000 });
        await compare(session);
      } finally {
        await session.close();
      }
    },
  });
}

async function compare(session: Session): Promise<void> {
  const { desktop } = session;
  const deadline = Deadline.after(60_000);
  const pixels = new ScreenPixels(session);
  const versions = new Set<number>();
  for (const key of KEYS) {
    await desktop.typeText(key, deadline.call());
    const { shown, whole } = await bothStill(desktop, pixels, deadline);
    assert.ok(Buffer.from(shown.frame.rgba).equals(Buffer.from(whole)), `after ${key}`);
    versions.add(shown.version);
  }
  assert.ok(versions.size > KEYS.length / 2, "what was typed was drawn");
}

/** By parts and whole, with nothing drawn in between: a caret blinks. */
async function bothStill(
  desktop: Desktop,
  pixels: ScreenPixels,
  deadline: Deadline,
): Promise<{ readonly shown: Shown; readonly whole: Uint8Array }> {
  const still = async () => (await desktop.drawn?.(0, deadline.call()))?.still ?? 0;
  for (;;) {
    // What was typed is not drawn at once.
    await pause(STILL, deadline.signal);
    for (let now = await still(); now < STILL; now = await still()) await pause(STILL - now, deadline.signal);
    const shown = await pixels.now([], deadline);
    assert.ok(typeof shown !== "string");
    const { rgba } = await desktop.screenshot({ what: "screen" }, deadline.call());
    if (await still() >= STILL) return { shown, whole: rgba };
  }
}
