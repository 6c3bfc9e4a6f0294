import { toBackstepError } from "../base/error.ts";
import { contentOf } from "../desktop/content.ts";
import type { Application, Desktop, ElementRef, Reading } from "../desktop/desktop.ts";
import { Role } from "../desktop/roles.ts";
import { hasState, State } from "../desktop/states.ts";
import { isWeb } from "../desktop/toolkits.ts";
import type { Holder } from "./keyboard.ts";
import type { Look } from "./look.ts";

/** Milliseconds after a key at which its field is read, and that a reading may take. */
const AFTER_KEY = 60;
const READS = 1_000;

/** What is known of a field beforehand. */
export interface FieldOptions {
  /** Why it is believed to have the keyboard. */
  readonly holder: Holder;
  /** It was a password field once. */
  readonly secret: boolean;
  /** When it told last that its text changed. */
  readonly edited: () => number;
  /** It turned out to be one. */
  readonly onSecret: () => void;
}

/** Where a person types, and what stands there: read from the field, never from keys. */
export class Field {
  readonly application: Application;
  readonly element: ElementRef;
  readonly holder: Holder;
  /** What was there before: selectors of it are made on this look. */
  readonly look: Look;
  readonly row: number;
  readonly #desktop: Pick<Desktop, "read">;
  #secret: boolean;
  #editable: boolean;
  #multiLine: boolean;
  #text: string | undefined;
  #readAt = -Infinity;
  #keyAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<void> = Promise.resolve();
  readonly #edited: () => number;
  readonly #onSecret: () => void;

  constructor(
    desktop: Pick<Desktop, "read">,
    look: Look,
    row: number,
    { holder, secret, edited, onSecret }: FieldOptions,
  ) {
    const { snapshot } = look;
    this.holder = holder;
    this.#desktop = desktop;
    this.application = look.application;
    this.look = look;
    this.row = row;
    this.element = snapshot.element(row);
    this.#secret = secret || snapshot.role(row) === Role.passwordText;
    // Qt's fields of numbers do not say so.
    this.#editable = snapshot.has(row, "editable") || snapshot.role(row) === Role.spinButton;
    this.#multiLine = snapshot.has(row, "multiLine");
    this.#edited = edited;
    this.#onSecret = onSecret;
  }

  /** It was a password field once. */
  get secret(): boolean {
    return this.#secret;
  }
  /** A person can change its text. */
  get editable(): boolean {
    return this.#editable || this.#secret;
  }
  /** Return is a part of its text. */
  get multiLine(): boolean {
    return this.#multiLine;
  }

  is({ bus, path, assumed }: Holder): boolean {
    return this.element.bus === bus && this.element.path === path && this.holder.assumed === assumed;
  }

  /** A key came that may change its text. */
  key(now: number): void {
    this.#keyAt = now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.read(), AFTER_KEY);
  }

  /** What was read of it may be from before the last key: a page takes a key, and tells of it later. */
  get late(): boolean {
    if (!isWeb(this.application)) return false;
    return this.#edited() < this.#keyAt || this.#edited() > this.#readAt;
  }

  /** Reads it now; a secret one is never read. */
  read(): Promise<void> {
    clearTimeout(this.#timer);
    this.#reading = this.#reading.then(() => this.#read());
    return this.#reading;
  }

  async #read(): Promise<void> {
    if (this.#secret) return;
    const begun = performance.now();
    let reading: Reading;
    try {
      reading = await this.#desktop.read(this.element, { timeout: READS });
    } catch (error) {
      const { code } = toBackstepError(error);
      if (["stale", "app_gone", "timeout", "not_found", "refused"].includes(code)) return;
      throw error;
    }
    if (reading.role === Role.passwordText) {
      this.#secret = true;
      this.#text = undefined;
      return this.#onSecret();
    }
    const has = (state: "editable" | "multiLine") =>
      hasState(reading.statesLow, reading.statesHigh, State[state]);
    this.#editable = has("editable") || reading.role === Role.spinButton;
    this.#multiLine = has("multiLine");
    this.#text = contentOf(reading);
    this.#readAt = begun;
  }

  /**
   * What stands in it. `left`: a key was pressed that may have emptied it; then the last reading before that key counts.
   * Undefined: it tells no text.
   */
  async text(left: boolean): Promise<{ readonly text: string; readonly sure: boolean } | undefined> {
    await this.#reading;
    const earlier = this.#text, complete = this.#readAt > this.#keyAt && !this.late;
    const changed = isWeb(this.application) && this.#edited() > this.#readAt;
    if (left && earlier !== undefined && complete) return { text: earlier, sure: true };
    await this.read();
    const now = this.#text;
    if (now === undefined) return undefined;
    // A search that is sent empties its field at times.
    if (left && earlier !== undefined && now.length < earlier.length) return { text: earlier, sure: false };
    // It changed after it was read, and reads as before: it may have been emptied in between.
    if (left && changed && now === earlier) return { text: now, sure: false };
    return { text: now, sure: true };
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
