import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { BackstepError, type Json } from "../../base/error.ts";
import { nestsDeeper } from "../../base/json.ts";
import type { RunEvent } from "../../contract/events.ts";
import type { Reporter, ReporterOptions, TestEvent, TestSummary } from "../reporter.ts";

/** What a line of such a file is: an event, or at its end the summary. */
const Line = z.union([
  z.object({ backstep: z.literal(1), event: z.custom<WrittenEvent>(hasEvent) }),
  z.object({
    backstep: z.literal(1),
    summary: z.custom<TestSummary>((value) => isObject(value) && "files" in value),
  }),
]);

/** An event as the file has it: what a run reports stands under `told`. */
type WrittenEvent =
  | Exclude<TestEvent, { event: "run" }>
  | Omit<Extract<TestEvent, { event: "run" }>, "reported"> & { readonly told: RunEvent };

function written(event: TestEvent): WrittenEvent {
  if (event.event !== "run") return event;
  const { reported: told, ...rest } = event;
  return { ...rest, told };
}

function read(event: WrittenEvent): TestEvent {
  if (event.event !== "run") return event;
  const { told: reported, ...rest } = event;
  return { ...rest, reported };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function hasEvent(value: unknown): boolean {
  return isObject(value) && "event" in value && typeof value.event === "string";
}

/** Everything that was told, a line each, in `blob.jsonl` or `blob-2-of-3.jsonl`: what `backstep merge-reports` reads. */
export function blobReporter({ output, path }: ReporterOptions): Reporter {
  let descriptor: number | undefined;
  const write = (line: z.input<typeof Line>) => {
    if (descriptor === undefined) return;
    const bytes = new TextEncoder().encode(`${JSON.stringify(line)}\n`);
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
  };
  return {
    event(event) {
      if (event.event === "tests-started") {
        const part = event.shard ? `-${event.shard.index}-of-${event.shard.total}` : "";
        const file = path ?? join(output, `blob${part}.jsonl`);
        mkdirSync(dirname(file), { recursive: true });
        descriptor = openSync(file, "w");
      }
      write({ backstep: 1, event: written(event) });
    },
    finish(summary) {
      write({ backstep: 1, summary });
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
      return Promise.resolve();
    },
  };
}

/** A shard, as its file tells it. */
export interface Blob {
  readonly file: string;
  readonly events: readonly TestEvent[];
  readonly summary: TestSummary;
}

/** Reads the files of a folder's shards, by name. Throws `usage` where there is none, or one that is torn. */
export function readBlobs(folder: string): Blob[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".jsonl")).sort();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BackstepError("usage", `Cannot merge the reports in ${folder}: ${why}`, { cause });
  }
  if (names.length === 0) {
    throw new BackstepError("usage", `Cannot merge the reports in ${folder}: it holds no *.jsonl`, {
      hint: "Each shard writes one: backstep test --shard 1/3 --reporter blob --output <folder>",
    });
  }
  return names.map((name) => readBlob(join(folder, name)));
}

function readBlob(file: string): Blob {
  const events: TestEvent[] = [];
  let summary: TestSummary | undefined;
  for (const [index, text] of readFileSync(file, "utf8").trimEnd().split("\n").entries()) {
    const line = Line.safeParse(parsed(text));
    if (!line.success) {
      throw new BackstepError("usage", `Cannot merge ${file}: line ${index + 1} is no part of a report`, {
        hint: "`--reporter blob` writes it, and it is complete only when the test run has ended.",
      });
    }
    if ("event" in line.data) events.push(read(line.data.event));
    else summary = line.data.summary;
  }
  if (summary) return { file, events, summary };
  throw new BackstepError("usage", `Cannot merge ${file}: it has no end`, {
    hint: "Its test run was killed: run that shard again.",
  });
}

function parsed(text: string): unknown {
  try {
    const value: Json = JSON.parse(text);
    return nestsDeeper(value) ? undefined : value;
  } catch {
    return undefined; // told as a line that is no part of a report
  }
}
