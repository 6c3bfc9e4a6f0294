import type { Call } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import { connectNative } from "../../desktop/native/connect.ts";
import type { Desktop } from "../../desktop/desktop.ts";

/** What macOS has to grant, and whether it did. */
export interface Grant {
  readonly name: "accessibility" | "input" | "pictures";
  /** Undefined: it is granted; else why not, and the pane that gives it. */
  readonly missing: { readonly says: string; readonly fix: string } | undefined;
}

/** Asks for each what only works with it, and changes nothing. */
export async function grantsOf(call: Call): Promise<Grant[]> {
  const desktop = await connectNative({ kind: "attached", label: "macOS", platform: true }, call);
  try {
    return [
      await grant("accessibility", () => desktop.applications(call)),
      await grant("input", () => desktop.releaseInput(call)),
      await grant("pictures", () => onePoint(desktop, call)),
    ];
  } finally {
    await desktop.close();
  }
}

function onePoint(desktop: Desktop, call: Call): Promise<unknown> {
  return desktop.screenshot({ what: "rect", rect: { x: 0, y: 0, width: 1, height: 1 } }, call);
}

async function grant(name: Grant["name"], use: () => Promise<unknown>): Promise<Grant> {
  try {
    await use();
    return { name, missing: undefined };
  } catch (thrown) {
    const { message, hint = "" } = toBackstepError(thrown);
    return { name, missing: { says: message, fix: hint } };
  }
}
