import { Deadline } from "../base/call.ts";
import type { Json } from "../base/error.ts";
import { asMap } from "../base/json.ts";
import type { Image, Participant } from "../contract/participant.ts";
import { switchWorkspace, workspaceOfKey } from "../wm/acts.ts";
import { type ReachManager, workspaceKey } from "../wm/managed.ts";

/** Milliseconds for all that is written back. */
const RESTORE = 5_000;

/** Which workspace each output shows, and which one has the keyboard. */
export function shownWorkspaces(reach: ReachManager): Participant {
  const label = "shown workspaces";
  return {
    kind: "shown-workspaces",
    key: label,
    label,
    async capture(_desktop, call): Promise<Image> {
      const manager = await reach(call);
      const workspaces = await manager.workspaces(call);
      const shown: [string, string][] = [];
      let focused: string | null = null;
      for (const one of workspaces) {
        const key = workspaceKey(manager.kind, one);
        if (one.is_active && one.output !== null) shown.push([one.output, key]);
        if (one.is_focused) focused = key;
      }
      return { properties: { shown: Object.fromEntries(shown), focused } };
    },
    async restore({ properties }, _desktop, call) {
      const deadline = Deadline.of(call, RESTORE);
      const manager = await reach(deadline.call());
      let method = "none";
      const go = async (key: string) => {
        const target = workspaceOfKey(manager, key, await manager.workspaces(deadline.call()));
        const done = await switchWorkspace(manager, target, deadline);
        if (done.method !== "none") method = done.method;
      };
      for (const [output, key] of Object.entries(asMap(properties["shown"] ?? null))) {
        const now = (await manager.workspaces(deadline.call())).find((one) =>
          one.output === output && one.is_active
        );
        if (typeof key === "string" && !(now && workspaceKey(manager.kind, now) === key)) await go(key);
      }
      const { focused } = properties;
      // Last: to show the others took it along.
      if (typeof focused === "string") await go(focused);
      return method;
    },
    describe: (): Json => ({ kind: "shown-workspaces" }),
  };
}
