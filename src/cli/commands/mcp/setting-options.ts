import { SETTINGS } from "../../../policy/table.ts";
import type { Arguments, OptionSpec } from "../../command.ts";

/** Options that the command has by other means, or whose values are its own. */
const OWN: ReadonlySet<string> = new Set(["port", "bind"]);

/** The options of settings, in the order of their table. */
export const SETTING_OPTIONS: readonly OptionSpec[] = [
  ...Object.values(SETTINGS).flatMap(({ flag, kind, description }): OptionSpec[] =>
    flag === undefined || OWN.has(flag) ? [] : [{
      name: flag,
      kind: "string",
      value: kind.allowed.startsWith("a list")
        ? "<list>"
        : kind.allowed.startsWith("a whole")
        ? "<n>"
        : "<value>",
      description: `serve, doctor: ${description.replaceAll("`", "")}`,
    }]
  ),
  {
    name: "config",
    kind: "string",
    value: "<folder>",
    description:
      "serve, doctor: the folder of config.toml and security.toml; default: backstep in XDG_CONFIG_HOME",
  },
];

/** The settings that the command line gives, by their flags. */
export function flagsOf(args: Arguments): { [flag: string]: string } {
  const flags: { [flag: string]: string } = {};
  for (const { flag } of Object.values(SETTINGS)) {
    if (flag === undefined || !args.given(flag)) continue;
    flags[flag] = args.string(flag) ?? "";
  }
  return flags;
}
