import type { Application } from "./desktop.ts";

/** Is an application made with GTK 4? It calls itself "GTK", GTK 3 "gtk". */
export function isGtk4(
  { toolkit, toolkitVersion }: Pick<Application, "toolkit" | "toolkitVersion">,
): boolean {
  return toolkit.toLowerCase() === "gtk" && toolkitVersion.startsWith("4");
}
