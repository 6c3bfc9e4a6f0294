import process from "node:process";
import { resolve } from "node:path";
import { Settings } from "../../../policy/settings.ts";
import type { Arguments } from "../../command.ts";
import { flagsOf } from "./setting-options.ts";

/** What is configured, from options, the environment and files. Throws `usage` for the first value that cannot be. */
export function settingsOf(args: Arguments): Settings {
  const folder = args.string("config");
  return new Settings({
    environment: process.env,
    flags: flagsOf(args),
    ...(folder === undefined ? {} : { folder: resolve(folder) }),
  });
}
