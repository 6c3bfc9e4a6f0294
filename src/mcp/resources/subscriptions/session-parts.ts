import type { DesktopEvent } from "../../../desktop/desktop.ts";
import type { Session } from "../../../session/session.ts";
import { Hash } from "../axterminator/hash.ts";
import type { Part } from "./topic.ts";

/** Milliseconds after which the window of an application that has just come is there. */
const SETTLES = 1_000;

/** Which applications run: told at once. */
export function appsPart(session: Session): Part {
  return {
    debounce: 0,
    settles: SETTLES,
    concerns: (events) => events.some(tellsOfApplications),
    async digest(call) {
      const running = await session.launcher.list(call);
      return JSON.stringify(running.map(({ bundleId, processId }) => [bundleId, processId]).sort());
    },
  };
}

/** The clipboard's text, in short: nothing tells of its changes. */
export function clipboardPart({ desktop }: Session): Part {
  return {
    debounce: 0,
    concerns: () => false,
    async digest(call) {
      const text = await desktop.readClipboard(call);
      return text === undefined ? "" : new Hash().text(text).digest;
    },
  };
}

const KINDS = /^(window:(create|destroy|activate)|object:children-changed:|object:state-changed:defunct)/;
const ROOT = "/org/a11y/atspi/accessible/root";

/** May an event mean that an application came or went? Of the tree of applications, as of others, the root tells. */
export function tellsOfApplications({ kind, path }: DesktopEvent): boolean {
  return KINDS.test(kind) && (kind.startsWith("window:") || path === ROOT || kind.endsWith("defunct"));
}
