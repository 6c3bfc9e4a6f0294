import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openNative } from "../src/session/open-native.ts";
import { isInstalled } from "./_installed.ts";
import { runText } from "./_workflow.ts";
import { clickAll, onToolkit, typed } from "./wayland/trial.ts";

// All six toolkits, 24 buttons, two scales and two outputs: `deno task wayland`.
const CLICKS = [
  { toolkit: "GTK 3", claim: "gtk3/wayland-click", method: "Wayland click" },
  { toolkit: "GTK 4", claim: "gtk4/wayland-click", method: "Wayland click" },
  { toolkit: "Qt 6", claim: "qt6/wayland-click", method: "Wayland click" },
] as const;
const TYPING = [
  { toolkit: "GTK 3", claim: "gtk3/wayland-type", method: "Wayland keys" },
  { toolkit: "GTK 4", claim: "gtk4/wayland-type", method: "Wayland keys" },
  { toolkit: "Qt 6", claim: "qt6/wayland-type", method: "Wayland keys" },
] as const;

for (const { toolkit, method } of CLICKS) {
  Deno.test(`${toolkit} on Wayland: buttons are pressed where the tree says that they lie`, async () => {
    await onToolkit(toolkit, {}, async (running) => {
      assert.deepEqual(await clickAll(running, 8), { method, wanted: 8, hit: 8, missed: {} });
    });
  });
}

for (const { toolkit, method } of TYPING) {
  Deno.test(`${toolkit} on Wayland: text arrives letter by letter`, async () => {
    await onToolkit(toolkit, {}, async (running) => {
      // More characters than a keymap has keys.
      const text =
        "Grüße, 世界: the quick brown fox jumps over the lazy dog, ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789";
      assert.deepEqual(await typed(running, text), { method, text });
    });
  });
}

Deno.test("XWayland: a window of X11 knows where it lies", async () => {
  await onToolkit("XWayland", {}, async (running) => {
    assert.deepEqual(await clickAll(running, 4), { method: "Wayland click", wanted: 4, hit: 4, missed: {} });
  });
});

const TEXT_EDIT = "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/richtext/textedit/textedit";

Deno.test({
  name:
    "Qt 5 on Wayland: an item of an open menu is clicked, though the application knows only the window below",
  ignore: !isInstalled(TEXT_EDIT),
  async fn() {
    const state = mkdtempSync(join(tmpdir(), "bs-menu-"));
    const session = await openNative({ kind: "isolated", state, settings: { display: "wayland" } });
    try {
      const result = await runText(
        `name: menu
steps:
  - launch: ${TEXT_EDIT}
  - click: 'menubar > menuitem[name="File"]'
  - click: 'menuitem[name="Save As..."]'
  - assert: { target: 'dialog textfield[name="File name:"]', exists: true }
`,
        { session, state },
      );
      assert.equal(result.status, "passed", JSON.stringify(result.steps.at(-1)));
    } finally {
      await session.close();
      rmSync(state, { recursive: true, force: true });
    }
  },
});
