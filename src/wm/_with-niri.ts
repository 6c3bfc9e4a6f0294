import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NiriStandIn, niriState } from "./_niri.ts";
import type { WindowManager, WmWindow } from "./model.ts";
import { connectNiri } from "./niri-ipc.ts";

/** niri's stand-in, and what speaks with it. */
export interface WithNiri {
  readonly wm: WindowManager;
  readonly niri: NiriStandIn;
  window(id: number): Promise<WmWindow>;
}

/** Starts niri's stand-in with two windows and two workspaces, and ends it. */
export async function withNiri(body: (of: WithNiri) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "wm-niri-"));
  const niri = new NiriStandIn(join(folder, "niri.sock"), niriState());
  let wm: WindowManager | undefined;
  try {
    await niri.start();
    const opened = wm = await connectNiri(niri.path);
    await body({
      wm: opened,
      niri,
      async window(id) {
        const found = (await opened.windows()).find((one) => one.id === id);
        if (found === undefined) throw new Error(`no window ${id}`);
        return found;
      },
    });
  } finally {
    wm?.close();
    await niri.stop();
    rmSync(folder, { recursive: true });
  }
}
