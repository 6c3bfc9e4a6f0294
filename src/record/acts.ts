import type { Application } from "../desktop/desktop.ts";
import type { KeyInput } from "../desktop/input-events.ts";
import type { Session } from "../session/session.ts";
import type { Gesture } from "./gestures.ts";
import { KeyActs } from "./key-acts.ts";
import { Maker, type MakerOptions } from "./maker.ts";
import type { Observer } from "./observer.ts";
import type { Recording } from "./output/model.ts";
import { PointerActs } from "./pointer-acts.ts";
import type { Press } from "./press.ts";

/** Makes steps of acts, one after the other. */
export class Acts {
  readonly #session: Session;
  readonly #observer: Observer;
  readonly #maker: Maker;
  readonly #keys: KeyActs;
  readonly #pointer: PointerActs;
  #recording = false;

  constructor(session: Session, observer: Observer, options: MakerOptions) {
    this.#session = session;
    this.#observer = observer;
    this.#maker = new Maker(session, options);
    this.#keys = new KeyActs(session.desktop, observer, this.#maker);
    this.#pointer = new PointerActs(session.desktop, observer, this.#maker);
  }

  /** What is there from here on was there before. */
  begin(): void {
    this.#recording = true;
    for (const { bus } of this.#observer.applications) {
      const look = this.#observer.looks.latest(bus);
      if (look) this.#maker.windows.know(look);
    }
  }

  /** A key came that types. */
  typed(time: number): void {
    this.#keys.typed(time);
  }

  /** Is this key a part of what is typed? */
  editsField(event: KeyInput): boolean {
    return this.#keys.editsField(event);
  }

  /** Something is done that may empty the field: what stands in it is read now. */
  leaveField(): void {
    this.#keys.leaveField();
  }

  /** What is to be done once it is this act's turn; what must be known at once is taken down now. */
  prepare(gesture: Gesture, pressed: Press | undefined, released: Press | undefined): () => Promise<void> {
    const field = gesture.do === "key" ? this.#keys.focused(gesture.from) : undefined;
    switch (gesture.do) {
      case "typing": {
        const fields = this.#keys.typedInto();
        return async () => {
          for (const one of fields) await this.#keys.type(gesture, one);
        };
      }
      case "key":
        return () => this.#keys.press(gesture, field);
      case "click":
        return async () => pressed && await this.#pointer.click(gesture, pressed);
      case "drag":
        return async () => pressed && await this.#pointer.drag(gesture, pressed, released ?? pressed);
      case "wheel":
        return async () => pressed && await this.#pointer.wheel(gesture, pressed);
    }
  }

  /** An application came while it was recorded: it was launched. */
  async came(application: Application): Promise<void> {
    if (!this.#recording) return;
    const app = await this.#maker.nameOf(application);
    const running = await this.#session.launcher.list();
    const listed = running.some(({ processId }) => processId === application.pid);
    if (listed) this.#maker.add("launch", { app }, true);
  }

  gone(application: Application): void {
    this.#maker.windows.forget(application.bus);
  }

  /** Input was dropped on the way. */
  lost(): void {
    this.#keys.forget();
  }

  async end(): Promise<void> {
    this.#keys.forget();
    for (const { bus } of this.#observer.applications) {
      const look = this.#observer.looks.latest(bus);
      if (look) await this.#maker.expect(look);
    }
  }

  recording(name: string): Recording {
    return this.#maker.recording(name);
  }
}
