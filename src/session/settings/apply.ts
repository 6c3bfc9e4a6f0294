import { join } from "node:path";
import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { DesktopFolders } from "../environment.ts";
import { localeEnvironment } from "./locale.ts";
import { servicesNamed, writeServices } from "./services.ts";
import type { DesktopSettings } from "./settings.ts";
import { writeTheme } from "./theme.ts";

/** Where the files of a desktop's services lie, for the configuration of its bus. */
export function serviceFolder(folders: Pick<DesktopFolders, "root">): string {
  return join(folders.root, "services");
}

/**
 * Writes what settings need into the folders of a new desktop, and answers with the variables that they add to its
 * environment. Rejects with `missing` for a locale, a theme or a service that this machine does not have.
 */
export async function applySettings(
  { display, scale, locale, theme, services = [] }: DesktopSettings,
  folders: DesktopFolders,
  environment: Readonly<Record<string, string>>,
  deadline: Deadline,
): Promise<Record<string, string>> {
  try {
    if (services.length > 0) writeServices(servicesNamed(services, environment), serviceFolder(folders));
    return {
      // GTK takes whole numbers only, and Java reads GTK's variable. On Wayland the compositor tells them.
      ...(scale === undefined || display === "wayland"
        ? {}
        : { GDK_SCALE: String(scale), QT_SCALE_FACTOR: String(scale) }),
      ...(theme === undefined ? {} : writeTheme(theme, folders.home, environment)),
      ...(locale === undefined
        ? {}
        : await localeEnvironment(locale, join(folders.root, "locale"), environment, deadline)),
    };
  } catch (cause) {
    if (cause instanceof BackstepError) throw cause;
    deadline.check("start a private desktop");
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BackstepError("io", `Cannot prepare a private desktop: ${why}`, { cause });
  }
}
