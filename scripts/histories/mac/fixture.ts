/** The form as an application of macOS: what is true is what it wrote itself. The interface of `../real/fixture.ts`. */

import { z } from "zod";
import type { Json } from "../../../src/base/error.ts";
import type { Interference } from "../../../src/desktop/simulated/faults.ts";
import type { Change, LogEntry } from "../../../src/desktop/simulated/log.ts";
import type { Desktop } from "../../../src/desktop/desktop.ts";
import type { MacSystem } from "../../../src/session/macos/system.ts";
import { ASPECTS, COLOURS, FORM, ITEMS, OTHER } from "../form.ts";
import { asText } from "../real/account.ts";
import type { Truth } from "../watched.ts";
import type { StandIn } from "./stand-in.ts";

type Entry = LogEntry & { readonly changes: readonly Change[] };

const FORM_PID = 100, OTHER_PID = 101;
const Line = z.object({
  label: z.string(),
  attribute: z.string(),
  before: z.string(),
  after: z.string(),
  by: z.string(),
});

/** As at first. */
const INITIAL: Readonly<Record<string, Json>> = {
  alpha: "a0",
  beta: "",
  notes: "n0",
  pin: "",
  copies: 3,
  level: 50,
  wrap: true,
  wifi: false,
  red: true,
  green: false,
  blue: false,
  language: [0],
  rows: [],
  count: "Count 0",
  sent: "Sent 0",
  echo: "Echo a0",
};

/** What an attribute's text is of a key, as the histories have it; undefined: it is none of theirs. */
function valueOf(key: string, attribute: string, text: string): Json | undefined {
  const aspect = ASPECTS.get(key);
  if (key === "rows") {
    if (attribute !== "AXSelectedRows") return undefined;
    return text.split(" ").filter((one) => one !== "").map((one) =>
      ITEMS.rows.findIndex((row) => `#${row}` === one)
    );
  }
  if (aspect === undefined || attribute !== "AXValue") return undefined;
  if (aspect === "chosen") return [ITEMS.language.findIndex((one) => one === text)].filter((k) => k >= 0);
  if (aspect === "checked") return text === "1";
  return aspect === "value" ? Number(text) : text;
}

/** The effects that give a key a value. */
function effectsOf(key: string, value: Json): string {
  const aspect = ASPECTS.get(key), quoted = JSON.stringify(value);
  if (key === "rows" && Array.isArray(value)) {
    return `set #rows AXSelectedRows [${value.map((k) => `#${ITEMS.rows[Number(k)]}`).join(" ")}]`;
  }
  if (aspect === "chosen" && Array.isArray(value)) {
    return `set #language AXValue ${JSON.stringify(ITEMS.language[Number(value[0])] ?? "")}`;
  }
  if (aspect === "checked") {
    const others = COLOURS.some((one) => one === key) && value === true
      ? COLOURS.filter((one) => one !== key).map((one) => `; set #${one} AXValue 0`).join("")
      : "";
    return `set #${key} AXValue ${value === true ? 1 : 0}${others}`;
  }
  if (aspect === "value") return `set #${key} AXValue ${key === "level" ? Number(value).toFixed(1) : quoted}`;
  return `set #${key} AXValue ${quoted}${
    key === "alpha" ? `; set #echo AXValue ${JSON.stringify(`Echo ${value}`)}` : ""
  }`;
}

/** The form, and what happened to it since the last reset. */
export class MacFixture {
  readonly #desktop: Desktop;
  readonly #standIn: StandIn;
  #log: Entry[] = [];
  #truth = new Map<string, string>();
  #clipboard: Json = null;
  #runs = true;

  constructor(desktop: Desktop, standIn: StandIn) {
    this.#desktop = desktop;
    this.#standIn = standIn;
  }

  get log(): readonly Entry[] {
    this.#drain();
    return this.#log;
  }

  truth(): Truth {
    this.#drain();
    return new Map(this.#truth);
  }

  flush(): void {
    this.#drain();
  }

  person(key: string, set: Interference): void {
    if (!this.#runs) return;
    const { text, value, checked, chosen, name } = set;
    const aspect = ASPECTS.get(key);
    const fresh: Json | undefined =
      { text, value, checked, chosen: chosen && [...chosen], name }[aspect ?? "name"];
    if (fresh !== undefined && aspect !== undefined) {
      this.#standIn.do(FORM_PID, effectsOf(key, fresh), "person");
    }
    this.#drain();
  }

  die(): Promise<void> {
    if (!this.#runs) return Promise.resolve();
    this.#drain();
    this.#standIn.kill(FORM_PID);
    this.#standIn.drain();
    this.#ended("simulator", "die");
    return Promise.resolve();
  }

  clipboard(text: string | undefined): void {
    const before = this.#clipboard, after = text ?? null;
    this.#clipboard = after;
    this.#truth.set("clipboard", asText(after));
    if (before !== after) {
      this.#add("caller", "writeClipboard", "", { element: "", what: "clipboard", before, after });
    }
  }

  async reset(): Promise<void> {
    this.#drain();
    await this.#desktop.releaseInput();
    this.#standIn.kill(OTHER_PID);
    if (!this.#runs) this.#standIn.launch(FORM_PID);
    this.#runs = true;
    const all = Object.entries(INITIAL).filter(([key]) => key !== "green" && key !== "blue");
    this.#standIn.do(
      FORM_PID,
      [
        "hide #question",
        "hide #languages",
        'set #answer AXValue ""',
        ...all.map(([key, value]) => effectsOf(key, value)),
        "focus #alpha",
      ].join("; "),
      "reset",
    );
    this.#standIn.drain();
    for (const [key, value] of Object.entries(INITIAL)) this.#truth.set(key, asText(value));
    this.#truth.set("process", "false");
    await this.#desktop.writeClipboard("c0");
    this.#clipboard = "c0";
    this.#truth.set("clipboard", asText("c0"));
    this.#log = [];
  }

  /** What the launcher asks of macOS. */
  get system(): MacSystem {
    const bundles = [{ bundleId: FORM, name: "Form", path: "/Applications/HistForm.app" }, {
      bundleId: OTHER,
      name: "Other",
      path: "/Applications/HistOther.app",
    }];
    return {
      processes: () =>
        Promise.resolve([
          { pid: FORM_PID, bundleId: FORM, name: "Form", hidden: false },
          { pid: OTHER_PID, bundleId: OTHER, name: "Other", hidden: false },
        ].filter(({ pid }) => pid === FORM_PID ? this.#runs : this.#truth.get("process") === "true")),
      installed: () => Promise.resolve(bundles),
      open: (path) => {
        this.#standIn.launch(path === bundles[0]?.path ? FORM_PID : OTHER_PID);
        this.#drain();
        return Promise.resolve();
      },
      terminate: (pid) => {
        this.#standIn.kill(pid);
        this.#drain();
        return Promise.resolve(true);
      },
    };
  }

  #drain(): void {
    for (const line of this.#standIn.drain()) {
      if (line === "Other began" || line === "Other ended") {
        const running = line.endsWith("began");
        if (this.#truth.get("process") === String(running)) continue;
        this.#truth.set("process", String(running));
        this.#add("caller", running ? "launch" : "quit", OTHER, {
          element: "",
          what: "running",
          before: !running,
          after: running,
        });
      } else if (line === "Form ended") this.#ended("caller", "quit");
      else if (line.startsWith("{")) this.#changed(Line.parse(JSON.parse(line)));
    }
  }

  #changed({ label, attribute, before, after, by }: z.infer<typeof Line>): void {
    const [was, is] = [valueOf(label, attribute, before), valueOf(label, attribute, after)];
    if (was === undefined || is === undefined || asText(was) === asText(is)) return;
    this.#truth.set(label, asText(is));
    if (by === "reset") return;
    const person = by === "person";
    const what = ASPECTS.get(label) ?? "text";
    this.#add(person ? "person" : "caller", person ? "interfere" : "act", FORM, {
      element: label,
      what,
      before: was,
      after: is,
    });
  }

  #ended(by: LogEntry["by"], did: string): void {
    if (!this.#runs) return;
    this.#runs = false;
    this.#add(by, did, FORM, { element: "", what: "running", before: true, after: false });
    for (const key of [...this.#truth.keys()]) {
      if (key !== "clipboard" && key !== "process") this.#truth.delete(key);
    }
  }

  #add(by: LogEntry["by"], did: string, app: string, change: Omit<Change, "app">): void {
    this.#log.push({
      n: this.#log.length + 1,
      by,
      did,
      app,
      element: change.element,
      detail: null,
      reported: "",
      changes: [{ app, ...change }],
    });
  }
}
