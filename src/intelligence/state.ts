import { detect } from "./detect.ts";
import { LIKELY } from "./detector.ts";
import { runningOf } from "./patterns/progress-indicator.ts";
import type { Scene } from "./scene.ts";
import { says } from "./words.ts";

/** What an application is up to. */
export const states = ["idle", "loading", "error", "auth_required", "busy", "modal_dialog"] as const;
/** What an application is up to. */
export type State = (typeof states)[number];

/** Milliseconds that an application may take to answer before it counts as busy. */
export const BUSY_AFTER = 500;
/** Characters: a longer text that says "loading" is about something else. */
const SHORT = 60;
/** Labels that are looked at for that. */
const LOOKED = 200;

/** What is known beside the tree. */
export interface StateOptions {
  /** Milliseconds that the application took to answer; Infinity: it did not. Default: it answered at once. */
  readonly answeredIn?: number;
}

/**
 * What an application is up to. The first that holds: it does not answer (busy), it tells of a failure (error), somebody has to
 * sign in (auth_required), something is under way in front (loading), a dialog keeps the rest from being used
 * (modal_dialog), nothing of all that (idle).
 */
export function stateOf(scene: Scene, options: StateOptions = {}): State {
  if ((options.answeredIn ?? 0) > BUSY_AFTER) return "busy";
  const { all, pattern } = detect(scene);
  const shows = (name: string) => all.some((one) => one.name === name);
  if (shows("error_alert") || statusSaysFailed(scene)) return "error";
  // A password among other things is asked for, and nobody need sign in.
  if (all.some((one) => one.name === "login_form" && (one === pattern || one.confidence >= LIKELY))) {
    return "auth_required";
  }
  if (runningOf(scene).length > 0 || isLoading(scene)) return "loading";
  return scene.isDialog && isModal(scene) ? "modal_dialog" : "idle";
}

function statusSaysFailed(scene: Scene): boolean {
  return scene.of("status").some((row) => {
    if (says(scene.text(row), "failed")) return true;
    const { snapshot } = scene;
    for (let at = row + 1, end = snapshot.end(row); at < end; at++) {
      if (scene.visible(at) && says(scene.text(at).slice(0, 200), "failed")) return true;
    }
    return false;
  });
}

function isLoading(scene: Scene): boolean {
  if (scene.page >= 0 && scene.snapshot.has(scene.page, "busy")) return true;
  return scene.of("label", "status", "heading").slice(0, LOOKED).some((row) => {
    const text = scene.text(row);
    return text.length <= SHORT && says(text, "loading");
  });
}

/** Does it keep others from being used, or is it all that there is? */
function isModal(scene: Scene): boolean {
  const { snapshot, front } = scene;
  if (snapshot.has(front, "modal")) return true;
  // Many toolkits tell an alert by its role alone.
  return detect(scene).all.some(({ name }) => /_dialog$|_alert$/.test(name));
}
