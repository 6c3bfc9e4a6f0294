import type { Desktop } from "../../../src/desktop/desktop.ts";
import type { Interference } from "../../../src/desktop/simulated/faults.ts";
import type { Launcher, Session } from "../../../src/session/session.ts";
import { SimulatedLauncher } from "../../../src/session/simulated-launcher.ts";
import type { Budgets } from "../../../src/engine/model/budgets.ts";
import { besideEachOther, FORM } from "../form.ts";
import type { History } from "../live.ts";
import { inVirtualTime } from "../virtual-time.ts";
import { sharing, TrueDesktop, type Truth } from "../watched.ts";
import type { Fixture } from "./fixture.ts";
import type { Rewording, Toolkit } from "./toolkits.ts";

/** A desktop with the form on it, and with somebody who knows what is true. */
export interface Stage {
  readonly desktop: Desktop;
  readonly launcher: Launcher;
  readonly kind: Session["kind"];
  readonly label: string;
  readonly home: string | undefined;
  readonly budgets: Partial<Budgets>;
  /** It is taken for one that answers from a copy, as a browser is. */
  readonly copied: boolean;
  readonly log: History["log"];
  truth(): Truth;
  carets(): Truth;
  /** Waits until what was done has been written, where it is written later. */
  flush(): void;
  /** Our own action wrote to the clipboard. */
  wroteClipboard(text: string | undefined): void;
  person(key: string, set: Interference): void;
  die(): Promise<void>;
  /** Runs a history in its time. */
  run<R>(history: () => Promise<R>): Promise<R>;
  /** The text of a workflow in this toolkit's words. */
  ask(file: string): string;
  close(): Promise<void>;
}

/** What every history costs at most; on a real desktop looks take their time. */
const BUDGETS = { resolve: 600, act: 3_000, settle: 500, check: 600, flow: 60_000, rollback: 10_000 };
export const REAL = {
  resolve: 2_500,
  act: 8_000,
  settle: 2_000,
  check: 2_500,
  flow: 180_000,
  rollback: 60_000,
};

/** A workflow, told otherwise. */
export function inWords(file: string, words: readonly Rewording[]): string {
  return words.reduce((text, [from, to]) => text.replaceAll(from, to), file);
}

/** A simulated desktop. */
export function simulatedStage({ copied = false }: { readonly copied?: boolean } = {}): Stage {
  const desktop = new TrueDesktop([], besideEachOther);
  desktop.writeClipboard("c0");
  return {
    desktop: sharing(desktop),
    launcher: new SimulatedLauncher(desktop),
    kind: "simulated",
    label: "simulated",
    home: undefined,
    budgets: BUDGETS,
    copied,
    log: desktop.log.entries,
    truth: () => desktop.truth(),
    carets: () => desktop.carets(),
    flush() {},
    wroteClipboard() {},
    person(key, set) {
      if (desktop.truth().has(key)) desktop.person(FORM, key, set);
    },
    die: () => Promise.resolve(desktop.die()),
    run: (history) => inVirtualTime(desktop, history),
    ask: (file) => file,
    close: () => desktop.close(),
  };
}

/** A real one, as at first. */
export async function realStage(session: Session, fixture: Fixture, toolkit: Toolkit): Promise<Stage> {
  // A list that the last story left open has the keys, and no page can close it.
  if (toolkit.listsHoldKeys) await session.desktop.pressKeys(["Escape"]);
  await fixture.reset();
  return {
    desktop: session.desktop,
    launcher: session.launcher,
    kind: session.kind,
    label: session.label,
    home: session.home,
    budgets: REAL,
    // Its participants say so themselves.
    copied: false,
    get log() {
      return fixture.log;
    },
    truth: () => fixture.truth(),
    // Where carets are is no part of a verdict, and no fixture writes it down.
    carets: () => new Map(),
    flush: () => fixture.flush(),
    wroteClipboard: (text) => fixture.clipboard(text),
    person: (key, set) => fixture.person(key, set),
    die: () => fixture.die(),
    run: (history) => history(),
    ask: (file) => inWords(file, toolkit.words),
    close: () => Promise.resolve(),
  };
}
