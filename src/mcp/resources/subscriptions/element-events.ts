import type { Call } from "../../../base/call.ts";
import type { DesktopEvent } from "../../../desktop/desktop.ts";
import { Role } from "../../../desktop/roles.ts";
import type { Snapshot } from "../../../desktop/snapshot.ts";
import { rowHas } from "../../../desktop/state-words.ts";
import type { Heard } from "./desktop-events.ts";
import { stateOf } from "./last-tree.ts";
import { elementText, lookAt } from "./read-at.ts";
import type { Recorded } from "./recorded.ts";
import type { Ring } from "./event-ring.ts";
import type { Part } from "./topic.ts";

/** Milliseconds in which what one element does counts as one happening. */
const DEBOUNCE = 100;
/** Elements that are looked at after one pause; of more the others are not told of. */
const MOST = 16;
/** Elements whose last value is remembered. */
const REMEMBERED = 1_000;

const VALUES = /^object:(text-changed:|property-change:accessible-value|value-changed)/;
const MENUS: ReadonlySet<number> = new Set([Role.menu, Role.popupMenu]);
const NOTIFICATIONS: ReadonlySet<number> = new Set([Role.notification, Role.infoBar, Role.alert]);
/** What moves without anybody meaning it. */
const MECHANICS: ReadonlySet<number> = new Set([Role.scrollBar, Role.frame, Role.window]);

/** Values, menus and notifications: each element of which an event told is looked at. */
export class ElementHappenings implements Part {
  readonly debounce = DEBOUNCE;
  readonly #of: Recorded;
  readonly #ring: Ring;
  readonly #isWindow: (path: string) => boolean;
  readonly #values = new Map<string, string>();
  #changed = new Set<string>();
  #appeared = new Set<string>();
  #serial = 0;

  constructor(of: Recorded, ring: Ring, isWindow: (path: string) => boolean) {
    this.#of = of;
    this.#ring = ring;
    this.#isWindow = isWindow;
  }

  hear(heard: Heard): void {
    if (heard === "lost") return;
    for (const event of heard) {
      const value = valueOf(event), appeared = appearedIn(event);
      if (value !== undefined && this.#changed.size < MOST) this.#changed.add(value);
      if (appeared !== undefined && this.#appeared.size < MOST) this.#appeared.add(appeared);
    }
  }

  concerns(events: readonly DesktopEvent[]): boolean {
    return events.some((event) => valueOf(event) !== undefined || appearedIn(event) !== undefined);
  }

  async digest(call: Call): Promise<string> {
    const [changed, appeared] = [this.#changed, this.#appeared];
    this.#changed = new Set();
    this.#appeared = new Set();
    const { desktop, application } = this.#of;
    for (const path of appeared) {
      if (this.#isWindow(path)) continue;
      const one = await lookAt(desktop, application, path, [], call);
      if (one !== undefined && rowHas(one, 0, "visible")) this.#came(one);
    }
    for (const path of changed) {
      const one = await lookAt(desktop, application, path, ["text", "value"], call);
      if (one !== undefined && rowHas(one, 0, "visible")) this.#maybeChanged(path, one);
    }
    return String(this.#serial);
  }

  #came(one: Snapshot): void {
    const role = one.role(0);
    const type = MENUS.has(role)
      ? "menu_opened"
      : NOTIFICATIONS.has(role)
      ? "notification_appeared"
      : undefined;
    if (type === undefined) return;
    this.#serial++;
    this.#ring.note({ type, element: elementText(one) });
  }

  /** What a field holds is told by its tree; here only that it is another now. */
  #maybeChanged(path: string, one: Snapshot): void {
    if (MECHANICS.has(one.role(0))) return;
    const value = JSON.stringify([
      one.text(0) ?? one.name(0),
      one.value(0)?.current ?? null,
      one.has(0, "checked"),
    ]);
    // Of a password nothing is read: that it was changed is known from the event alone.
    const secret = one.role(0) === Role.passwordText;
    if (!secret && this.#values.get(path) === value) return;
    this.#values.delete(path);
    this.#values.set(path, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > REMEMBERED && oldest !== undefined) this.#values.delete(oldest);
    this.#serial++;
    this.#ring.note({ type: "value_changed", element: elementText(one) });
  }
}

/** The element whose value an event says has changed. */
function valueOf({ kind, path }: DesktopEvent): string | undefined {
  const state = stateOf(kind);
  return VALUES.test(kind) || state === "checked" || state === "pressed" ? path : undefined;
}

/** The element that an event says has come to show. */
function appearedIn({ kind, path, detail1, text }: DesktopEvent): string | undefined {
  if (kind.startsWith("object:children-changed:add")) return text.startsWith("/") ? text : undefined;
  const state = stateOf(kind);
  const shows = state === "showing" || state === "visible" || state === "expanded";
  return shows && detail1 === 1 ? path : undefined;
}
