import { z } from "zod";
import { listRuns, type RunRecord } from "../engine/journal/runs.ts";
import type { ReportData } from "../report/html/model.ts";
import { storedReport } from "../report/html/stored-run.ts";
import { stateFolder } from "../session/lease.ts";
import { type Matches, matchesIn, typedSelector, whyNone } from "./element/match.ts";
import { type RecordedTree, recordedTree } from "./recorded-tree.ts";
import { type Part, question } from "./routes.ts";

/** Runs that are listed, the newest first. */
const LISTED = 100;

const Run = z.object({ run: z.string().max(100) });
const Matching = Run.extend({ tree: z.number(), selector: z.string().max(4_000) });

/** Runs that are over: what was seen before, at and after each step, and what a selector finds in a tree of theirs. */
export class StoredRuns implements Part {
  readonly #state: string;
  /** The one that was opened last. */
  #opened: { readonly run: string; readonly data: ReportData } | undefined;
  readonly #trees = new Map<number, RecordedTree>();

  /** `state`: the state folder; default: the user's own. */
  constructor(state: string | undefined) {
    this.#state = state ?? stateFolder();
  }

  readonly questions = {
    runs: (): readonly RunRecord[] => listRuns(this.#state).slice(-LISTED).reverse(),
    run: question(Run, ({ run }) => {
      const { data, pictures } = storedReport(this.#state, run);
      this.#opened = { run, data };
      this.#trees.clear();
      return { data, pictures: Object.fromEntries(pictures) };
    }),
    "run-match": question(Matching, ({ run, tree, selector }) => this.#match(run, tree, selector)),
  };

  #match(run: string, number: number, text: string): Matches {
    const typed = typedSelector(text);
    if ("fault" in typed) return typed.fault;
    const { snapshot, lineOf } = this.#tree(run, number);
    const found = matchesIn(snapshot, typed.read);
    const why = found.count > 0 ? {} : whyNone(snapshot, typed.read);
    return { ...found, ...why, rows: found.rows.flatMap((row) => lineOf[row] ?? []) };
  }

  #tree(run: string, number: number): RecordedTree {
    if (this.#opened?.run !== run) {
      this.#opened = { run, data: storedReport(this.#state, run).data };
      this.#trees.clear();
    }
    const existing = this.#trees.get(number);
    if (existing) return existing;
    const tree = recordedTree((this.#opened.data.trees[number] ?? "").split("\n"));
    this.#trees.set(number, tree);
    return tree;
  }
}
