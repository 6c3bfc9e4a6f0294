import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DisplayStandIn } from "../x11/_display.ts";
import { OwnWindowManager } from "./own-window-manager.ts";

Deno.test("a window manager that is not there yet is asked for again; one that answers is kept until the end", async () => {
  const folder = mkdtempSync(join(tmpdir(), "own-wm-"));
  const display = new DisplayStandIn(join(folder, "X"));
  const own = new OwnWindowManager({ DISPLAY: display.server.path });
  try {
    assert.equal(await own.get(), undefined);
    await display.server.start();
    assert.equal(await own.get(), undefined);
    display.open(0x200);
    for (const window of [DisplayStandIn.ROOT, 0x200]) {
      display.set(window, "_NET_SUPPORTING_WM_CHECK", [0x200]);
    }
    const manager = await own.get();
    assert.equal(manager?.kind, "ewmh");
    assert.equal(await own.get(), manager);
    own.close();
    await assert.rejects(own.get(), { code: "no_desktop" });
    await assert.rejects(async () => await manager?.outputs(), {
      code: "no_desktop",
      message: /it was closed/,
    });
  } finally {
    own.close();
    await display.server.stop();
    rmSync(folder, { recursive: true });
  }
});
