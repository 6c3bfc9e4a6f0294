import type { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import type { Desktop } from "../desktop.ts";
import type { Application, ElementRef } from "../element.ts";
import { outermost } from "../own-window.ts";
import { Role } from "../roles.ts";
import type { Snapshot } from "../snapshot.ts";
import { actsInDispatch } from "../toolkits.ts";
import { label } from "./label.ts";
import { keptAround } from "./place.ts";
import { watchUntil } from "./read-back.ts";

/** Windows that hang from another one: their opener may lie in the dialog. */
const POPUPS: ReadonlySet<number> = new Set([Role.window, Role.toolTip]);

/**
 * Throws `not_actionable` while a modal dialog of GTK 3 keeps an element from a person: its own action would go past the dialog,
 * and what that opens in turn locks the application up. One that is about to close is waited for. Only where the element's
 * window is the only one that can be meant: which of several a dialog is modal for, nothing tells.
 */
export async function requireNoModal(
  desktop: Desktop,
  element: ElementRef,
  application: Application,
  doing: string,
  deadline: Deadline,
): Promise<void> {
  if (desktop.kind === "simulated" || !actsInDispatch(application)) return;
  let how: { readonly recent?: true } = { recent: true };
  const look = async () => {
    const held = await keptAround(desktop, application, element, deadline, how);
    how = {};
    return modalBeside(held, held.rowOf(element));
  };
  if (await look() === undefined) return;
  const { held, last: modal } = await watchUntil(
    desktop,
    look,
    (one) => one === undefined,
    deadline,
    element,
  );
  if (held || modal === undefined) return;
  throw new BackstepError(
    "not_actionable",
    `Cannot ${doing}: ${modal} is modal, and nothing beside it can be used`,
    {
      hint: "Use or close that dialog first.",
      details: { modal, outcome: "not_sent" },
    },
  );
}

/** What is modal while the element's window is not, for people. */
function modalBeside(snapshot: Snapshot, row: number): string | undefined {
  if (row < 0) return undefined;
  const own = outermost({ snapshot, row });
  if (snapshot.has(own, "modal") || POPUPS.has(snapshot.role(own))) return undefined;
  const others = snapshot.children(snapshot.parent(own)).filter((one) =>
    one !== own && snapshot.has(one, "showing") && !POPUPS.has(snapshot.role(one))
  );
  const modal = others.at(-1);
  if (modal === undefined || others.some((one) => !snapshot.has(one, "modal"))) return undefined;
  return label(snapshot.element(modal));
}
