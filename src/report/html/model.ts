import type { ErrorJson } from "../../base/error.ts";
import type { Conflict, Enrolled, StepStatus, StepVerdict } from "../../contract/events.ts";
import type { Rect } from "../../desktop/desktop.ts";
import type { Difference } from "../../contract/participant.ts";
import type { RunDiff } from "../../engine/journal/run-diff.ts";
import type { TestStatus } from "../reporter.ts";

/** Everything that the page shows, as it stands in it: pictures are named, and stand apart. */
export interface ReportData {
  /** "Backstep report", or a single run's workflow. */
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly duration: number;
  readonly workers: number;
  readonly interrupted: boolean;
  readonly counts: Readonly<Record<TestStatus, number>>;
  /** What the report does not hold, and what the runner noted. */
  readonly notes: readonly string[];
  readonly files: readonly ReportFile[];
  /** Trees by number, lines joined. */
  readonly trees: readonly string[];
}

export interface ReportFile {
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly status: TestStatus;
  readonly duration: number;
  /** Why it was skipped. */
  readonly reason?: string;
  readonly error?: ErrorJson;
  readonly tries: readonly ReportTry[];
  readonly divergence?: RunDiff;
}

export interface ReportTry {
  readonly attempt: number;
  readonly worker: number;
  readonly run: string;
  readonly status: "passed" | "failed" | "cancelled";
  readonly exit: number;
  readonly began: number;
  readonly duration: number;
  /** Where it ran. */
  readonly desktop?: string;
  readonly error?: ErrorJson;
  readonly printed?: string;
  /** Why pictures, trees or the journal are not there. */
  readonly missing?: string;
  /** Elements that change by themselves. */
  readonly unstable: readonly string[];
  readonly items: readonly ReportItem[];
  readonly journal: readonly JournalText[];
}

/** A line of the journal, what is encrypted left encrypted. */
export interface JournalText {
  readonly n: number;
  /** Milliseconds since the try began. */
  readonly at: number;
  readonly kind: string;
  readonly path: string;
  readonly text: string;
}

/** One line of the timeline. */
export type ReportItem = StepItem | TransactionItem | SavepointItem | BackItem | NoteItem;

interface Placed {
  /** Milliseconds since the try began. */
  readonly at: number;
  /** Transactions around it. */
  readonly depth: number;
}

export interface StepItem extends Placed {
  readonly kind: "step";
  readonly path: string;
  readonly name: string;
  readonly operation: string;
  readonly effect: string;
  readonly status: StepStatus;
  readonly takes: number;
  readonly tries?: number;
  readonly error?: ErrorJson;
  /** As indented JSON, bounded. */
  readonly output?: string;
  readonly log: readonly LogLine[];
  readonly before?: ReportLook;
  readonly action?: ReportLook;
  readonly after?: ReportLook;
  readonly marks?: readonly Rect[];
  readonly line?: number;
  /** From the tree before to the tree after. */
  readonly changes?: readonly DiffRun[];
  /** What the rollback made of it. */
  readonly back?: readonly BackStep[];
  readonly visual?: VisualView;
  readonly audit?: AuditView;
}

export interface LogLine {
  readonly at: number;
  readonly level: "info" | "warning";
  readonly text: string;
}

export interface ReportLook {
  readonly at: number;
  /** Names the picture. */
  readonly picture?: string;
  readonly width?: number;
  readonly height?: number;
  readonly tree?: number;
  readonly missing?: string;
}

/** So many lines that are in both, only before, or only after. */
export type DiffRun = readonly [sign: "=" | "-" | "+", lines: number];

export interface TransactionItem extends Placed {
  readonly kind: "transaction";
  readonly path: string;
  readonly name: string;
  /** Absent: it never ended. */
  readonly committed?: boolean;
  readonly error?: ErrorJson;
}

export interface SavepointItem extends Placed {
  readonly kind: "savepoint";
  readonly path: string;
  readonly name: string;
}

export interface NoteItem extends Placed, Omit<LogLine, "at"> {
  readonly kind: "note";
}

export interface BackStep {
  readonly path: string;
  readonly verdict: StepVerdict;
  readonly what: string;
  readonly method?: string;
  readonly reason?: string;
  readonly incidental?: true;
  readonly conflict?: Conflict;
}

/** The undo of a transaction, or of the file. */
export interface BackItem extends Placed {
  readonly kind: "back";
  /** "": the file. */
  readonly path: string;
  readonly takes: number;
  readonly reason?: ErrorJson;
  readonly savepoint?: string;
  /** Absent: it was cut off. */
  readonly verdict?: string;
  readonly steps: readonly BackStep[];
  readonly drift: readonly Difference[];
  readonly enrolled: readonly Enrolled[];
  readonly beside: readonly Difference[];
  readonly barrier?: { readonly path: string; readonly name: string };
  readonly after?: ReportLook;
}

/** A visual diff: pictures by name, and what was found. */
export interface VisualView {
  readonly summary: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly diff?: string;
  readonly width: number;
  readonly height: number;
  readonly clusters: readonly { readonly rect: Rect; readonly text: string }[];
}

export interface AuditView {
  readonly summary: string;
  readonly findings: readonly {
    readonly rule: string;
    readonly impact: string;
    readonly criterion: string;
    readonly text: string;
    readonly element: string;
    readonly suggestion: string;
    /** In pixels of the picture after the step. */
    readonly rect?: Rect;
  }[];
}
