import type { Call } from "../../base/call.ts";
import type { Desktop, ElementRef, RefreshOptions } from "../../desktop/desktop.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import type { Session } from "../../session/session.ts";
import type { Withheld } from "./withheld.ts";

/** The same session, whose desktop tells what is withheld of every read before whoever asked has it. */
export function withheldSession(raw: Session, withheld: Withheld): Session {
  let watched: { readonly raw: Desktop; readonly desktop: Desktop } | undefined;
  return {
    kind: raw.kind,
    launcher: raw.launcher,
    get label() {
      return raw.label;
    },
    get desktop() {
      // A private desktop can be replaced by a new one.
      if (watched?.raw !== raw.desktop) {
        watched = { raw: raw.desktop, desktop: withheldDesktop(raw.desktop, withheld) };
      }
      return watched.desktop;
    },
    get home() {
      return raw.home;
    },
    get id() {
      return raw.id;
    },
    get settings() {
      return raw.settings;
    },
    ...(raw.rebuild ? { rebuild: (call) => raw.rebuild?.(call) ?? Promise.resolve() } : {}),
    close: (options) => raw.close(options),
  };
}

function withheldDesktop(raw: Desktop, withheld: Withheld): Desktop {
  const { wholeClipboard: whole, verify, refresh } = raw;
  return {
    get kind() {
      return raw.kind;
    },
    get mode() {
      return raw.mode;
    },
    get label() {
      return raw.label;
    },
    get capabilities() {
      return raw.capabilities;
    },
    applications: (call) => raw.applications(call),
    async snapshot(application, options) {
      const snapshot = await raw.snapshot(application, options);
      withheld.saw(snapshot);
      return snapshot;
    },
    async read(element, call) {
      const reading = await raw.read(element, call);
      withheld.read(element, reading);
      return reading;
    },
    ...(verify
      ? {
        async verify(element: ElementRef, call?: Call) {
          const snapshot = await verify.call(raw, element, call);
          withheld.saw(snapshot);
          return snapshot;
        },
      }
      : {}),
    // States say nothing of what is written.
    ...(raw.statesOf ? { statesOf: raw.statesOf.bind(raw) } : {}),
    ...(refresh
      ? {
        async refresh(snapshot: Snapshot, rows: readonly number[], options?: RefreshOptions) {
          const now = await refresh.call(raw, snapshot, rows, options);
          if (now === undefined) return undefined;
          withheld.saw(now.snapshot);
          const [row] = rows;
          if (now.reading && row !== undefined) withheld.read(now.snapshot.element(row), now.reading);
          return now;
        },
      }
      : {}),
    // What it tells is what the kept snapshot told.
    ...(raw.verifyManaged ? { verifyManaged: raw.verifyManaged.bind(raw) } : {}),
    virtualTime: raw.virtualTime ?? false,
    ...(raw.saidAt ? { saidAt: raw.saidAt.bind(raw) } : {}),
    ...(raw.readyFor ? { readyFor: raw.readyFor.bind(raw) } : {}),
    ...(raw.undrawn ? { undrawn: raw.undrawn.bind(raw) } : {}),
    ...(raw.drawn ? { drawn: raw.drawn.bind(raw) } : {}),
    ...(raw.scrollsAtOnce ? { scrollsAtOnce: raw.scrollsAtOnce.bind(raw) } : {}),
    ...(raw.flushOf ? { flushOf: raw.flushOf.bind(raw) } : {}),
    act: (element, action, call) => raw.act(element, action, call),
    elementAt: (application, x, y, call) => raw.elementAt(application, x, y, call),
    typeText: (text, call) => raw.typeText(text, call),
    pressKeys: (keys, call) => raw.pressKeys(keys, call),
    pointer: (gesture, call) => raw.pointer(gesture, call),
    releaseInput: (call) => raw.releaseInput(call),
    screenshot: (area, call) => raw.screenshot(area, call),
    async windows(call) {
      const windows = await raw.windows(call);
      withheld.titles(windows);
      return windows;
    },
    window: (id, action, call) => raw.window(id, action, call),
    readClipboard: (call) => raw.readClipboard(call),
    writeClipboard: (text, call) => raw.writeClipboard(text, call),
    ...(whole
      ? {
        wholeClipboard: {
          keep: (limits, call) => whole.keep(limits, call),
          restore: (items, call) => whole.restore(items, call),
        },
      }
      : {}),
    watch: (application) => raw.watch(application),
    ...(raw.watchInput
      ? { watchInput: (call?: Call) => raw.watchInput?.(call) ?? Promise.reject(new TypeError("it is gone")) }
      : {}),
    ...(raw.recordInput
      ? {
        recordInput: (call?: Call) => raw.recordInput?.(call) ?? Promise.reject(new TypeError("it is gone")),
      }
      : {}),
    close: () => raw.close(),
  };
}
