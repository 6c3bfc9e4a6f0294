import assert from "node:assert/strict";
import type { Config, ProjectConfig } from "./config.ts";
import { ConfigSchema, ProjectSchema } from "./config.ts";
import { defineConfig } from "./define-config.ts";
import type { TestConfig, TestProject } from "./types.ts";

/** Fails to compile where a key is in one of both alone. */
type SameKeys<A, B> = [Exclude<keyof A, keyof B>, Exclude<keyof B, keyof A>] extends [never, never] ? true
  : false;

Deno.test("the settings that a program exports are those of the schema, key by key", () => {
  const config: SameKeys<TestConfig, Config> = true;
  const project: SameKeys<TestProject, ProjectConfig> = true;
  // What the schema reads is what the type says.
  const read: TestConfig = ConfigSchema.parse(defineConfig({ retries: 1, projects: [{ name: "dark" }] }));
  const one: TestProject = ProjectSchema.parse({ name: "dark", desktop: { theme: "dark" } });
  assert.deepEqual([config, project, read.projects?.[0]?.name, one.desktop?.theme], [
    true,
    true,
    "dark",
    "dark",
  ]);
});
