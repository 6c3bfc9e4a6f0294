import { addressOf } from "../resources/axterminator/address.ts";
import { use } from "./compose.ts";
import type { AppView } from "./view.ts";

/** How an application is reached: launched where it does not run, then connected. */
export function reach({ app, asked, name, others }: AppView): string[] {
  if (app?.connected) return [`${said(name)} is connected already; use this name as \`app\` in every call.`];
  if (app !== undefined) {
    return [`Connect: ${use("ax_connect", { app: name })}. Use the name it answers in every later call.`];
  }
  const several =
    others.filter((one) => one.name.toLowerCase().includes(asked.trim().toLowerCase())).length > 1;
  if (several) {
    return [
      `Several applications that run fit ${said(asked)}: see the data, choose one, and call ${
        use("ax_connect", { app: "…" })
      } with its full name or process id.`,
    ];
  }
  return [
    `${said(asked)} is not running. See in the data what is, and whether one of those is meant (${
      use("list_applications")
    } tells it afresh). Else start it: ${
      use("launch_application", { bundleId: name })
    }. If it cannot be started, say so and stop.`,
    `Connect: ${use("ax_connect", { app: name })}.`,
  ];
}

/** Hears of what happens in it. */
export function follow({ name }: AppView): string {
  return `Subscribe to the resource \`${
    addressOf(name, "events")
  }\` and read it after each act: windows, dialogs and changes of focus are reported there.`;
}

/** What must be settled before anything else, by the state that it is in; "" where nothing must. */
export function beforeAll({ name, state, pattern }: AppView): string {
  switch (state) {
    case "busy":
      return `It does not answer quickly now: call ${
        use("ax_wait_idle", { app: name, timeout_ms: 10_000 })
      } first.`;
    case "loading":
      return `Something is under way in it (see the data): call ${
        use("ax_wait_idle", { app: name, timeout_ms: 10_000 })
      } first.`;
    case "error":
      return "It shows a failure (see the data): read that first, report it, and dismiss it only if the goal needs that.";
    case "auth_required":
      return "It asks somebody to sign in. Ask the person; never guess or invent a user name or a password.";
    case "modal_dialog":
      return `A dialog is in front${
        pattern === undefined ? "" : ` (${pattern})`
      } and keeps the rest from being used: settle it first, in the way that changes least.`;
    default:
      return "";
  }
}

function said(text: string): string {
  return JSON.stringify(text.trim().replace(/\s+/g, " ").slice(0, 200));
}
