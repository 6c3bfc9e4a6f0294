import type { Application } from "./desktop.ts";

/** Is an application made with GTK 4? It calls itself "GTK", GTK 3 "gtk". */
export function isGtk4(
  { toolkit, toolkitVersion }: Pick<Application, "toolkit" | "toolkitVersion">,
): boolean {
  return toolkit.toLowerCase() === "gtk" && toolkitVersion.startsWith("4");
}

/** Is an application made with GTK, 3 or 4? */
export function isGtk({ toolkit }: Pick<Application, "toolkit">): boolean {
  return toolkit.toLowerCase() === "gtk";
}

/** Is an application made with Qt? 5 and 6 both call themselves "Qt". */
export function isQt({ toolkit }: Pick<Application, "toolkit">): boolean {
  return toolkit.toLowerCase() === "qt";
}

/** Are its windows web pages? */
export function isWeb({ toolkit }: Pick<Application, "toolkit">): boolean {
  return toolkit.toLowerCase() === "chromium";
}

/**
 * Does only the place of an element tell whether it shows? GTK 4 gives no room to what does not show and says so in no
 * state; Chromium tells nobody what was scrolled into view.
 */
export function showsByPlace(application: Pick<Application, "toolkit" | "toolkitVersion">): boolean {
  return isGtk4(application) || application.toolkit === "Chromium";
}
