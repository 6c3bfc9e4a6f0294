import assert from "node:assert/strict";
import { openNative } from "./open-native.ts";
import { platformOf } from "./platform.ts";

Deno.test("a Mac has no private desktop, and says what there is instead", async () => {
  for (const options of [{ kind: "isolated" }, { kind: "attach", id: "k3f9xz" }] as const) {
    await assert.rejects(openNative(options, {}, "macos"), {
      code: "unsupported",
      message: "Cannot open a private desktop: macOS has none",
      hint: /--session attach.*--session simulated/,
    });
  }
  await assert.rejects(openNative({ kind: "attach", settings: { locale: "de_DE.UTF-8" } }, {}, "macos"), {
    code: "unsupported",
    message: /Cannot use the desktop of this Mac/,
  });
});

Deno.test("the platform is that of the machine, unless a test names another", () => {
  assert.equal(platformOf({ BACKSTEP_PLATFORM: "macos" }), "macos");
  assert.equal(platformOf({}), platformOf({ BACKSTEP_PLATFORM: "vms" }));
});
