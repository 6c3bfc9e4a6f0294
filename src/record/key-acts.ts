import type { Json } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { KeyInput } from "../desktop/input-events.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { Role } from "../desktop/roles.ts";
import { isWebRow } from "../desktop/embedded.ts";
import { isQt } from "../desktop/toolkits.ts";
import { chordOf } from "./chord.ts";
import { newState } from "./difference.ts";
import { Field } from "./field.ts";
import type { Gesture } from "./gestures.ts";
import { Keyboard } from "./keyboard.ts";
import { type Maker, TYPED } from "./maker.ts";
import type { Observer } from "./observer.ts";
import type { Press } from "./press.ts";
import { secretName } from "./secret-name.ts";
import { edits } from "./typing.ts";

/** Makes steps of what is done with the keyboard. */
export class KeyActs {
  readonly #desktop: Desktop;
  readonly #observer: Observer;
  readonly #maker: Maker;
  readonly #leaving = new WeakSet<Field>();
  readonly #keyboard: Keyboard;
  #field: Field | undefined;
  #run: (Field | undefined)[] = [];

  constructor(desktop: Desktop, observer: Observer, maker: Maker) {
    this.#desktop = desktop;
    this.#observer = observer;
    this.#maker = maker;
    this.#keyboard = new Keyboard(observer);
  }

  /** A button of the pointer was pressed. */
  pressed(press: Press): void {
    this.#keyboard.pressed(press);
  }

  /** What the run of keys that ends went into: a date goes on to its next part by itself. Undefined: nobody tells. */
  typedInto(): readonly (Field | undefined)[] {
    const run = this.#run;
    this.#run = [];
    // Which field it is may be known only once that has told of the first key.
    const fields = run.filter((field) => field !== undefined);
    return fields.some(({ holder }) => holder.assumed !== undefined)
      ? fields
      : run.length > 0
      ? run
      : [this.#field];
  }

  /** A key came that types. */
  typed(time: number): void {
    this.#edited(this.focused(time), time);
  }

  #edited(field: Field | undefined, time: number): void {
    if (!this.#run.includes(field)) this.#run.push(field);
    field?.key(time);
  }

  /** Is this key a part of what is typed? */
  editsField(event: KeyInput): boolean {
    const field = this.focused(event.time);
    if (field === undefined || !field.editable) return false;
    const edit = edits(event, field.multiLine, chordOf(event.keysym, event.modifiers));
    if (edit) this.#edited(field, event.time);
    return edit;
  }

  /** Something is done that may empty the field: what stands in it is read now. */
  leaveField(): void {
    if (this.#field === undefined) return;
    this.#leaving.add(this.#field);
    void this.#field.read();
  }

  /** Nothing is known of the field any more. */
  forget(): void {
    this.#field?.close();
    this.#field = undefined;
    this.#run = [];
  }

  /** The field that has the keyboard; `before`: that had it then. */
  focused(before?: number): Field | undefined {
    const focus = this.#keyboard.holder(before);
    if (focus === undefined) return this.#field = undefined;
    if (this.#field?.is(focus)) return this.#field;
    const look = this.#observer.looks.latest(focus.bus);
    const row = look?.snapshot.rowOf(focus) ?? -1;
    this.#field?.close();
    if (look === undefined || row < 0) return this.#field = undefined;
    const key = `${focus.bus} ${focus.path}`;
    const { secret } = this.#observer;
    return this.#field = new Field(this.#desktop, look, row, {
      holder: focus,
      secret: secret.has(key),
      edited: () => this.#observer.reported.edited(focus),
      onSecret: () => secret.add(key),
    });
  }

  /** The field that is known by what it told of the keys; undefined: there is none. */
  #foundByKeys(): Field | undefined {
    const field = this.focused();
    return field?.holder.assumed === undefined ? undefined : field;
  }

  /** What has the keyboard as a key is pressed, which may give it to something else. */
  pressedIn({ keysym, modifiers, from }: Gesture & { do: "key" }): Field | undefined {
    const field = this.focused(from);
    if (chordOf(keysym, modifiers)?.endsWith("Tab")) this.#keyboard.moved(from);
    return field;
  }

  /** A run of keys that type: its text is read from the field. */
  async type(gesture: Gesture & { do: "typing" }, typedInto: Field | undefined): Promise<void> {
    const field = typedInto ?? this.#foundByKeys();
    if (field === undefined) return this.#unknownText(undefined);
    const { look, row } = field;
    const app = await this.#maker.nameOf(field.application);
    const target = this.#maker.targetOf(look.snapshot, row, app);
    await this.#maker.expect(look);
    const key = `${field.element.bus} ${field.element.path}`;
    this.#maker.drop(`click ${key}`);
    // Of a password nothing is read; that it changed is told all the same.
    const shown = this.#keyboard.took(field.holder, gesture.from);
    if (field.secret) {
      const name = secretName(look.snapshot.name(row));
      this.#maker.secrets.add(name);
      const value = `{{secrets.${name}}}`;
      // The whole content: typed again over what stood there, or on, it is still what the field is to hold.
      return this.#maker.add("set", { target }, target !== null && shown, {
        key,
        placeholder: { value },
        comment: shown ? undefined : UNSHOWN,
      });
    }
    if (field.late) await this.#observer.atRest(field.application.bus, gesture.until);
    const read = field.editable ? await field.text(this.#leaving.has(field)) : undefined;
    const number = read && numberIn(look.snapshot, row, read.text);
    // The parts of a date in a page tell no text; Qt's field of a date tells one that is no number.
    const isText = number !== undefined || look.snapshot.role(row) !== Role.spinButton ||
      isQt(field.application) && !hasRange(look.snapshot, row);
    if (read !== undefined && isText) {
      const value = number ?? read.text;
      const outside = outsideOf(look.snapshot, row, value);
      const comment = !shown ? UNSHOWN : read.sure ? outside : EMPTIED;
      return this.#maker.add("set", { target, value }, comment === undefined && target !== null, { comment });
    }
    const after = await this.#observer.atRest(field.application.bus, gesture.until);
    const state = newState(look.snapshot, row, after?.snapshot) ?? numberOf(field, after?.snapshot);
    if (state !== undefined) {
      const comment = shown ? outsideOf(look.snapshot, row, state) : UNSHOWN;
      return this.#maker.add("set", { target, value: state }, comment === undefined && target !== null, {
        comment,
      });
    }
    this.#unknownText(target);
  }

  #unknownText(target: Json | undefined): void {
    this.#maker.add("type", defined({ into: target }), false, {
      placeholder: { text: TYPED },
      comment: "Keys were typed into an element that tells no text.",
    });
  }

  /** A key or a chord. */
  async press(gesture: Gesture & { do: "key" }, field: Field | undefined): Promise<void> {
    const keys = chordOf(gesture.keysym, gesture.modifiers);
    if (keys === undefined) return;
    const plain = !gesture.modifiers.some((one) => one !== "shift") && !/^F\d+$|^Escape$|^Menu$/.test(keys);
    const app = field ? await this.#maker.nameOf(field.application) : this.#maker.main ?? "";
    const into = plain && field ? this.#maker.targetOf(field.look.snapshot, field.row, app) : undefined;
    if (field) await this.#maker.expect(field.look, !into);
    const after = field && await this.#observer.atRest(field.application.bus, gesture.until);
    const state = field && newState(field.look.snapshot, field.row, after?.snapshot);
    if (state !== undefined && into) return this.#maker.add("set", { target: into, value: state }, true);
    const elsewhere = !into && app !== this.#maker.main && app !== "" ? { app } : {};
    const comment = !into || !field || this.#keyboard.has(field.holder) ? undefined : UNSHOWN;
    const step = { keys, ...elsewhere, ...(into ? { into } : {}) };
    this.#maker.add("press", step, into !== null && comment === undefined, { comment });
  }
}

/** Why a text is not sure. */
const UNSHOWN = "The application did not say what had the keyboard; this was pressed last.";
const EMPTIED = "The field was emptied by the next key before it was read.";

/** Has a field of numbers room for one? */
function hasRange(snapshot: Snapshot, row: number): boolean {
  const range = snapshot.value(row);
  return range !== undefined && range.minimum < range.maximum;
}

/** What a field of numbers will make of its text: a number in its range; undefined: it is no such field, or no number. */
function numberIn(snapshot: Snapshot, row: number, text: string): number | undefined {
  const range = snapshot.value(row);
  if (range === undefined || text.trim() === "" || Number.isNaN(Number(text))) return undefined;
  const { minimum, maximum } = range;
  return maximum > minimum && !isWebRow(snapshot, row)
    ? Math.min(maximum, Math.max(minimum, Number(text)))
    : Number(text);
}

/** Why a number cannot be set again: a page keeps one that its field does not take, where others keep to their range. */
function outsideOf(snapshot: Snapshot, row: number, value: Json): string | undefined {
  const range = snapshot.value(row);
  if (typeof value !== "number" || range === undefined || range.maximum <= range.minimum) return undefined;
  const { minimum, maximum } = range;
  return value < minimum || value > maximum
    ? `The field takes ${minimum} to ${maximum}, and something else was typed.`
    : undefined;
}

/** The number that a field of numbers has, even where that is as before; undefined: it is none. */
function numberOf({ element }: Field, after: Snapshot | undefined): number | undefined {
  const row = after?.rowOf(element) ?? -1;
  const range = after === undefined || row < 0 ? undefined : after.value(row);
  // Qt's field of a date is one, too, and its number is always 0.
  return range !== undefined && range.maximum > range.minimum ? range.current : undefined;
}
