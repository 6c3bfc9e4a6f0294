import { toBackstepError } from "../../base/error.ts";
import { DEFINITIONS } from "./definitions/mod.ts";
import type { Tool } from "../tool.ts";

/** Milliseconds in which a desktop's accessibility answers where it works at all. */
const ANSWER = 5_000;

/** Whether the desktop's accessibility can be used at all. */
export const isAccessible: Tool = {
  toolset: "connect",
  definition: DEFINITIONS.ax_is_accessible,
  async run(_, { session, signal }) {
    const { desktop } = session.host.desktop;
    let why: string | undefined;
    if (desktop.capabilities.accessibility) {
      try {
        await desktop.applications({ timeout: ANSWER, signal });
      } catch (thrown) {
        const error = toBackstepError(thrown);
        if (error.code === "cancelled") throw error;
        why = error.message;
      }
    } else why = "the desktop has no accessibility bus";
    const name = { process_name: "backstep" };
    if (why === undefined) return { structured: { enabled: true, ...name } };
    const suggestion =
      `${why}. Install and start at-spi2-core, and turn accessibility on: gsettings set org.gnome.desktop.interface toolkit-accessibility true. \`backstep check\` tells more.`;
    return { structured: { enabled: false, ...name, suggestion } };
  },
};
