import { BackstepError } from "../base/error.ts";
import type { Application } from "../desktop/desktop.ts";

/**
 * An application that has a window and no accessibility tree: xterm, Tk. What it is can be told, it can be raised, typed
 * into and quit; it has no elements. No bus knows it.
 */
export function inaccessible(pid: number, name: string): Application {
  return { bus: "", name, pid, toolkit: "", toolkitVersion: "" };
}

/** Has it an accessibility tree? */
export function isAccessible(application: Pick<Application, "bus">): boolean {
  return application.bus !== "";
}

/** Is it the error of what needs elements and finds none? A program that starts slowly may have a tree yet. */
export function isNoTree(thrown: unknown): boolean {
  return thrown instanceof BackstepError && thrown.details?.condition === NO_TREE;
}

const NO_TREE = "accessible";

/** The error of what needs elements. */
export function noTree(name: string): BackstepError {
  return new BackstepError(
    "unsupported",
    `Cannot look into ${name}: it has a window, and no accessibility tree`,
    {
      hint:
        "`find_visual` finds what its window shows, `click_at` clicks there, and `type` and `press` with its `app` reach it.",
      details: { app: name, condition: NO_TREE },
    },
  );
}
