import { pause } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import type { Action, ElementRef, Gesture } from "../../desktop/desktop.ts";
import type { Spot } from "../../desktop/reach.ts";
import { Role } from "../../desktop/roles.ts";
import type { Sent } from "../../desktop/sent.ts";
import { hasState, State } from "../../desktop/states.ts";
import { isGtk } from "../../desktop/toolkits.ts";
import { chordOf } from "./chord.ts";
import { destructiveWord } from "./destructive-words.ts";
import { isPressed, isWritten, wordsOf, wordsRead } from "./element-words.ts";
import { type Hit, markOf } from "./hit.ts";
import { hitOf } from "./hit-of.ts";
import { closeHit, hitsOfChord, hitsOfKeys, isDestructive, type Scene, settled } from "./foresee.ts";
import { holdersOf, viewOf } from "./keyboard.ts";
import { choicesOf } from "./key-reach.ts";
import { hitsAtPoint, spotsAtPoint } from "./point-hits.ts";
import { keyOfCharacter } from "./text-keys.ts";

/** Milliseconds that what is pressed is looked at, over and over: a label that changes faster is seen in each of its states. */
const STEADY = 20;
/** Milliseconds between two such looks. */
const LOOK = 3;
/** So many at least, however slow they are: on a busy machine one may be all that the time is for. */
const LOOKS = 8;

/** Where one act was seen to type: another key into the same field is judged by one look at it. */
interface Typing {
  readonly element: ElementRef;
  readonly pid: number;
}

/** Judges what one act sends, call by call, as everything stands at that moment. */
export class SendJudge {
  readonly #scene: Scene;
  /** What the act was found to be about: for toolkits that tell nothing of what lies in a popup. */
  readonly #expected: readonly Spot[];
  #typing: Typing | undefined;
  /** Keys were sent: what comes of them comes after them. */
  #keyed = false;

  constructor(scene: Scene, expected: readonly Spot[]) {
    this.#scene = scene;
    this.#expected = expected;
  }

  /** What it would hit; harmless hits too. */
  async judge(sent: Sent): Promise<Hit[]> {
    switch (sent.to) {
      case "element":
        return await this.#element(sent.element, sent.action);
      case "keys":
        await this.#settle();
        return await hitsOfKeys(chordOf(sent.keys), this.#scene);
      case "text":
        return await this.#text(sent.text);
      case "pointer":
        return await this.#pointer(sent.gesture);
      case "window":
        return sent.action.do === "close" ? [await this.#closing(sent.id)] : [];
      case "manager": {
        const { act, app: name, title } = sent;
        return act.do === "close" ? [closeHit({ name }, act.window, title)] : [];
      }
      case "clipboard":
        return [];
    }
  }

  async #settle(): Promise<void> {
    if (this.#keyed) await settled(this.#scene);
    this.#keyed = true;
  }

  async #element(element: ElementRef, act: Action): Promise<Hit[]> {
    if (act.do === "action") return await this.#action(element, act.name);
    return act.do === "select" ? await this.#choice(element, act.child) : [];
  }

  /** An action: what it is called over a few milliseconds, and what it stands in. */
  async #action(element: ElementRef, action: string): Promise<Hit[]> {
    const { desktop, deadline } = this.#scene;
    const first = await desktop.read(element, deadline.call());
    const written = isWritten(first.role, first.statesLow, first.statesHigh);
    if (written && !/^activate$/i.test(action)) return [];
    if (isPressed(first.role) && first.name !== "") return await this.#steady(element);
    const application = (await desktop.applications(deadline.call())).find(({ bus }) => bus === element.bus);
    if (application === undefined) return await this.#steady(element);
    const snapshot = await desktop.snapshot(application, {
      ...deadline.call(),
      fields: ["extents", "id"],
    });
    const row = snapshot.rowOf(element);
    if (row < 0) return await this.#steady(element);
    if (!written) return [hitOf(snapshot, row, "press"), ...await this.#steady(element)];
    // Of a field of GTK, to activate is to press Return in it.
    if (!isGtk(application)) return [];
    let top = row;
    for (let up = snapshot.parent(row); up > 0; up = snapshot.parent(up)) top = up;
    const view = { snapshot, focused: [row], windows: [top], popup: false };
    return await hitsOfChord(view, chordOf(["Return"]), this.#scene);
  }

  /** What an element is called, each time that it is called otherwise. */
  async #steady(element: ElementRef): Promise<Hit[]> {
    const { desktop, deadline } = this.#scene;
    const hits = new Map<string, Hit>();
    const applications = await desktop.applications(deadline.call());
    const app = applications.find(({ bus }) => bus === element.bus)?.name ?? "";
    const until = performance.now() + STEADY;
    for (let looks = 0; looks < LOOKS || performance.now() < until; looks++) {
      const reading = await desktop.read(element, deadline.call());
      const texts = wordsRead(reading);
      const word = texts.map(destructiveWord).find((one) => one !== undefined);
      const name = reading.name || texts[0] || "";
      const around = element.fingerprint.item?.content ?? "";
      hits.set(texts.join("\n"), {
        kind: word === undefined ? "harmless" : "destructive",
        doing: "press",
        name,
        app,
        role: reading.role,
        ...defined({ word }),
        apart: around === "" ? [] : [around],
        mark: markOf({
          bus: element.bus,
          path: element.path,
          words: name,
          around: undefined,
        }),
      });
      await pause(LOOK, deadline.signal);
    }
    return [...hits.values()];
  }

  async #choice(container: ElementRef, child: number): Promise<Hit[]> {
    const { desktop, deadline } = this.#scene;
    const application = (await desktop.applications(deadline.call())).find(({ bus }) =>
      bus === container.bus
    );
    if (application === undefined) return [];
    const snapshot = await desktop.snapshot(application, { ...deadline.call(), fields: ["extents", "id"] });
    const row = snapshot.rowOf(container);
    const [only] = snapshot.children(row);
    // GTK's boxes keep their items in a menu.
    const holder =
      snapshot.role(row) === Role.comboBox && only !== undefined && snapshot.role(only) === Role.menu
        ? only
        : row;
    const chosen = row < 0 ? undefined : snapshot.children(holder)[child];
    return chosen === undefined ? [] : [hitOf(snapshot, chosen, "choose")];
  }

  async #text(text: string): Promise<Hit[]> {
    const { desktop, deadline } = this.#scene;
    const keys = [...new Set([...text].map(keyOfCharacter))];
    if (await this.#typesOn(keys)) return [];
    await this.#settle();
    this.#typing = undefined;
    const hits: Hit[] = [];
    const holders = await holdersOf(desktop, deadline);
    for (const holder of holders) {
      if ("unknown" in holder) {
        hits.push(...await hitsOfKeys(chordOf([keys[0] ?? "Space"]), this.#scene));
        continue;
      }
      const view = await viewOf(desktop, holder, [], deadline);
      const { snapshot, focused } = view;
      const roles = focused.map((row) =>
        isWritten(snapshot.role(row), snapshot.statesLow(row), snapshot.statesHigh(row))
      );
      const typed = focused.length > 0 && roles.every((one) => one);
      const [only] = focused;
      if (typed && only !== undefined && focused.length === 1 && holders.length === 1) {
        this.#typing = { element: snapshot.element(only), pid: holder.application.pid };
      }
      for (const key of typed ? keys.filter((one) => [...one].length > 1 && one !== "Space") : keys) {
        hits.push(...await hitsOfChord(view, chordOf([key]), this.#scene));
      }
    }
    return hits;
  }

  /** Do these keys go on as text, where the last ones went? */
  async #typesOn(keys: readonly string[]): Promise<boolean> {
    const typing = this.#typing;
    if (typing === undefined) return false;
    const { desktop, deadline } = this.#scene;
    const windows = await desktop.windows(deadline.call());
    if (windows.find(({ active }) => active)?.pid !== typing.pid) return false;
    if (windows.some(({ popup, minimised, pid }) => popup && !minimised && pid !== typing.pid)) return false;
    const reading = await desktop.read(typing.element, deadline.call());
    const { role, statesLow, statesHigh } = reading;
    const has = (state: number) => hasState(statesLow, statesHigh, state);
    if (!isWritten(role, statesLow, statesHigh) || !has(State.focused)) return false;
    const breaks = keys.some((key) => key === "Return");
    if (breaks && (role === Role.terminal || !has(State.multiLine))) return false;
    return keys.every((key) => [...key].length === 1 || key === "Space" || key === "Return");
  }

  async #pointer(gesture: Gesture): Promise<Hit[]> {
    switch (gesture.do) {
      case "move":
        return [];
      case "wheel":
        return await this.#wheel(gesture.x, gesture.y);
      case "click":
        return await this.#place("click", gesture.x, gesture.y);
      case "drag":
        return [
          ...await this.#place("drag", gesture.x, gesture.y),
          ...await this.#place("drag onto", gesture.toX, gesture.toY),
        ];
    }
  }

  /** A wheel chooses in a closed box that lies under it. */
  async #wheel(x: number, y: number): Promise<Hit[]> {
    const spots = await spotsAtPoint({ doing: "scroll", x, y }, this.#expected, this.#scene);
    return spots.flatMap((spot) => {
      if ("kind" in spot) return [];
      const { snapshot, row } = spot;
      return choicesOf(snapshot, wordsOf(snapshot, row).row).map((at) => hitOf(snapshot, at, "scroll to"))
        .filter(isDestructive);
    });
  }

  async #place(doing: string, x: number, y: number): Promise<Hit[]> {
    const hits = await hitsAtPoint({ doing, x, y }, this.#expected, this.#scene);
    const seen: Hit[] = [...hits];
    for (const { element, role } of hits) {
      if (element === undefined || role === undefined || !isPressed(role)) continue;
      const steady = await this.#steady(element);
      // Its own words alone are looked at again: those around it are in the tree that was read.
      seen.push(
        ...steady.filter(({ kind, word }) =>
          kind === "destructive" && !hits.some((hit) => hit.word === word)
        ),
      );
    }
    return seen;
  }

  async #closing(id: number): Promise<Hit> {
    const { desktop, deadline } = this.#scene;
    const window = (await desktop.windows(deadline.call())).find((one) => one.id === id);
    const applications = await desktop.applications(deadline.call());
    const application = applications.find(({ pid }) => pid !== 0 && pid === window?.pid);
    return closeHit(application, id, window?.title ?? "");
  }
}
