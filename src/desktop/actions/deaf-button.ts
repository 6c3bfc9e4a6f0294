import type { Deadline } from "../../base/call.ts";
import type { Desktop } from "../desktop.ts";
import type { Application, ElementRef, Reading } from "../element.ts";
import { isQuick } from "../quick.ts";
import { Role } from "../roles.ts";
import { isQt } from "../toolkits.ts";
import { actionWord } from "./action.ts";
import { keptAround } from "./place.ts";

/**
 * Is it a button of Qt Quick that accepts its action and does nothing (measured with Qt 6.4; 5.15 presses it)? One whose program
 * handles the action itself offers it twice.
 */
export async function isDeafButton(
  desktop: Desktop,
  element: ElementRef,
  { role, actions }: Reading,
  application: Application,
  deadline: Deadline,
): Promise<boolean> {
  if (role !== Role.pushButton || !isQt(application) || application.toolkitVersion.startsWith("5")) {
    return false;
  }
  if (actions.filter((name) => actionWord(name) === "press").length > 1) return false;
  const kept = await keptAround(desktop, application, element, deadline, { recent: true });
  const row = kept.rowOf(element);
  return row >= 0 && isQuick(kept, row);
}
