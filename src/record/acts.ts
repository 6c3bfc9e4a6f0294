import type { Application } from "../desktop/desktop.ts";
import type { Json } from "../base/error.ts";
import type { KeyInput } from "../desktop/input-events.ts";
import type { Session } from "../session/session.ts";
import type { Gesture } from "./gestures.ts";
import { KeyActs } from "./key-acts.ts";
import type { Look } from "./look.ts";
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
    this.#maker.windows.begin();
    for (const { bus } of this.#observer.applications) {
      const look = this.#observer.looks.latest(bus);
      if (look) this.#maker.windows.know(look);
    }
  }

  /** A button of the pointer was pressed. */
  pressed(press: Press): void {
    this.#keys.pressed(press);
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
    const field = gesture.do === "key" ? this.#keys.pressedIn(gesture) : undefined;
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

  /** From here on nothing is recorded until `begin`. */
  pause(): void {
    this.#recording = false;
    this.#keys.forget();
  }

  /** Takes the last step away. */
  takeLast(): void {
    this.#maker.takeLast();
  }

  /** Adds what a person wants to hold of an element: what it shows now. False: nothing short tells it from others. */
  async check(look: Look, row: number, holds: Readonly<Record<string, Json>>): Promise<boolean> {
    const target = this.#maker.targetOf(look.snapshot, row, await this.#maker.nameOf(look.application));
    if (target !== null) this.#maker.add("assert", { target, ...holds }, true);
    return target !== null;
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
