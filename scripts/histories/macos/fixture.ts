import type { Json } from "../../../src/base/error.ts";
import type { Interference } from "../../../src/desktop/simulated/faults.ts";
import type { Change, LogEntry } from "../../../src/desktop/simulated/log.ts";
import type { Session } from "../../../src/session/session.ts";
import { ASPECTS, COLOURS, FORM, ITEMS, OTHER } from "../form.ts";
import { asText } from "../real/account.ts";
import type { Truth } from "../watched.ts";
import type { StandIn } from "./stand-in.ts";

type Entry = LogEntry & { readonly changes: readonly Change[] };

export const FORM_PID = 100, OTHER_PID = 200;

/** What is true at first. */
const INITIAL: Readonly<Record<string, Json>> = {
  alpha: "a0",
  beta: "",
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
  notes: "n0",
  count: "Count 0",
  sent: "Sent 0",
  echo: "Echo a0",
};

/** The form in the stand-in of macOS: what is true is what it said itself, and what a person did to it. */
export class MacFixture {
  readonly #standIn: StandIn;
  readonly #session: Session;
  #truth = new Map<string, string>();
  #values = new Map<string, Json>();
  #log: Entry[] = [];
  #read = 0;
  #clipboard: Json = null;
  #by: "caller" | "person" = "caller";

  constructor(standIn: StandIn, session: Session) {
    this.#standIn = standIn;
    this.#session = session;
  }

  get log(): readonly Entry[] {
    this.flush();
    return this.#log;
  }

  truth(): Truth {
    this.flush();
    return new Map(this.#truth);
  }

  /** Takes in what the applications said since. */
  flush(): void {
    const lines = this.#standIn.account();
    for (const line of lines.slice(this.#read)) this.#said(line);
    this.#read = lines.length;
  }

  person(key: string, set: Interference): void {
    this.flush();
    if (!this.#values.has(key)) return;
    for (const value of Object.values(set)) {
      const effects = effectsOf(key, JSON.parse(JSON.stringify(value)));
      if (effects === undefined) continue;
      this.#standIn.person(FORM_PID, key, effects);
      this.#by = "person";
      this.#changed(key, JSON.parse(JSON.stringify(value)));
      this.flush();
      this.#by = "caller";
    }
  }

  die(): Promise<void> {
    this.flush();
    if (this.#values.size === 0) return Promise.resolve();
    this.#standIn.kill(FORM_PID);
    this.#finished("simulator", "die", FORM);
    for (const key of this.#values.keys()) this.#truth.delete(key);
    this.#values.clear();
    return Promise.resolve();
  }

  clipboard(text: string | undefined): void {
    const [before, after] = [this.#clipboard, text ?? null];
    this.#clipboard = after;
    this.#truth.set("clipboard", asText(after));
    if (before === after) return;
    this.#add("caller", "writeClipboard", { app: "", element: "", what: "clipboard", before, after });
  }

  /** The other application was started or ended by us. */
  other(running: boolean): void {
    if (this.#truth.get("process") === String(running)) return;
    this.#truth.set("process", String(running));
    const change = { app: OTHER, element: "", what: "running", before: !running, after: running };
    this.#add("caller", running ? "launch" : "quit", change);
  }

  /** Does it run? */
  runs(pid: number): boolean {
    return pid === FORM_PID ? this.#values.size > 0 : this.#truth.get("process") === "true";
  }

  /** The form was quit by us. */
  quit(): void {
    this.flush();
    this.#finished("caller", "quit", FORM);
    for (const key of this.#values.keys()) this.#truth.delete(key);
    this.#values.clear();
  }

  /** The form was started by us. */
  started(): void {
    this.#begin();
  }

  async reset(): Promise<void> {
    this.#standIn.reset();
    // As on the other desktops the first field has the keyboard.
    this.#standIn.person(FORM_PID, "alpha", "focus #alpha");
    this.#read = 0;
    this.#truth.clear();
    this.#begin();
    this.#truth.set("process", "false");
    await this.#session.desktop.writeClipboard("c0");
    this.#clipboard = "c0";
    this.#truth.set("clipboard", asText("c0"));
    this.#log = [];
  }

  #begin(): void {
    this.#values = new Map(Object.entries(INITIAL));
    for (const [key, value] of this.#values) this.#truth.set(key, asText(value));
  }

  #said(line: string): void {
    const [key = "", ...rest] = line.split(" ");
    const text = rest.join(" ");
    if (key === "colour") {
      for (const one of COLOURS.filter((colour) => colour !== text)) this.#changed(one, false);
      return this.#changed(text, true);
    }
    const value = valueOf(key, text);
    if (value !== undefined) this.#changed(key, value);
  }

  #changed(key: string, after: Json): void {
    const by = this.#by;
    const before = this.#values.get(key);
    if (before === undefined || asText(before) === asText(after)) return;
    this.#values.set(key, after);
    this.#truth.set(key, asText(after));
    const what = ASPECTS.get(key) ?? "text";
    this.#add(by, by === "person" ? "interfere" : "act", { app: FORM, element: key, what, before, after });
  }

  #finished(by: LogEntry["by"], did: string, app: string): void {
    this.#add(by, did, { app, element: "", what: "running", before: true, after: false });
  }

  #add(by: LogEntry["by"], did: string, change: Change): void {
    const { app, element } = change;
    this.#log.push({
      n: this.#log.length + 1,
      by,
      did,
      app,
      element,
      detail: null,
      reported: "",
      changes: [change],
    });
  }
}

/** A line of the account as a value; undefined: it is of nothing that is compared. */
function valueOf(key: string, text: string): Json | undefined {
  switch (ASPECTS.get(key)) {
    case "text":
    case "name":
      return text;
    case "value":
      return Number(text);
    case "checked":
      return text === "1";
    case "chosen":
      return key === "language"
        ? [ITEMS.language.findIndex((one) => one === text)]
        : text.split(" ").flatMap((one) => {
          const index = ITEMS.rows.findIndex((row) => row === one.replace(/[#[\]]/g, ""));
          return index < 0 ? [] : [index];
        });
    default:
      return undefined;
  }
}

/** What makes it be so, as somebody at the machine does. */
function effectsOf(key: string, value: Json): string | undefined {
  if (key === "alpha") {
    return `set AXValue ${JSON.stringify(value)}; set #echo AXValue ${JSON.stringify(`Echo ${value}`)}; log ${
      JSON.stringify(`echo Echo ${value}`)
    }`;
  }
  if (COLOURS.some((colour) => colour === key)) {
    if (value !== true) return undefined;
    return `${
      COLOURS.map((one) => `set #${one} AXValue ${one === key ? 1 : 0}`).join("; ")
    }; log "colour ${key}"`;
  }
  if (typeof value === "boolean") return `set AXValue ${value ? 1 : 0}`;
  if (typeof value === "number") return `set AXValue ${key === "level" ? value.toFixed(1) : value}`;
  if (typeof value === "string") return `set AXValue ${JSON.stringify(value)}`;
  if (!Array.isArray(value)) return undefined;
  const [first] = value;
  if (key === "language") {
    return typeof first === "number"
      ? `set AXValue ${JSON.stringify(ITEMS.language[first] ?? "")}`
      : undefined;
  }
  return `set AXSelectedRows [${value.map((one) => `#${ITEMS.rows[Number(one)] ?? ""}`).join(" ")}]`;
}
