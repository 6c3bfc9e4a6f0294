import type { Config } from "./config.ts";

/**
 * The settings of `backstep test`, as the default export of `backstep.config.ts`. It answers what it is given: its use is that an
 * editor knows the names and types of the settings, and the compiler says what is wrong with them.
 *
 * @example
 * ```ts
 * import { defineConfig } from "backstep";
 *
 * export default defineConfig({
 *   paths: ["workflows"],
 *   retries: 1,
 *   projects: [{ name: "light" }, { name: "dark", desktop: { theme: "dark" } }],
 * });
 * ```
 */
export function defineConfig(config: Config): Config {
  return config;
}
