import { createHash, randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import type { ElementEvidence } from "./evidence.ts";
import { keepNewest } from "./newest.ts";

/** Steps of one file that are kept, the newest ones, and characters of what is kept of it. */
const MOST_STEPS = 300;
const MOST_TEXT = 4_000_000;
/** Files of which something is kept, those that ran last. */
const MOST_FILES = 500;

const texts = z.array(z.string());

/** What is kept of one locator of one step. */
const Entry = z.strictObject({
  /** In its file; "" of a recording, whose steps have no paths yet. */
  path: z.string(),
  /** The locator. */
  selector: z.string(),
  /** When, as an ISO time. */
  at: z.string(),
  element: z.strictObject({
    role: z.string(),
    name: z.string(),
    id: z.string(),
    description: z.string(),
    labelled: z.boolean(),
    labels: texts,
    placeholders: texts,
    content: texts,
    item: z.string().optional(),
    ancestors: texts,
    neighbours: z.tuple([z.string(), z.string()]),
    index: z.int(),
    others: texts,
  }),
  /** Absent: the step changed nothing that was read. */
  change: z.strictObject({
    effect: z.enum(["read", "restorable", "observed", "compensable", "irreversible"]),
    changed: z.array(z.strictObject({ kind: z.string(), property: z.string(), left: z.string() })),
    opened: z.boolean(),
  }).optional(),
});
export type Entry = z.infer<typeof Entry>;

const Kept = z.strictObject({ version: z.literal(1), entries: z.array(Entry) });

/**
 * What the locators of a file's steps found, in the state folder: runs that are pruned leave it, and no run writes into the
 * project's folders. It has texts of applications, so that nobody else may read it.
 */
export class EvidenceStore {
  readonly #folder: string;
  /** By path, what was read: each step asks. */
  readonly #read = new Map<string, Entry[]>();

  constructor(state: string) {
    this.#folder = join(state, "heal", "evidence");
  }

  /** What is kept of a file; nothing where there is none, or where another version wrote it. */
  read(file: string): Entry[] {
    const path = this.#pathOf(file);
    const existing = this.#read.get(path);
    if (existing !== undefined) return existing;
    let text: string;
    try {
      text = readFileSync(path, "utf8");
    } catch (thrown) {
      if (isMissing(thrown)) return [];
      throw new BackstepError("io", `Cannot read the evidence of ${file}`, { cause: thrown });
    }
    // What another version wrote is of no use, and the next run that passes replaces it.
    const parsed = Kept.safeParse(jsonIn(text));
    const entries = parsed.success ? parsed.data.entries : [];
    this.#read.set(path, entries);
    return entries;
  }

  /**
   * The locator of a step. Where steps moved since, the only one with this selector is meant; of several nobody can tell.
   */
  find(file: string, path: string, selector: string): Entry | undefined {
    const alike = this.read(file).filter((entry) => entry.selector === selector);
    return alike.find((entry) => entry.path === path) ?? (alike.length === 1 ? alike[0] : undefined);
  }

  /** Puts entries in the place of those of the same step and locator. Throws `io`. */
  keep(file: string, entries: readonly Entry[]): void {
    // Another run may have written since.
    const path = this.#pathOf(file);
    this.#read.delete(path);
    const keyOf = ({ path, selector }: Entry) => `${path}\n${selector}`;
    const fresh = new Set(entries.map(keyOf));
    const seen = new Set(entries.map(({ selector }) => selector));
    const others = this.read(file).filter((entry) =>
      !fresh.has(keyOf(entry)) && !(entry.path === "" && seen.has(entry.selector))
    );
    let kept = [...entries, ...others].slice(0, MOST_STEPS);
    let text = JSON.stringify({ version: 1, entries: kept });
    while (text.length > MOST_TEXT) {
      kept = kept.slice(0, Math.floor(kept.length / 2));
      text = JSON.stringify({ version: 1, entries: kept });
    }
    const draft = `${path}.${randomBytes(4).toString("hex")}.new`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      chmodSync(this.#folder, 0o700);
      writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
      renameSync(draft, path);
      this.#read.delete(path);
      keepNewest(this.#folder, ".json", MOST_FILES);
    } catch (thrown) {
      throw new BackstepError("io", `Cannot keep the evidence of ${file}`, {
        cause: thrown,
        hint: "Set BACKSTEP_STATE to a writable folder.",
      });
    }
  }

  #pathOf(file: string): string {
    return join(this.#folder, `${createHash("sha256").update(realOf(file)).digest("hex").slice(0, 32)}.json`);
  }
}

/** Evidence as it is kept. */
export function plain(evidence: ElementEvidence): Entry["element"] {
  const { labels, placeholders, content, ancestors, neighbours, others } = evidence;
  return {
    ...evidence,
    labels: [...labels],
    placeholders: [...placeholders],
    content: [...content],
    ancestors: [...ancestors],
    neighbours: [...neighbours],
    others: [...others],
  };
}

/** Without links, where it is there. */
function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch (thrown) {
    if (isMissing(thrown)) return file;
    throw new BackstepError("io", `Cannot tell where ${file} lies`, { cause: thrown });
  }
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT";
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // cut off by a power cut: as good as none
  }
}
