import { z } from "zod";
import { UPDATE_MODES } from "../../contract/baselines.ts";
import { MODES } from "../../desktop/mode.ts";
import { EVIDENCE_MODES } from "../../engine/evidence/mode.ts";
import { DesktopSettingsSchema } from "../../session/settings/settings.ts";
import { DURATION_HINT, parseDuration } from "../../workflow/durations.ts";

/** No test run has more of anything. */
const MOST = 10_000;
const text = (description: string) => z.string().min(1).describe(description);
const texts = (description: string) => z.array(z.string().min(1)).describe(description);
const whole = (least: number, description: string) => z.int().min(least).max(MOST).describe(description);
const time = (description: string) =>
  z.union([z.number(), z.string()]).refine((value) => (parseDuration(value) ?? 0) > 0, DURATION_HINT)
    .describe(description);

/** What the whole file says, and what a project may say otherwise. */
const OF_FILES = {
  paths: texts("Workflow files, and folders of them; default: workflows.").optional(),
  tags: texts("Only files with one of these tags, and none of those after a !: `smoke,gtk`, `!slow`.")
    .optional(),
  grep: text("Only files whose path and name match this regular expression.").optional(),
  grep_invert: text("Only files whose path and name do not match it.").optional(),
  session: text("Which desktop: isolated, attach, simulated, or the id of a kept one.").optional(),
  mode: z.enum(MODES).describe("Whether a desktop that was there before may be disturbed.").optional(),
  desktop: DesktopSettingsSchema.describe(
    "What private desktops are to be like; each setting goes before that of a file.",
  ).optional(),
  app: text("Default application, instead of the file's `app:`.").optional(),
  vars: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).describe("Values of variables.")
    .optional(),
  vars_file: text("A YAML or JSON file of variables.").optional(),
  timeout: time("Time limit of each file, instead of its `timeout:`: 30s, 2m.").optional(),
  retries: whole(0, "Further tries of a file that failed.").optional(),
  repeat: whole(1, "How often each file runs.").optional(),
  evidence: z.enum(EVIDENCE_MODES).describe("When screenshots and trees of each step are stored.").optional(),
  update_baselines: z.enum(UPDATE_MODES).describe("Which baselines are written.").optional(),
  before: text("A workflow file that runs once, before all others; where it fails, they are skipped.")
    .optional(),
  after: text("A workflow file that runs once, after all others, however they ended.").optional(),
};

/** A part of the matrix: the files with settings of its own. */
export const ProjectSchema = z.strictObject({
  name: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u, "it is letters, digits, spaces, and . _ -")
    .describe("Its name, for --project and reports."),
  dependencies: texts("Projects that must have passed before this one begins.").optional(),
  ...OF_FILES,
});

/** `backstep.config.yaml`. */
export const ConfigSchema = z.strictObject({
  ...OF_FILES,
  workers: whole(1, "How many files run at a time; default: half of the processors.").optional(),
  reporters: texts("list, line, dot, github; into files: json, junit, html, blob; junit=out/junit.xml.")
    .optional(),
  output: text("Folder for reports without a path; default: test-results.").optional(),
  root: text("Folder that contains all files of the workflows.").optional(),
  env_file: text("A file of environment variables; default: .env beside this file, where there is one.")
    .optional(),
  global_timeout: time("Time limit of all files together.").optional(),
  max_failures: whole(1, "Start no more files after this number of failures.").optional(),
  fail_fast: z.boolean().describe("Start no more files after the first failure.").optional(),
  fail_on_flaky: z.boolean().describe("A flaky file counts as a failure.").optional(),
  forbid_only: z.boolean().describe("A file with `only: true` is an error; default: where CI is set.")
    .optional(),
  pass_with_no_tests: z.boolean().describe("Exit with 0 where no file is found, or none is selected.")
    .optional(),
  projects: z.array(ProjectSchema).min(1).describe("The files run once in each of them.").optional(),
});

/** What `backstep.config.yaml` says. */
export type Config = Readonly<z.infer<typeof ConfigSchema>>;
/** What it says of a project. */
export type ProjectConfig = Readonly<z.infer<typeof ProjectSchema>>;
