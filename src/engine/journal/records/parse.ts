import type { z } from "zod";
import type { Json } from "../../../base/error.ts";
import { isMap } from "../../../base/json.ts";
import { badField, unreadable, type Where } from "./bad-field.ts";
import { JournalRecord } from "./mod.ts";
import { otherKind, otherNames } from "./names.ts";
import { VERSION } from "./run.ts";

/** A line as it is on the disk, without its checksum: for people and for output, which have the names of the disk. */
export type DiskLine = {
  readonly n: number;
  readonly at: number;
  readonly kind: string;
  readonly [field: string]: Json;
};

/** The record that a line says. Throws `io`, with its place and the field, where it says none that this program knows. */
export function parseRecord(line: Json, where: Where): JournalRecord {
  if (!isMap(line)) throw unreadable(where, "it is no record");
  const version = line["kind"] === "run" ? line["version"] : undefined;
  if (typeof version === "number" && version > VERSION) {
    throw unreadable(
      where,
      `it has version ${version} of the format, and this program knows up to ${VERSION}`,
      {
        hint: "It was written by a newer version of backstep: use that one.",
      },
    );
  }
  const fields = otherNames(line);
  const parsed = JournalRecord.safeParse(fields);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.path[0] === "kind") {
    const kind = JSON.stringify(line["kind"] ?? null).slice(0, 80);
    throw unreadable(where, `no record of the kind ${kind} is known`, { field: "kind" });
  }
  throw badField(issue, fields, where, `${String(line["kind"])} record`);
}

/**
 * What is encrypted in a record, or its part that people may see. Throws `io`, with the place of the record and the field,
 * where it is not as this program writes it.
 */
export function parseContent<T>(schema: z.ZodType<T>, content: Json, where: Where): T {
  const fields = isMap(content) ? otherNames(content) : content;
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  throw badField(parsed.error.issues[0], fields, where, "encrypted");
}

/** A record with the names of the disk. */
export function onDisk(record: JournalRecord): DiskLine {
  const { n, at, kind, ...rest } = record;
  return { n, at, kind: otherKind(kind), ...otherNames(rest) };
}
