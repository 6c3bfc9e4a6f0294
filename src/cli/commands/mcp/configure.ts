import { statSync } from "node:fs";
import process from "node:process";
import { resolve } from "node:path";
import { BackstepError } from "../../../base/error.ts";
import { Settings } from "../../../policy/settings.ts";
import type { Arguments } from "../../command.ts";
import { flagsOf } from "./setting-options.ts";

/** What is configured, from options, the environment and files. Throws `usage` for the first value that cannot be. */
export function settingsOf(args: Arguments): Settings {
  const folder = args.string("config");
  // A mistyped folder must not start a server without its policy.
  if (folder !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new BackstepError("usage", `Cannot use --config ${folder}: it is no folder`, {
      hint: "Name the folder of config.toml and security.toml, or leave --config out.",
    });
  }
  return new Settings({
    environment: process.env,
    flags: flagsOf(args),
    ...(folder === undefined ? {} : { folder: resolve(folder) }),
  });
}
