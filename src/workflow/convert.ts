import { type Document, isAlias, isMap, isNode, isScalar, isSeq } from "yaml";
import { BackstepError, type Place } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { Faults } from "./diagnostics.ts";
import type { Entry, Node } from "./node.ts";
import { DEEPEST } from "./reading.ts";
import { shown } from "./suggest.ts";

/** A file may not grow beyond this many values by its aliases. */
const MOST_NODES = 100_000;
/** How many aliases a file may use. */
const MOST_ALIASES = 200;

/** Turns the nodes of the YAML parser into ours, within caps; faults are noted. */
export class Converter {
  #nodes = 0;
  #aliases = 0;
  readonly #open = new Set<unknown>();
  readonly document: Document;
  readonly text: string;
  readonly placeOf: (offset: number) => Place;
  readonly faults: Faults;

  constructor(document: Document, text: string, placeOf: (offset: number) => Place, faults: Faults) {
    this.document = document;
    this.text = text;
    this.placeOf = placeOf;
    this.faults = faults;
  }

  /** A YAML node as ours; faulty parts become null, and their fault is noted. */
  node(yaml: unknown, depth: number, at?: Place): Node {
    const place = at ?? this.placeOf(isNode(yaml) ? yaml.range?.[0] ?? 0 : 0);
    if (++this.#nodes > MOST_NODES) {
      throw new BackstepError("workflow", `the file holds more than ${MOST_NODES} values`, {
        place,
        hint: "Aliases are expanded; use fewer of them.",
      });
    }
    if (depth > DEEPEST) {
      return this.#fault(place, "lists and maps nest too deeply", `At most ${DEEPEST} levels.`);
    }
    if (isAlias(yaml)) {
      const target = yaml.resolve(this.document);
      if (!target) {
        return this.#fault(place, `there is no anchor "${yaml.source}" before`, "Define it with &.");
      }
      if (this.#open.has(target)) return this.#fault(place, `the alias "${yaml.source}" contains itself`);
      if (++this.#aliases > MOST_ALIASES) {
        throw new BackstepError("workflow", `the file uses more than ${MOST_ALIASES} aliases`, { place });
      }
      return this.node(target, depth + 1, place);
    }
    if (isScalar(yaml)) {
      return this.#scalar(yaml.value, yaml.source, yaml.type, place, at === undefined, yaml.range);
    }
    this.#open.add(yaml);
    try {
      if (isSeq(yaml)) {
        return { kind: "list", place, items: yaml.items.map((item) => this.node(item, depth + 1)) };
      }
      if (isMap(yaml)) {
        const seen = new Map<string, Place>();
        return { kind: "map", place, entries: yaml.items.flatMap((p) => this.#entry(p, place, depth, seen)) };
      }
    } finally {
      this.#open.delete(yaml);
    }
    return { kind: "scalar", value: null, place };
  }

  #entry(
    pair: { key: unknown; value: unknown },
    map: Place,
    depth: number,
    seen: Map<string, Place>,
  ): Entry[] {
    const keyPlace = isNode(pair.key) ? this.placeOf(pair.key.range?.[0] ?? 0) : map;
    if (!isScalar(pair.key)) {
      this.#fault(
        keyPlace,
        "a key is a list or a map",
        isMap(pair.key) ? "Quote placeholders: '{{vars.x}}'." : "Keys are texts.",
      );
      return [];
    }
    const key = typeof pair.key.value === "string"
      ? pair.key.value
      : pair.key.source ?? String(pair.key.value);
    if (key === "<<") {
      this.#fault(
        keyPlace,
        "merge keys are not supported",
        "Write the keys out, or use an alias as a whole value.",
      );
      return [];
    }
    const first = seen.get(key);
    if (first !== undefined) {
      this.#fault(
        keyPlace,
        `the key ${JSON.stringify(key)} is already there, in line ${first.line}`,
        "A map has each key once; join or rename them.",
      );
      return [];
    }
    seen.set(key, keyPlace);
    return [{
      key,
      keyPlace,
      value: this.node(pair.value, depth + 1, isNode(pair.value) ? undefined : keyPlace),
    }];
  }

  #scalar(
    value: unknown,
    source: string | undefined,
    type: string | undefined | null,
    place: Place,
    own: boolean,
    range: readonly number[] | undefined | null,
  ): Node {
    if (
      typeof value === "number" &&
      (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    ) {
      return this.#fault(
        place,
        `the number ${source ?? value} cannot be kept exactly`,
        "Quote it to keep it as a text.",
      );
    }
    if (value === null || typeof value === "boolean" || typeof value === "number") {
      return { kind: "scalar", value, place };
    }
    if (typeof value !== "string") return this.#fault(place, `${shown(value)} is no text, number or boolean`);
    const raw = this.text.slice(range?.[0] ?? 0, range?.[1] ?? 0);
    const inset = !own
      ? undefined
      : type === "PLAIN" && raw === value
      ? 0
      : (type === "QUOTE_SINGLE" || type === "QUOTE_DOUBLE") && raw.slice(1, -1) === value
      ? 1
      : undefined;
    return { kind: "scalar", value, place, ...defined({ inset }) };
  }

  #fault(place: Place, message: string, hint?: string): Node {
    this.faults.add(place, message, hint);
    return { kind: "scalar", value: null, place };
  }
}
