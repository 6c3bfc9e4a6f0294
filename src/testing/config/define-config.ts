import type { TestConfig } from "./types.ts";

/**
 * The settings of `backstep test`, as the default export of `backstep.config.ts`. It answers what it is given: its use is that an
 * editor knows the names and types of the settings, and the compiler says what is wrong with them.
 *
 * @param config The settings, as the keys of `backstep.config.yaml`.
 * @returns The same.
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
export function defineConfig(config: TestConfig): TestConfig {
  return config;
}
