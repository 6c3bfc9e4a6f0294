import { type DesktopSettings, DesktopSettingsSchema } from "../session/settings/settings.ts";
import { usage } from "./arguments.ts";
import { type Arguments, type Command, ON_A_DESKTOP, type OptionSpec } from "./command.ts";

/** An option and the setting that it gives. */
interface SettingOption extends OptionSpec {
  readonly setting: keyof DesktopSettings;
}

const DISPLAY: SettingOption = {
  setting: "display",
  name: "display",
  kind: "string",
  value: "<kind>",
  suggests: ["x11", "wayland"],
  description:
    "Kind of display: x11 (default) or wayland. With --session attach, wayland is your own sway or niri",
};

/** Options of a command that uses a desktop as it is. */
export const ON_ONE_DESKTOP: readonly OptionSpec[] = [...ON_A_DESKTOP, DISPLAY];

/** What a new private desktop is to be like; each as the key of `desktop:` in a file. */
export const DESKTOP_OPTIONS: readonly SettingOption[] = [
  DISPLAY,
  {
    setting: "size",
    name: "size",
    kind: "string",
    value: "<WxH>",
    description: "Size of a new private desktop's screen in pixels; default 1280x800",
  },
  {
    setting: "monitors",
    name: "monitor",
    kind: "string",
    value: "<WxH+X+Y>",
    multiple: true,
    description:
      "A part of that screen as a monitor; without +X+Y it is to the right of the previous one; may be repeated",
  },
  {
    setting: "scale",
    name: "scale",
    kind: "number",
    value: "<n>",
    description: "Scale: screen pixels for each pixel of a toolkit, 1 to 4",
  },
  {
    setting: "dpi",
    name: "dpi",
    kind: "number",
    value: "<n>",
    description: "Dots per inch, which set the size of fonts",
  },
  {
    setting: "locale",
    name: "locale",
    kind: "string",
    value: "<name>",
    description: "Language and conventions of that desktop: de_DE.UTF-8",
  },
  {
    setting: "theme",
    name: "theme",
    kind: "string",
    value: "<name>",
    suggests: ["light", "dark"],
    description: "light, dark, or a GTK theme such as HighContrast",
  },
  {
    setting: "services",
    name: "service",
    kind: "string",
    value: "<name>",
    multiple: true,
    description:
      "A service that its session bus may start: a bus name, or the beginning of one and .*; may be repeated",
  },
];

/** The settings that a command line gives; undefined: none. Throws `usage`. */
export function settingsOf(command: Pick<Command, "name">, args: Arguments): DesktopSettings | undefined {
  const given = DESKTOP_OPTIONS.filter(({ name }) => args.given(name));
  if (given.length === 0) return undefined;
  const value = ({ name, kind, multiple }: OptionSpec) =>
    multiple ? args.strings(name) : kind === "number" ? args.number(name) : args.string(name);
  const settings = Object.fromEntries(given.map((option) => [option.setting, value(option)] as const));
  const parsed = DesktopSettingsSchema.safeParse(settings);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const option = given.find(({ setting }) => setting === issue?.path[0]);
  const text = option &&
    (option.multiple ? args.strings(option.name) : [args.string(option.name)]).join(", ");
  throw usage(command, `--${option?.name ?? "size"}: ${issue?.message ?? "it cannot be"}; not "${text}"`);
}
