import type { Application, ElementRef } from "./element.ts";
import type { Snapshot } from "./snapshot.ts";
import { isWeb } from "./toolkits.ts";

type Address = Pick<ElementRef, "bus" | "path">;

/**
 * The path, in the application that shows it, of an element that another process answers for. Each page of WebKitGTK has a process
 * of its own, with a bus name of its own. To whoever uses the window it is one application, and so it is here: such an element
 * has the bus name of the application that shows it, and its path begins with the name of the process that answers
 * (":1.4/org/a11y/…").
 */
export function embeddedPath({ bus, path }: Address): string {
  return `${bus}${path}`;
}

/** Does another process answer for it than that of its application? */
export function isEmbedded({ path }: Pick<ElementRef, "path">): boolean {
  return path.startsWith(":");
}

/** Who answers for an element, and under which path. */
export function answeringAddress({ bus, path }: Address): Address {
  const end = path.indexOf("/");
  return isEmbedded({ path }) && end > 0 ? { bus: path.slice(0, end), path: path.slice(end) } : { bus, path };
}

/**
 * The application of an element as its element behaves: what WebKitGTK embeds is a page of the web, whatever toolkit made the window
 * around it. `embedder` is the application itself, whose tree it is in.
 */
export function behavingAs(application: Application, element: Pick<ElementRef, "path">): Application {
  if (!isEmbedded(element)) return application;
  return { ...application, toolkit: "WebKitGTK", toolkitVersion: "", embedder: application };
}

/** Is a row of a tree in a page of the web? Of a browser, all are. */
export function isWebRow(snapshot: Snapshot, row: number): boolean {
  return isWeb(behavingAs(snapshot.origin.application, { path: snapshot.path(row) }));
}

/** The application that shows the window, of one that `behavingAs` made. */
export function embedderOf(application: Application): Application {
  return application.embedder ?? application;
}
