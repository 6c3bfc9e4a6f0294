import type { UpdateMode } from "../../contract/baselines.ts";
import type { Mode } from "../../desktop/desktop.ts";
import type { EvidenceMode } from "../../engine/evidence/mode.ts";
import type { DesktopSettings } from "../../session/settings/settings.ts";

/** What the settings of a test run say of all files, and what a project may say otherwise. Times are "30s", "2m" or milliseconds. */
export interface TestSettings {
  /** Workflow files, and folders of them; default: workflows. */
  readonly paths?: readonly string[] | undefined;
  /** Only files with one of these tags, and none of those after a "!": "smoke,gtk", "!slow". */
  readonly tags?: readonly string[] | undefined;
  /** Only files whose path and name match this regular expression. */
  readonly grep?: string | undefined;
  /** Only files whose path and name do not match it. */
  readonly grep_invert?: string | undefined;
  /** Which desktop: isolated, attach, simulated, or the id of a kept one. */
  readonly session?: string | undefined;
  /** Whether a desktop that was there before may be disturbed. */
  readonly mode?: Mode | undefined;
  /** What private desktops are to be like; each setting goes before that of a file. */
  readonly desktop?: DesktopSettings | undefined;
  /** Default application, instead of the file's `app:`. */
  readonly app?: string | undefined;
  /** Values of variables. */
  readonly vars?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** A YAML or JSON file of variables. */
  readonly vars_file?: string | undefined;
  /** Time limit of each file, instead of its `timeout:`. */
  readonly timeout?: number | string | undefined;
  /** Further tries of a file that failed. */
  readonly retries?: number | undefined;
  /** How often each file runs. */
  readonly repeat?: number | undefined;
  /** When screenshots and trees of each step are stored. */
  readonly evidence?: EvidenceMode | undefined;
  /** Which baselines are written. */
  readonly update_baselines?: UpdateMode | undefined;
  /** A workflow file that runs once, before all others; where it fails, they are skipped. */
  readonly before?: string | undefined;
  /** A workflow file that runs once, after all others, however they ended. */
  readonly after?: string | undefined;
}

/** A part of the matrix: the files with settings of its own. */
export interface TestProject extends TestSettings {
  /** Its name, for --project and reports. */
  readonly name: string;
  /** Projects that must have passed before this one begins. */
  readonly dependencies?: readonly string[] | undefined;
}

/** What `backstep.config.ts` exports, the same as the keys of `backstep.config.yaml`. */
export interface TestConfig extends TestSettings {
  /** How many files run at a time; default: half of the processors. */
  readonly workers?: number | undefined;
  /** list, line, dot, github; into files: json, junit, html, blob; "junit=out/junit.xml". */
  readonly reporters?: readonly string[] | undefined;
  /** Folder for reports without a path; default: test-results. */
  readonly output?: string | undefined;
  /** Folder that contains all files of the workflows. */
  readonly root?: string | undefined;
  /** A file of environment variables; default: .env beside the configuration, where there is one. */
  readonly env_file?: string | undefined;
  /** Time limit of all files together. */
  readonly global_timeout?: number | string | undefined;
  /** Start no more files after this number of failures. */
  readonly max_failures?: number | undefined;
  /** Start no more files after the first failure. */
  readonly fail_fast?: boolean | undefined;
  /** A flaky file counts as a failure. */
  readonly fail_on_flaky?: boolean | undefined;
  /** A file with `only: true` is an error; default: where CI is set. */
  readonly forbid_only?: boolean | undefined;
  /** Exit with 0 where no file is found, or none is selected. */
  readonly pass_with_no_tests?: boolean | undefined;
  /** The files run once in each of them. */
  readonly projects?: readonly TestProject[] | undefined;
}
