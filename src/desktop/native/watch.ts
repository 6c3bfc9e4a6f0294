import { cancelled } from "../../base/call.ts";
import type { DesktopEvent, Watch } from "../desktop.ts";
import { NoticeQueue } from "./notice-queue.ts";

/** A bounded queue of events for one reader. */
export class EventWatch extends NoticeQueue<DesktopEvent> implements Watch {
  readonly #bus: string | undefined;
  readonly #onClose: (watch: EventWatch) => void;

  /** Of one application's bus name, or of all applications. */
  constructor(bus: string | undefined, onClose: (watch: EventWatch) => void) {
    super("wait for an event", ({ text }) => text.length);
    this.#bus = bus;
    this.#onClose = onClose;
  }

  close(): void {
    this.end(cancelled("wait for an event", "the watch was closed"));
    this.#onClose(this);
  }

  /** An event arrived. For the desktop. */
  override push(event: DesktopEvent): void {
    if (this.#bus === undefined || event.bus === this.#bus) super.push(event);
  }
}
