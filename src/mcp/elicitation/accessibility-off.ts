import { toBackstepError } from "../../base/error.ts";
import { type Platform, platformOf } from "../../base/platform.ts";
import type { McpCall } from "../server/call.ts";
import { ask } from "./ask.ts";

/** Settings of desktops that have a page for accessibility. */
const PAGES = [
  "gnome-universal-access-panel",
  "org.gnome.Settings",
  "systemsettings",
  "com.apple.systempreferences",
];

/** Offers help where accessibility is off (scenario 4). Answers what to tell the model; undefined: nothing more. */
export async function offerAccess(call: McpCall): Promise<string | undefined> {
  const reply = await ask(call, {
    mode: "form",
    message: "Accessibility permissions are not enabled. Would you like instructions?",
    requestedSchema: {
      type: "object",
      properties: {
        action: {
          type: "string",
          title: "Action",
          oneOf: [
            { const: "open_settings", title: "Open System Settings for me (requires focus)" },
            { const: "show_instructions", title: "Show manual instructions" },
            { const: "cancel", title: "Cancel" },
          ],
        },
      },
      required: ["action"],
    },
  });
  if (reply.is !== "accepted") return undefined;
  switch (reply.content["action"]) {
    case "open_settings":
      return await openSettings(call);
    case "show_instructions":
      return INSTRUCTIONS[platformOf()];
    default:
      return undefined;
  }
}

const INSTRUCTIONS: Readonly<Record<Platform, string>> = {
  linux: "The person asked for instructions. Tell them: 1. Install at-spi2-core. 2. Run `gsettings set " +
    "org.gnome.desktop.interface toolkit-accessibility true`. 3. Start the applications anew. 4. `backstep check` tells " +
    "what is missing still.",
  macos:
    "The person asked for instructions. Tell them: 1. Open System Settings > Privacy & Security > Accessibility. 2. Allow " +
    "the program that started this server: the terminal or the client. 3. Start it again. 4. `backstep check` tells what " +
    "is missing still.",
};

async function openSettings({ session, signal }: McpCall): Promise<string> {
  const { launcher } = session.host.desktop;
  const installed = await launcher.catalogue();
  const page = PAGES.find((id) => installed.some((one) => one.id === id));
  if (page === undefined) return `No settings program was found to open. ${INSTRUCTIONS[platformOf()]}`;
  try {
    const { applicationName } = await launcher.launch(page, { timeout: 10_000, signal });
    return platformOf() === "macos"
      ? `${applicationName} was opened: allow the program that started this server at Privacy & Security > Accessibility.`
      : `${applicationName} was opened: turn accessibility on there.`;
  } catch (thrown) {
    // Without accessibility its window may not be seen.
    return `${page} was started (${toBackstepError(thrown).message}). ${INSTRUCTIONS[platformOf()]}`;
  }
}
