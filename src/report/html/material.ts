import { defined } from "../../base/defined.ts";
import { headerOf, script } from "../../checks/visual/read-png.ts";
import type { StepLook } from "../../contract/events.ts";
import type { Rect } from "../../desktop/desktop.ts";
import { blackOut } from "../../engine/secrets/hidden.ts";
import { type OpenedEvidence, readEvidence } from "../../engine/evidence/read.ts";
import { encodePng } from "../../operations/png.ts";
import type { DiffRun, ReportLook } from "./model.ts";
import { type Shelf, sizeOfPng } from "./shelf.ts";
import { treeDiff } from "./tree-diff.ts";

/** Trees of a report, each once, by number. */
export class TreeList {
  readonly #last = new Map<string, number>();
  readonly texts: string[] = [];

  add(lines: readonly string[]): number {
    const text = lines.join("\n");
    const existing = this.#last.get(text);
    if (existing !== undefined) return existing;
    const number = this.texts.push(text) - 1;
    this.#last.set(text, number);
    return number;
  }
}

/** What was kept of one run, put where the report has it. */
export class Material {
  readonly opened: OpenedEvidence;
  readonly #shelf: Shelf;
  readonly #trees: TreeList;
  readonly #began: number;
  readonly #worth: number;

  constructor(
    where: { readonly state: string; readonly run: string; readonly began: number },
    into: { readonly shelf: Shelf; readonly trees: TreeList; readonly worth: number },
  ) {
    this.opened = readEvidence(where.state, where.run);
    this.#began = where.began;
    this.#shelf = into.shelf;
    this.#trees = into.trees;
    this.#worth = into.worth;
  }

  /** A look with its picture and tree put where the report has them. */
  look(look: StepLook | undefined): ReportLook | undefined {
    if (!look) return undefined;
    const { evidence } = this.opened;
    const picture = look.picture === undefined ? undefined : evidence?.pictures[look.picture];
    const tree = look.tree === undefined ? undefined : evidence?.trees[look.tree];
    const missing = look.missing ?? (picture && !picture.png ? "dropped: the run had too many" : undefined);
    return {
      at: look.at - this.#began,
      ...(picture?.png
        ? { picture: this.#shelf.add(picture.png, this.#worth), width: picture.width, height: picture.height }
        : {}),
      ...(tree ? { tree: this.#trees.add(tree) } : {}),
      ...defined({ missing }),
    };
  }

  /** What changed from the tree of one look to that of another; undefined: one of them has none, or they are the same. */
  changes(before: StepLook | undefined, after: StepLook | undefined): DiffRun[] | undefined {
    const { evidence } = this.opened;
    if (before?.tree === undefined || after?.tree === undefined || before.tree === after.tree) {
      return undefined;
    }
    const [was, is] = [evidence?.trees[before.tree], evidence?.trees[after.tree]];
    return was && is ? treeDiff(was, is) : undefined;
  }

  /**
   * A picture that a check kept, by the name of its artefact, black where the desktop showed what must not be seen; why it is
   * not shown where that cannot be told. `place` is where its corner lies on the screen.
   */
  picture(
    artefact: unknown,
    look: StepLook | undefined,
    place: { readonly x: number; readonly y: number } | undefined,
  ): { readonly name: string; readonly width: number; readonly height: number } | string | undefined {
    const bytes = typeof artefact === "string" ? this.opened.artefact(artefact) : undefined;
    const size = bytes && sizeOfPng(bytes);
    if (!bytes || !size) return undefined;
    const [head] = this.opened.records;
    const secret = head?.kind === "run" && head.secrets.length > 0;
    const hidden = look?.hidden ?? [];
    if (look?.picture === undefined && secret) {
      return "The pictures are not shown: the run has secrets, and it is not known where they stood.";
    }
    if (hidden.length > 0 && !place) {
      return "The pictures are not shown: they may hold a field that received a secret.";
    }
    const png = hidden.length > 0 && place ? blackened(bytes, hidden, place, look?.scale) : bytes;
    return { name: this.#shelf.add(png, this.#worth), ...size };
  }
}

function blackened(
  bytes: Uint8Array,
  hidden: readonly Rect[],
  place: { readonly x: number; readonly y: number },
  scale: number | undefined,
): Uint8Array {
  const { width, height } = headerOf(bytes, "a picture of a check");
  const frame = script(bytes, "a picture of a check", width, height);
  blackOut({ ...frame, ...defined({ scale }) }, hidden, place);
  return encodePng(frame);
}
