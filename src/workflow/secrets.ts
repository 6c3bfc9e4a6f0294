import type { SecretSource } from "../engine/model/step.ts";
import type { Faults } from "./diagnostics.ts";
import { entryOf, type Node } from "./node.ts";
import { readList, readMap, readText, refuseUnknown } from "./shape.ts";

/** `secrets:` as the step model has it. */
export interface Secrets {
  readonly secrets: readonly string[];
  readonly secretSources?: Readonly<Record<string, SecretSource>>;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const HINT = "List names of environment variables: [API_TOKEN]; or say where each comes from: " +
  "{ API_TOKEN: { file: ~/.token } }.";
const SOURCES = ["env", "file", "prompt"] as const;

/** `secrets:`: names of environment variables, or names with where each comes from. */
export function readSecrets(node: Node, faults: Faults): Secrets {
  if (node.kind !== "map") {
    const list = readList(node, "secrets", faults, HINT);
    return { secrets: (list?.items ?? []).flatMap((item) => readName(item, faults) ?? []) };
  }
  const sources: [string, SecretSource][] = [];
  for (const { key, keyPlace, value } of node.entries) {
    if (!NAME.test(key)) {
      faults.add(keyPlace, "the name of a secret has letters, digits and _ only", HINT);
      continue;
    }
    const source = readSource(value, faults);
    if (source) sources.push([key, source]);
  }
  const reported = sources.filter(([name, source]) => !("env" in source && source.env === name));
  return {
    secrets: sources.map(([name]) => name),
    ...(reported.length > 0 ? { secretSources: Object.fromEntries(reported) } : {}),
  };
}

function readName(node: Node, faults: Faults): string | undefined {
  const name = readText(node, "a secret", faults, "Name an environment variable.");
  if (name === undefined || NAME.test(name)) return name;
  // What stands here may be the secret itself: it is not quoted.
  faults.add(node.place, "a secret is the name of an environment variable", "Never write the secret itself.");
  return undefined;
}

function readSource(node: Node, faults: Faults): SecretSource | undefined {
  const how = "Write { env: NAME }, { file: ~/.token } or { prompt: Token }.";
  if (node.kind !== "map") {
    // As above: not quoted.
    faults.add(
      node.place,
      "it must be said where the secret comes from",
      `${how} Never write the secret itself.`,
    );
    return undefined;
  }
  const map = readMap(node, "where a secret comes from", faults, how);
  if (!map) return undefined;
  refuseUnknown(map, SOURCES, "where a secret comes from", faults);
  const given = SOURCES.filter((word) => entryOf(map, word));
  const [word] = given;
  const entry = word && entryOf(map, word);
  if (!entry || given.length > 1) {
    if (map.entries.every(({ key }) => SOURCES.some((one) => one === key))) {
      faults.add(node.place, "a secret comes from one place", how);
    }
    return undefined;
  }
  const text = readText(entry.value, word, faults, how);
  if (text === undefined) return undefined;
  if (text === "" || (word === "env" && !NAME.test(text))) {
    faults.add(
      entry.value.place,
      word === "env" ? "that is no name of an environment variable" : `${word} is empty`,
      how,
    );
    return undefined;
  }
  return word === "env" ? { env: text } : word === "file" ? { file: text } : { prompt: text };
}
