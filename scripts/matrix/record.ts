import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { rowsFor } from "./rows.ts";
import type { Ran } from "./run.ts";
import { toolkit, type ToolkitName, TOOLKITS } from "./toolkits.ts";

/** Why the twin of a row may show nothing: such a row proves nothing, and is not counted. There are no other reasons. */
export const REASONS = {
  refused: "the tool itself refuses it, whatever the rule",
  nothing: "the toolkit does nothing on it",
  another: "it reaches another control",
} as const;
/** One of them. */
export type Reason = keyof typeof REASONS;

const WorldRecord = z.strictObject({
  toolkits: z.record(
    z.string(),
    z.strictObject({
      /** Of the names of all rows that were tried, so that nobody forgets to run new ones. */
      rows: z.string(),
      /** Rows whose twin shows nothing, by reason. */
      unproved: z.record(z.enum(["refused", "nothing", "another"]), z.array(z.string())),
      /** Rows that are refused although a person says yes; what proves them is a twin in which nobody is asked. */
      unheeded: z.array(z.string()).default([]),
      /** Rows in which something was lost where it may not be, when they were tried last: they prove nothing. */
      lost: z.array(z.string()).default([]),
    }),
  ),
});
/** What the last whole run found. */
export type WorldRecord = z.infer<typeof WorldRecord>;

const FILE = new URL("../../docs/reference/mcp-security-world.json", import.meta.url);

/** What the last whole run wrote. */
export function readRecord(): WorldRecord {
  return WorldRecord.parse(JSON.parse(readFileSync(FILE, "utf8")));
}

/** Writes down what a run found. Rows that were not tried now stay as they were. */
export function writeRecord(ran: ReadonlyMap<ToolkitName, readonly Ran[]>): void {
  const before = existsSync(FILE) ? readRecord().toolkits : {};
  const toolkits = Object.fromEntries(TOOLKITS.map((name) => {
    const rows = ran.get(name) ?? [];
    const tried = new Set(rows.map(({ row }) => row.id));
    const existing = new Set(rowsFor(toolkit(name)).map(({ id }) => id));
    const these = (stood: readonly string[] = [], holds: (one: Ran) => boolean) =>
      [
        ...stood.filter((id) => existing.has(id) && !tried.has(id)),
        ...rows.filter(holds).map(({ row }) => row.id),
      ]
        .sort();
    const was = before[name];
    const whole = rows.length === existing.size;
    const unproved = (reason: Reason) => these(was?.unproved[reason], (one) => reasonOf(one) === reason);
    return [name, {
      rows: whole ? fingerprint(name) : was?.rows ?? "",
      lost: these(was?.lost, ({ cells }) => cells.some(({ lost }) => lost.length > 0)),
      unheeded: these(was?.unheeded, ({ yes }) => yes !== undefined),
      unproved: { refused: unproved("refused"), nothing: unproved("nothing"), another: unproved("another") },
    }];
  }));
  const record: WorldRecord = { toolkits };
  writeFileSync(FILE, `${JSON.stringify(record, null, 2)}\n`);
}

/** Names what the rows of a toolkit are: another one, and it is another. */
export function fingerprint(name: ToolkitName): string {
  const names = rowsFor(toolkit(name)).map(({ id }) => id).sort();
  return createHash("sha256").update(names.join("\n")).digest("hex").slice(0, 16);
}

/** Why a row proves nothing; undefined: it proves its cells. */
export function reasonOf({ proved, twin }: Ran): Reason | undefined {
  if (proved) return undefined;
  if (twin.lost.length > 0) return "another";
  return twin.answers.every((answer) => answer === "done") ? "nothing" : "refused";
}

/** Why a row proves nothing, as it was written down; undefined: it proves its cells. */
export function recordedReason(record: WorldRecord, name: ToolkitName, id: string): Reason | undefined {
  const { unproved } = record.toolkits[name] ?? {};
  if (unproved?.refused.includes(id)) return "refused";
  if (unproved?.nothing.includes(id)) return "nothing";
  return unproved?.another.includes(id) ? "another" : undefined;
}
