/** A desktop of macOS on Linux: the x86-64 library's own machine code over the stand-in of Apple's frameworks, in this process. */

import process from "node:process";
import { fileURLToPath } from "node:url";
import { Deadline } from "../../../src/base/call.ts";
import { connectNative } from "../../../src/desktop/native/connect.ts";
import { openMac } from "../../../src/session/macos/open.ts";
import type { MacSystem } from "../../../src/session/macos/system.ts";
import type { Session } from "../../../src/session/session.ts";
import { MacFixture } from "./fixture.ts";
import { StandIn } from "./stand-in.ts";

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const FORWARDED = at("native/build/macos/libstandin.so");

/** Opens it with the form of the histories. */
export async function openStandIn(): Promise<{ session: Session; fixture: MacFixture }> {
  process.env["BACKSTEP_CORE"] = FORWARDED;
  process.env["BACKSTEP_MACHO"] = at("native/build/macos/x86_64/libbackstep.dylib");
  process.env["BACKSTEP_STANDIN"] = at("scripts/histories/mac/form.txt");
  const standIn = new StandIn(FORWARDED);
  // A connection of the fixture's own: what it does is no call of the history.
  const own = await connectNative({ kind: "attached", label: "the fixture's", platform: true });
  const fixture = new MacFixture(own, standIn);
  const system: MacSystem = fixture.system;
  const session = await openMac({ mode: "focus" }, Deadline.of({}, 10_000), system);
  return {
    session: {
      ...session,
      close: async () => {
        await session.close();
        await own.close();
      },
    },
    fixture,
  };
}
