import { equal, rejects } from "node:assert/strict";
import process from "node:process";
import { BackstepError } from "../base/error.ts";
import { instead } from "../desktop/_instead.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { Holder, Holders } from "../desktop/holders.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import { guardDesktop } from "./guarded-desktop.ts";
import { blockedBy } from "./lists.ts";
import type { AppIdentity } from "./security.ts";

const FREE: Holder = { who: "nobody", pid: 0 };

/** A desktop in memory that tells of other processes what a test says, and a policy that denies one application. */
async function withHolders(
  reported: Partial<Holders> | BackstepError,
  work: (desktop: Desktop) => Promise<void>,
): Promise<void> {
  const raw = simulate({ applications: ["sim.calculator"], clock: "virtual" });
  const [calculator] = await raw.applications();
  const pid = calculator?.pid ?? 0;
  const holders: Desktop["holders"] = ({ windows, places }) =>
    reported instanceof BackstepError ? Promise.reject(reported) : Promise.resolve({
      grabbed: { keyboard: false, pointer: false },
      focus: { who: "application", pid },
      clipboard: FREE,
      clients: [],
      windows: windows.map(() => 0),
      places: places.map(() => []),
      ...reported,
    });
  const telling = instead(raw, { holders });
  const blocked = (app: AppIdentity) => blockedBy({ allowed: [], denied: ["vault"] }, app);
  try {
    await work(guardDesktop(telling, { mode: "normal", restricts: true, blocked }));
  } finally {
    await raw.close();
  }
}

const REFUSED = { code: "policy" };

Deno.test("where the display does not tell whose things are, keys, clicks and the clipboard are refused, and lists are not", async () => {
  await withHolders(new BackstepError("unsupported", "no X-Resource"), async (desktop) => {
    await rejects(desktop.readClipboard(), REFUSED);
    await rejects(desktop.pressKeys(["Tab"]), REFUSED);
    await rejects(desktop.pointer({ do: "move", x: 5, y: 5 }), REFUSED);
    equal((await desktop.applications()).length, 1);
  });
});

Deno.test("whatever else keeps the display from telling is no leave", async () => {
  await withHolders(new BackstepError("timeout", "late"), async (desktop) => {
    await rejects(desktop.readClipboard(), { code: "timeout" });
    await rejects(desktop.pressKeys(["Tab"]), { code: "timeout" });
  });
});

const OWNERS: readonly [Holder, boolean][] = [
  [FREE, true],
  [{ who: "ourselves", pid: 1 }, true],
  [{ who: "application", pid: process.pid }, true],
  [{ who: "application", pid: 0 }, false],
  [{ who: "application", pid: 2 ** 22 + 1 }, false],
  [{ who: "unknown", pid: 0 }, false],
  [{ who: "manager", pid: process.pid }, false],
  [{ who: "clipboard manager", pid: process.pid }, false],
];
for (const [clipboard, allowed] of OWNERS) {
  const { who, pid } = clipboard;
  Deno.test(`a clipboard of ${who}, ${pid === process.pid ? "this process" : `process ${pid}`}, is ${allowed ? "read" : "refused"}`, async () => {
    await withHolders({ clipboard }, async (desktop) => {
      if (allowed) await desktop.readClipboard();
      else await rejects(desktop.readClipboard(), REFUSED);
    });
  });
}

Deno.test("the window manager's focus goes by the active window, nobody's and an unknown one's is refused", async () => {
  await withHolders({ focus: { who: "manager", pid: 1 } }, (desktop) => desktop.pressKeys(["Tab"]));
  for (const who of ["nobody", "unknown"] as const) {
    await withHolders({ focus: { who, pid: 0 } }, (desktop) => rejects(desktop.pressKeys(["Tab"]), REFUSED));
  }
});

Deno.test("a grab is refused where a client that may not be used, or is not known, could have it", async () => {
  const grabbed = { keyboard: true, pointer: true };
  const own = { pid: 0, shown: true, manager: false, own: true };
  const stranger = { pid: 0, shown: true, manager: false, own: false };
  const move = { do: "move", x: 5, y: 5 } as const;
  await withHolders({ grabbed, clients: [own] }, async (desktop) => {
    await desktop.pressKeys(["Tab"]);
    await desktop.pointer(move);
  });
  await withHolders({ grabbed, clients: [own, stranger] }, async (desktop) => {
    await rejects(desktop.pressKeys(["Tab"]), REFUSED);
    await rejects(desktop.pointer(move), REFUSED);
  });
  await withHolders({ clients: [own, stranger] }, (desktop) => desktop.pressKeys(["Tab"]));
});
