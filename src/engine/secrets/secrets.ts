import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { BackstepError, toBackstepError } from "../../base/error.ts";
import { equalJson } from "../../contract/participant.ts";
import type { Surroundings } from "../model/scope.ts";
import { readSecretFile } from "./secret-file.ts";
import type { SecretSource, Step, Workflow } from "../model/step.ts";

/** The secrets that a file declares, and the files that it runs: each is hidden in the whole run. */
export function secretsOf(workflow: Workflow): ReadonlySet<string> {
  return new Set(filesOf(workflow).flatMap(({ secrets }) => secrets));
}

/**
 * Where each of them comes from, paths in full. Throws `workflow` where two files want one name from two places: what is
 * typed must not depend on which of them was read first.
 */
export function sourcesOf(workflow: Workflow): ReadonlyMap<string, SecretSource> {
  const sources = new Map<string, SecretSource>();
  for (const { file, secrets, secretSources } of filesOf(workflow)) {
    for (const name of secrets) {
      const source = inFull(secretSources?.[name] ?? { env: name }, file);
      const other = sources.get(name);
      if (other !== undefined && !equalJson({ ...other }, { ...source })) {
        throw new BackstepError(
          "workflow",
          `Cannot run ${workflow.file}: the secret ${name} of ${file} comes from elsewhere than that of another file`,
          { hint: "Declare it in the same way in both, or rename one of them." },
        );
      }
      sources.set(name, source);
    }
  }
  return sources;
}

/** The files that secrets come from, by name: whoever recovers a run reads them again. */
export function secretFiles(workflow: Workflow): { [name: string]: string } {
  const files: [string, string][] = [];
  for (const [name, source] of sourcesOf(workflow)) if ("file" in source) files.push([name, source.file]);
  return Object.fromEntries(files);
}

/**
 * Secrets for a process that takes a run over: those from files are read again, the others come from the environment. What
 * cannot be read is not known, and a step that needs it fails.
 */
export function secretsAgain(
  files: Readonly<Record<string, string>>,
  { secret, ...rest }: Surroundings,
): Surroundings {
  const values = new Map<string, string>();
  for (const [name, file] of Object.entries(files)) {
    try {
      values.set(name, readSecretFile(name, file));
    } catch (thrown) {
      if (toBackstepError(thrown).code !== "usage") throw thrown;
    }
  }
  return { ...rest, secret: (name) => values.get(name) ?? secret(name) };
}

function inFull(source: SecretSource, file: string): SecretSource {
  if (!("file" in source)) return source;
  const path = source.file.startsWith("~/") ? join(homedir(), source.file.slice(2)) : source.file;
  return { file: resolve(dirname(file), path) };
}

/** A file and those that it runs, each once. */
function filesOf(workflow: Workflow): readonly Workflow[] {
  const seen = new Set<Workflow>();
  const visit = (one: Workflow) => {
    if (seen.has(one)) return;
    seen.add(one);
    for (const steps of [one.before, one.steps, one.after]) steps.forEach(visitStep);
  };
  const visitStep = (step: Step): void => {
    switch (step.kind) {
      case "operation":
        return step.undo?.steps.forEach(visitStep);
      case "if":
        return [...step.then, ...step.else].forEach(visitStep);
      case "run":
        return visit(step.workflow);
      case "savepoint":
      case "rollback_to":
      case "reject":
      case "undo":
        return;
      default:
        return step.steps.forEach(visitStep);
    }
  };
  visit(workflow);
  return [...seen];
}
