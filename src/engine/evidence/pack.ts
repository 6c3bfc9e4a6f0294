import { Buffer } from "node:buffer";
import { BackstepError, type ErrorJson } from "../../base/error.ts";
import type { StepEvidence, StepLook, StepResult } from "../../contract/events.ts";
import type { KeptScreenshot } from "./screenshots.ts";

/** What was seen of a step, with what the journal does not say of one that changed nothing. */
export interface SeenStep {
  readonly path: string;
  readonly name: string;
  readonly operation: string;
  /** Of its tries together, in milliseconds. */
  readonly duration_ms: number;
  readonly error?: ErrorJson;
  readonly evidence: StepEvidence;
}

/** The same of a result, which is masked already. */
export function seenStep(path: string, evidence: StepEvidence, step: StepResult): SeenStep {
  const { name, operation, duration_ms, error } = step;
  return { path, name, operation, duration_ms, ...(error ? { error } : {}), evidence };
}

/** What was seen of a run, as it is kept beside it. */
export interface RunEvidence {
  /** Of each step, in the order in which they ended; a step that was tried again in its transaction is there again. */
  readonly steps: readonly SeenStep[];
  /** After each rollback. */
  readonly rollbacks: readonly { readonly path: string; readonly after: StepLook }[];
  /** By number. */
  readonly pictures: readonly KeptScreenshot[];
  /** By number: lines. */
  readonly trees: readonly (readonly string[])[];
  /** Pictures that were dropped, the oldest, since there were too many bytes. */
  readonly dropped: number;
}

/** The head of a pack, which versions until 0.1 kept at the end of a run: all but the bytes of the pictures, which follow it one after another. */
interface Head extends Omit<RunEvidence, "pictures" | "rollbacks"> {
  readonly version: 1;
  readonly waysBack: RunEvidence["rollbacks"];
  readonly pictures: readonly { readonly width: number; readonly height: number; readonly bytes: number }[];
}

/** Throws `io` when it is not a pack. */
export function unpackEvidence(bytes: Uint8Array): RunEvidence {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = all.length < 4 ? Infinity : 4 + all.readUInt32LE(0);
  if (end > all.length) throw broken();
  const head: Head = JSON.parse(all.toString("utf8", 4, end));
  if (head.version !== 1) throw broken();
  let at = end;
  const pictures = head.pictures.map(({ width, height, bytes: size }) => {
    const png = size === 0 ? undefined : all.subarray(at, at + size);
    at += size;
    return { width, height, png };
  });
  if (at !== all.length) throw broken();
  const { steps, waysBack: rollbacks, trees, dropped } = head;
  return { steps, rollbacks, trees, dropped, pictures };
}

function broken(): BackstepError {
  return new BackstepError("io", "Cannot read the evidence of a run: it is not what this version keeps");
}
