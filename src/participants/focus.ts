import { Deadline } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import type { Image, Participant } from "../contract/participant.ts";
import type { Application } from "../desktop/desktop.ts";
import { focus } from "../desktop/actions/focus.ts";
import { followTrail, trailOf, type TrailStep } from "./trail.ts";

/**
 * Which element of an application has the keyboard focus. Best effort: it is restored and reported, and never decides
 * whether a rollback counts as restored.
 */
export function focusOf(application: Application, existing?: readonly TrailStep[]): Participant {
  let trail = existing;
  const label = `focus of ${application.name}`;
  return {
    kind: "focus",
    key: `focus ${application.bus}`,
    label,
    async capture(desktop, call): Promise<Image> {
      const snapshot = await desktop.snapshot(application, { ...call, fields: ["id"] });
      let focused = -1;
      for (let row = 0; row < snapshot.size; row++) if (snapshot.has(row, "focused")) focused = row;
      trail ??= focused < 0 ? [] : trailOf(snapshot, focused);
      const now: Json = focused < 0 ? null : trailOf(snapshot, focused).map((s) => [s.role, s.nth]);
      return { properties: {}, incidental: { focused: now } };
    },
    async restore(_image, desktop, call) {
      // In the background nothing took it from anywhere.
      if (!trail || trail.length === 0 || desktop.mode === "background") return "none";
      const snapshot = await desktop.snapshot(application, { ...call, fields: ["id"] });
      const row = followTrail(snapshot, trail);
      if (row < 0) return "none";
      return (await focus(desktop, snapshot.element(row), Deadline.after(600, call.signal))).method;
    },
    describe: (): Json => ({
      kind: "focus",
      application: application.id ?? application.name,
      pid: application.pid,
      trail: (trail ?? []).map((step) => ({ ...step })),
    }),
  };
}
