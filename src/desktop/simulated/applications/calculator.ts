import type { OwnDescription, SimulatedApplication } from "../application.ts";
import type { Behaviour } from "../describe.ts";

const KEYS = ["7", "8", "9", "÷", "4", "5", "6", "×", "1", "2", "3", "−", "0", ".", "=", "+"];

/** What keyboards send for the signs on the buttons. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ["*", "×"],
  ["/", "÷"],
  ["-", "−"],
  ["Return", "="],
  ["Escape", "C"],
  ["BackSpace", "⌫"],
  [",", "."],
]);

const COMPUTE: ReadonlyMap<string, (a: number, b: number) => number> = new Map([
  ["+", (a, b) => a + b],
  ["−", (a, b) => a - b],
  ["×", (a, b) => a * b],
  ["÷", (a, b) => a / b],
]);

/** A pocket calculator: works from left to right, by buttons (whose keys are their signs) and by keyboard. */
export const calculator: OwnDescription = {
  id: "sim.calculator",
  name: "Calculator",
  windows: [{
    key: "main",
    title: "Calculator",
    width: 440,
    height: 300,
    children: [
      { kind: "label", key: "display", id: "display", name: "0" },
      { kind: "label", key: "memory", name: "" },
      {
        kind: "panel",
        name: "Keys",
        layout: { grid: 4 },
        children: KEYS.map((sign) => ({ kind: "button" as const, key: sign, name: sign })),
      },
      {
        kind: "panel",
        layout: "row",
        children: [
          { kind: "button", key: "C", name: "C", description: "Clear" },
          { kind: "button", key: "⌫", name: "⌫", description: "Backspace" },
        ],
      },
    ],
  }],
  behave,
};

function behave(app: SimulatedApplication): Behaviour {
  let left: number | undefined;
  let sign = "";
  /** The next digit begins a new number. */
  let fresh = true;

  function show(text: string) {
    app.setName("display", text);
  }
  function apply() {
    const compute = COMPUTE.get(sign);
    const right = Number(app.name("display"));
    if (compute === undefined || left === undefined) return right;
    const result = compute(left, right);
    // Twelve digits, as calculators have, so that 0.1 + 0.2 is 0.3.
    return Number.isFinite(result) ? Number(result.toPrecision(12)) : NaN;
  }
  function press(key: string) {
    const shown = app.name("display");
    if (key === "C") {
      left = undefined;
      sign = "";
      fresh = true;
      show("0");
    } else if (key === "⌫") {
      if (!fresh) show(shown.length > 1 ? shown.slice(0, -1) : "0");
    } else if (/^[0-9.]$/.test(key)) {
      if (key === "." && !fresh && shown.includes(".")) return;
      if (fresh || shown === "0") show(key === "." ? "0." : key);
      else if (shown.length < 12) show(shown + key);
      fresh = false;
    } else {
      if (!fresh || key === "=") {
        const result = apply();
        show(Number.isNaN(result) ? "Error" : String(result));
        left = Number.isNaN(result) ? undefined : result;
      }
      sign = key === "=" ? "" : key;
      if (sign !== "") left ??= Number(app.name("display")) || 0;
      fresh = true;
    }
    app.setName("memory", sign === "" ? "" : `${left ?? 0} ${sign}`);
  }
  return {
    press,
    chord(chord) {
      const key = SIGNS.get(chord) ?? chord;
      if (app.get(key)?.kind !== "button") return false;
      press(key);
      return true;
    },
    world: () => ({ left: left ?? null, sign, display: app.name("display") }),
  };
}
