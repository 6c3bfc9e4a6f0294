import type { McpCall } from "../server/call.ts";
import type { ToolFailure } from "../server/failure.ts";
import { ask, type Reply } from "./ask.ts";

/** How polkit, D-Bus services, pkexec and macOS say that somebody else's rights are needed. */
const REFUSALS = [
  /org\.freedesktop\.PolicyKit1\.Error\.(NotAuthorized|Failed|Cancelled)/,
  /org\.freedesktop\.DBus\.Error\.(InteractiveAuthorizationRequired|AccessDenied)/,
  /Error executing command as another user: (Not authorized|Request dismissed|No authentication agent found)/,
  /(polkit|pkexec|PolicyKit).{0,200}(not authori[sz]ed|authentication|dismissed)/is,
  /interactive authentication required/i,
  /administrator (user name|password|privileges)/i,
];

/** Did the platform refuse it for want of an administrator's rights? */
export function needsAdmin({ kind, message, data }: ToolFailure): boolean {
  if (kind !== "LaunchFailed" && kind !== "ActionFailed") return false;
  const said = `${message}\n${JSON.stringify(data)}`.slice(0, 20_000);
  return REFUSALS.some((refusal) => refusal.test(said));
}

/** Asks whether the platform may ask for an administrator's password (scenario 6). */
export async function proceedAsAdmin(call: McpCall): Promise<Reply["is"]> {
  const reply = await ask(call, {
    mode: "form",
    message: "This operation requires administrator privileges to modify system settings.",
    requestedSchema: {
      type: "object",
      properties: {
        proceed: { type: "boolean", title: "Proceed with admin prompt?", default: false },
      },
      required: ["proceed"],
    },
  });
  return reply.is === "accepted" && reply.content["proceed"] !== true ? "declined" : reply.is;
}
