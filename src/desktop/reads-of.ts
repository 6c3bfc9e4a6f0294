import type { Desktop } from "./desktop.ts";

/** What of a desktop only looks. */
export type Reads = Pick<
  Desktop,
  | "kind"
  | "label"
  | "applications"
  | "snapshot"
  | "read"
  | "verify"
  | "statesOf"
  | "refresh"
  | "verifyManaged"
  | "virtualTime"
  | "undrawn"
  | "drawn"
  | "scrollsAtOnce"
  | "flushOf"
  | "readyFor"
  | "elementAt"
  | "saidAt"
  | "screenshot"
  | "windows"
  | "readClipboard"
  | "watch"
  | "idle"
  | "stalledBy"
  | "holders"
>;

/**
 * The reads of a desktop, delegated: what those have in common that stand before one and watch or refuse its actions.
 *
 * @example
 * ```ts
 * import { readsOf } from "./reads-of.ts";
 * import { simulate } from "./simulated/simulate.ts";
 * const desktop = simulate({ applications: ["sim.settings"] });
 * const [application] = await readsOf(desktop).applications();
 * if (application?.name !== "Settings") throw new Error();
 * await desktop.close();
 * ```
 */
export function readsOf(desktop: Desktop): Reads {
  return {
    kind: desktop.kind,
    label: desktop.label,
    applications: (call) => desktop.applications(call),
    snapshot: (application, options) => desktop.snapshot(application, options),
    read: (element, call) => desktop.read(element, call),
    elementAt: (application, x, y, call) => desktop.elementAt(application, x, y, call),
    screenshot: (area, call) => desktop.screenshot(area, call),
    windows: (call) => desktop.windows(call),
    readClipboard: (call) => desktop.readClipboard(call),
    watch: (application) => desktop.watch(application),
    virtualTime: desktop.virtualTime ?? false,
    ...(desktop.verify ? { verify: desktop.verify.bind(desktop) } : {}),
    ...(desktop.statesOf ? { statesOf: desktop.statesOf.bind(desktop) } : {}),
    ...(desktop.refresh ? { refresh: desktop.refresh.bind(desktop) } : {}),
    ...(desktop.verifyManaged ? { verifyManaged: desktop.verifyManaged.bind(desktop) } : {}),
    ...(desktop.undrawn ? { undrawn: desktop.undrawn.bind(desktop) } : {}),
    ...(desktop.drawn ? { drawn: desktop.drawn.bind(desktop) } : {}),
    ...(desktop.scrollsAtOnce ? { scrollsAtOnce: desktop.scrollsAtOnce.bind(desktop) } : {}),
    ...(desktop.flushOf ? { flushOf: desktop.flushOf.bind(desktop) } : {}),
    ...(desktop.saidAt ? { saidAt: desktop.saidAt.bind(desktop) } : {}),
    ...(desktop.readyFor ? { readyFor: desktop.readyFor.bind(desktop) } : {}),
    ...(desktop.idle ? { idle: desktop.idle.bind(desktop) } : {}),
    ...(desktop.holders ? { holders: desktop.holders.bind(desktop) } : {}),
    ...(desktop.stalledBy ? { stalledBy: desktop.stalledBy.bind(desktop) } : {}),
  };
}
