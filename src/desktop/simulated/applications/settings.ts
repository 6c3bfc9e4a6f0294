import type { Json } from "../../../base/error.ts";
import type { OwnDescription, SimulatedApplication } from "../application.ts";
import type { Behaviour, WidgetDescription } from "../describe.ts";

/** Where Apply writes. */
export const SETTINGS_FILE = "/home/sim/.config/settings.json";

const ADVANCED: readonly WidgetDescription[] = Array.from({ length: 24 }, (_, i) => ({
  kind: "check",
  key: `option-${i + 1}`,
  name: `Option ${i + 1}`,
}));

const radio = (key: string, name: string, checked = false): WidgetDescription => ({
  kind: "radio",
  key,
  name,
  group: "theme",
  checked,
});

/** A settings window with one of everything that bears state; Apply keeps it, Reset goes back to what was kept. */
export const settings: OwnDescription = {
  id: "sim.settings",
  name: "Settings",
  windows: [{
    key: "main",
    title: "Settings",
    height: 640,
    children: [
      {
        kind: "tabs",
        key: "pages",
        name: "Pages",
        children: [
          {
            kind: "tab",
            key: "general",
            name: "General",
            children: [
              { kind: "entry", key: "name", id: "name", name: "Name", text: "Ada" },
              { kind: "entry", key: "email", name: "E-mail" },
              { kind: "password", key: "pin", name: "PIN" },
              { kind: "spin", key: "copies", name: "Copies", value: 1, minimum: 1, maximum: 99 },
              { kind: "check", key: "notify", name: "Notify me", checked: true },
              { kind: "check", key: "sound", name: "Play sounds" },
              {
                kind: "panel",
                name: "Theme",
                layout: "row",
                children: [radio("light", "Light", true), radio("dark", "Dark"), radio("system", "System")],
              },
              {
                kind: "combo",
                key: "language",
                name: "Language",
                options: ["English", "Deutsch", "Français", "日本語"],
                chosen: [0],
              },
              { kind: "slider", key: "volume", name: "Volume", value: 50, maximum: 100, step: 5 },
              { kind: "switch", key: "wifi", name: "Wi-Fi", checked: true },
            ],
          },
          {
            kind: "tab",
            key: "advanced",
            name: "Advanced",
            children: [{
              kind: "scroll",
              key: "advanced-area",
              name: "Options",
              children: [
                { kind: "panel", children: ADVANCED },
                { kind: "scrollbar", key: "advanced-bar", name: "", maximum: 0 },
              ],
            }],
          },
          {
            kind: "tab",
            key: "about",
            name: "About",
            children: [
              { kind: "heading", name: "Settings 1.0" },
              { kind: "link", key: "homepage", name: "Homepage" },
            ],
          },
        ],
      },
      {
        kind: "panel",
        layout: "row",
        children: [
          { kind: "button", key: "reset", name: "Reset" },
          { kind: "button", key: "apply", name: "Apply", sensitive: false },
        ],
      },
      { kind: "progress", key: "busy", name: "Busy" },
      { kind: "label", key: "clock", name: "12:00:00" },
      { kind: "status", key: "status", name: "" },
    ],
  }],
  behave,
};

/** What is kept of a widget. */
interface Kept {
  readonly key: string;
  readonly read: () => Json;
  readonly restore: () => void;
}

function behave(app: SimulatedApplication): Behaviour {
  const keys = [...app.all()]
    .filter((widget) => widget.key !== "pages" && widget.key !== "advanced-bar" && widget.key !== "busy")
    .filter((widget) =>
      widget.text !== undefined || widget.value || widget.chosen || widget.spec.manner === "toggle"
    )
    .map((widget) => widget.key);
  let kept: readonly Kept[] = keys.map(keep);
  let applied = 0;
  let resetting = false;

  function keep(key: string): Kept {
    const { text, value, chosen, checked } = app.find(key);
    if (text !== undefined) return { key, read: () => text, restore: () => void app.setText(key, text) };
    if (value) {
      const { current } = value;
      return { key, read: () => current, restore: () => void app.setValue(key, current) };
    }
    if (chosen) return { key, read: () => [...chosen], restore: () => void app.choose(key, [...chosen]) };
    return { key, read: () => checked, restore: () => restoreCheck(key, checked) };
  }
  function restoreCheck(key: string, checked: boolean) {
    // Of a radio group only the chosen one is set; the others follow.
    if (checked || app.find(key).from.group === undefined) app.setChecked(key, checked);
  }
  const differs = () =>
    kept.some((one) => JSON.stringify(keep(one.key).read()) !== JSON.stringify(one.read()));
  const values = () =>
    Object.fromEntries(kept.map((one) => [one.key, one.key === "pin" ? "(secret)" : one.read()]));

  return {
    press(key) {
      if (key === "apply") {
        kept = keys.map(keep);
        applied++;
        app.shared.writeFile(SETTINGS_FILE, JSON.stringify(values()));
        app.setName("status", "Changes applied");
      } else if (key === "reset") {
        resetting = true;
        for (const one of kept) one.restore();
        resetting = false;
        app.setName("status", "Changes undone");
      } else return;
      app.setSensitive("apply", false);
    },
    change(key) {
      if (resetting || !keys.includes(key)) return;
      app.setSensitive("apply", differs());
      app.setName("status", "");
    },
    world: () => ({ applied, kept: values() }),
  };
}
