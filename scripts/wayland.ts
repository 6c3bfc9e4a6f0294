/**
 * Clicks by place and typed text on Wayland, by the applications' own account: `deno task wayland [--only WORD]`.
 *
 * 24 buttons of each toolkit's program are clicked where the tree says that they lie, the first right after the launch, at scale 1
 * and 2 and on the second of two outputs; 279 characters and Chinese, Japanese and Korean ones are typed. Every text has to arrive
 * letter by letter. The last line is `wayland: N passed, N failed`.
 *
 * @module
 */
import process from "node:process";
import { type Toolkit, TOOLKITS } from "../tests/wayland/fixture.ts";
import { TEXTS } from "../tests/wayland/texts.ts";
import { clickAll, onToolkit, typed } from "../tests/wayland/trial.ts";
import { onSecondOutput } from "../tests/wayland/outputs.ts";
import type { DesktopSettings } from "../src/session/settings/settings.ts";

const SETTINGS: readonly (readonly [name: string, settings: DesktopSettings])[] = [
  ["scale 1", {}],
  ["scale 2", { size: "2560x1600", scale: 2 }],
  ["second output", { monitors: ["1280x800", "1280x800"] }],
];

/** The word of a toolkit in a claim. */
const WORDS: Readonly<Record<Toolkit, string>> = {
  "GTK 3": "gtk3",
  "GTK 4": "gtk4",
  "Qt 5": "qt5",
  "Qt 6": "qt6",
  "Chromium": "chromium",
  "XWayland": "gtk3",
};

/** What is verified of each toolkit, for docs/reference/toolkits.md; XWayland is GTK 3 there. */
const CLAIMS: readonly { readonly claim: string; readonly method: string }[] = [
  { claim: "gtk3/wayland-click", method: "Wayland click" },
  { claim: "gtk3/wayland-type", method: "Wayland keys" },
  { claim: "gtk4/wayland-click", method: "Wayland click" },
  { claim: "gtk4/wayland-type", method: "Wayland keys" },
  { claim: "qt5/wayland-click", method: "Wayland click" },
  { claim: "qt5/wayland-type", method: "Wayland keys" },
  { claim: "qt6/wayland-click", method: "Wayland click" },
  { claim: "qt6/wayland-type", method: "Wayland keys" },
  { claim: "chromium/wayland-click", method: "Wayland click" },
  { claim: "chromium/wayland-type", method: "Wayland keys" },
];

/** Whether it was done by the method that is claimed; else what is wrong. */
function byMethod(toolkit: Toolkit, what: "click" | "type", method: string): string | undefined {
  const [claim] = CLAIMS.filter(({ claim }) => claim === `${WORDS[toolkit]}/wayland-${what}`);
  return claim?.method === method ? undefined : `by ${method}, not ${claim?.method}`;
}

const [flag, only = ""] = process.argv.slice(2);
if (flag !== undefined && flag !== "--only") {
  console.error("wayland: deno task wayland [--only WORD of a toolkit or a case]");
  process.exit(2);
}
let passed = 0, failed = 0;

/** Runs one case and prints what came of it. */
async function judge(name: string, run: () => Promise<string | undefined>): Promise<void> {
  if (!name.toLowerCase().includes(only.toLowerCase())) return;
  const began = performance.now();
  const why = await run().catch((error: unknown) => error instanceof Error ? error.message : String(error));
  const took = `${((performance.now() - began) / 1000).toFixed(1)} s`;
  if (why === undefined) passed++;
  else failed++;
  console.log(
    `${why === undefined ? "ok    " : "FAILED"} ${name.padEnd(40)} ${took}${
      why === undefined ? "" : `  ${why}`
    }`,
  );
}

for (const toolkit of TOOLKITS) {
  for (const [name, settings] of SETTINGS) {
    await judge(`${toolkit}, 24 buttons, ${name}`, () =>
      onToolkit(toolkit, settings, async (running) => {
        if (settings.monitors) await onSecondOutput(running);
        const { method, hit, wanted, missed } = await clickAll(running, 24);
        if (hit < wanted) return `${hit} of ${wanted}: ${JSON.stringify(missed)}`;
        return byMethod(toolkit, "click", method);
      }));
  }
  for (const [name, text] of Object.entries(TEXTS)) {
    await judge(`${toolkit}, ${name}`, () =>
      onToolkit(toolkit, {}, async (running) => {
        const { method, text: seen } = await typed(running, text);
        if (seen !== text) return `it wrote down ${JSON.stringify(seen)}`;
        return byMethod(toolkit, "type", method);
      }));
  }
}
console.log(`wayland: ${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
