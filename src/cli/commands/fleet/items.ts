import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { closest } from "../../../base/closest.ts";
import { BackstepError } from "../../../base/error.ts";
import { newRunId } from "../../../engine/run/run-id.ts";
import { asCsv, exported, type ExportedItem } from "../../../fleet/items/export.ts";
import { retryItems } from "../../../fleet/items/retry.ts";
import {
  type ItemFilter,
  itemList,
  itemLists,
  itemNamed,
  itemsOf,
  readState,
} from "../../../fleet/items/rows.ts";
import { ITEM_STATES } from "../../../fleet/schema/tables.ts";
import type { OpenFleet } from "../../../fleet/open-fleet.ts";
import { LEASE } from "../../../fleet/queue/boss.ts";
import { submitter } from "../../../fleet/submitter.ts";
import { table } from "../../../report/layout.ts";
import { count, oneLine, type Style } from "../../../report/style.ts";
import { usage } from "../../arguments.ts";
import type { Arguments, Command } from "../../command.ts";
import type { Io } from "../../io.ts";
import { milliseconds } from "../test/values.ts";
import { load } from "./load-items.ts";
import { withFleet } from "./with-fleet.ts";

/** What can be done with work items. */
export const ITEM_VERBS = ["load", "list", "show", "export", "retry"] as const;
/** Items that `list` prints; `export` has all. */
const MOST_LINES = 200;

/** `backstep fleet items load|list|show|export|retry`. */
export async function items(
  command: Command,
  words: readonly string[],
  args: Arguments,
  io: Io,
): Promise<number> {
  const [word = "", ...rest] = words;
  const verb = ITEM_VERBS.find((one) => one === word);
  if (verb === undefined) {
    const [near] = closest(word, ITEM_VERBS);
    throw usage(
      command,
      word === "" ? "items needs what is to be done" : `items has no "${word}"`,
      near === undefined ? `There are: ${ITEM_VERBS.join(", ")}.` : `Did you mean ${near}?`,
    );
  }
  if (verb === "load") return await load(command, rest, args, io);
  return await withFleet(args, io, async (fleet) => {
    const [list, ...names] = rest;
    if (list === undefined) {
      if (verb === "list") return await lists(fleet, io);
      throw usage(command, `items ${verb} needs the name of a list`, "See: backstep fleet items list");
    }
    switch (verb) {
      case "list":
        return await listed(fleet, list, filterOf(args, names), io);
      case "show":
        return await shown(command, fleet, list, names, io);
      case "export":
        return await exportItems(fleet, list, filterOf(args, names), args, io);
      case "retry":
        return await retry(command, fleet, list, filterOf(args, names), args, io);
    }
  });
}

function filterOf(args: Arguments, names: readonly string[]): ItemFilter {
  const states = args.strings("state").flatMap((one) => one.split(",")).map(readState);
  return {
    ...(states.length > 0 ? { states } : {}),
    ...(names.length > 0 ? { names } : {}),
  };
}

async function lists({ database }: OpenFleet, io: Io): Promise<number> {
  const all = await itemLists(database);
  io.json({ lists: all.map(({ created, ...rest }) => ({ ...rest, created: created.toISOString() })) });
  if (all.length === 0) io.text("No work items were loaded.\n");
  for (
    const line of table(
      all.map(({ list, total, counts }) => [list, count(total, "item"), countsText(counts)]),
    )
  ) {
    io.text(`${line}\n`);
  }
  return 0;
}

function countsText(counts: Readonly<Record<string, number>>): string {
  return ITEM_STATES.filter((state) => counts[state]).map((state) =>
    `${counts[state]} ${state.replace("_", " ")}`
  )
    .join(", ");
}

async function collected({ database }: OpenFleet, list: string, filter: ItemFilter): Promise<ExportedItem[]> {
  const found: ExportedItem[] = [];
  for await (const row of itemsOf(database, list, filter)) found.push(exported(row));
  return found;
}

async function listed(fleet: OpenFleet, list: string, filter: ItemFilter, io: Io): Promise<number> {
  const { counts, total } = await itemList(fleet.database, list);
  const found = await collected(fleet, list, filter);
  io.json({ list, total, counts, items: found });
  for (const line of table(found.slice(0, MOST_LINES).map((one) => cellsOf(one, io.style)))) {
    io.text(`${line}\n`);
  }
  if (found.length > MOST_LINES) {
    io.text(io.style.dim(`… and ${found.length - MOST_LINES} more: backstep fleet items export ${list}\n`));
  }
  io.text(`${list}: ${countsText(counts) || "no items"}\n`);
  return 0;
}

function cellsOf({ number, key, state, attempts, reason, rollback }: ExportedItem, style: Style): string[] {
  const word = state.replace("_", " ");
  const painted = state === "done"
    ? style.good(word)
    : state === "failed" || state === "rejected"
    ? style.bad(word)
    : style.dim(word);
  const more = [
    ...(attempts > 1 ? [`${attempts} tries`] : []),
    ...(rollback === null || rollback === "none" || state === "done" ? [] : [`rollback: ${rollback}`]),
    ...(reason === null ? [] : [oneLine(reason)]),
  ];
  return [`${number}`, oneLine(key ?? ""), painted, more.join(" · ")];
}

async function shown(
  command: Command,
  { database }: OpenFleet,
  list: string,
  names: readonly string[],
  io: Io,
): Promise<number> {
  const [name] = names;
  if (name === undefined || names.length > 1) {
    throw usage(command, "items show needs the number or key of one item");
  }
  const row = await itemNamed(database, list, name);
  const item = exported(row);
  io.json({ ...item, verdict: row.verdict ?? null });
  const line = (label: string, text: string | null) => text ? [[label, text]] : [];
  const lines = [
    ...line("state", item.state.replace("_", " ")),
    ...line("tries", item.attempts === 0 ? null : String(item.attempts)),
    ...line("reason", item.reason && oneLine(item.reason)),
    ...line("rollback", item.rollback),
    ...item.drift.map((one) => ["differs", oneLine(one)]),
    ...line("not before", row.not_before?.toISOString() ?? null),
    ...line("deadline", row.deadline?.toISOString() ?? null),
    ...line("began", item.started),
    ...line("over", item.finished),
    ...line("run", item.run),
    ...Object.entries(item.fields).map(([field, value]) => [`item.${field}`, valueText(value)]),
    ...Object.entries(item.results).map(([id, value]) => [`results.${id}`, valueText(value)]),
  ];
  io.text(`${io.style.bold(`${list} ${item.key ?? item.number}`)}\n`);
  for (const text of table(lines)) io.text(`  ${text}\n`);
  return 0;
}

function valueText(value: unknown): string {
  return oneLine(typeof value === "string" ? value : JSON.stringify(value)).slice(0, 500);
}

async function exportItems(
  fleet: OpenFleet,
  list: string,
  filter: ItemFilter,
  args: Arguments,
  io: Io,
): Promise<number> {
  await itemList(fleet.database, list);
  const found = await collected(fleet, list, filter);
  const output = args.string("output");
  const json = () => `${JSON.stringify({ list, items: found }, null, 1)}\n`;
  if (output === undefined) {
    io.json({ list, items: found });
    if (io.format === "text") io.raw(asCsv(found));
    return 0;
  }
  const file = resolve(output);
  try {
    writeFileSync(file, /\.json$/i.test(file) ? json() : asCsv(found));
  } catch (cause) {
    throw new BackstepError(
      "io",
      `Cannot write ${output}: ${cause instanceof Error ? cause.message : cause}`,
      { cause },
    );
  }
  io.json({ list, items: found.length, file });
  io.text(`${count(found.length, "item")} in ${output}\n`);
  return 0;
}

async function retry(
  command: Command,
  fleet: OpenFleet,
  list: string,
  filter: ItemFilter,
  args: Arguments,
  io: Io,
): Promise<number> {
  const run = {
    id: newRunId(),
    name: `${list}, again`,
    priority: args.number("priority") ?? 0,
    options: {
      failOnFlaky: false,
      priority: args.number("priority") ?? 0,
      lease: milliseconds(command, args, "lease") ?? LEASE.usual * 1_000,
    },
    submittedBy: submitter(),
    lease: milliseconds(command, args, "lease") ?? LEASE.usual * 1_000,
  };
  const done = await retryItems(fleet, run, list, filter);
  io.json(done);
  io.text(
    done.run === undefined
      ? `${list}: there is nothing to be done again\n`
      : `${io.style.bold(done.run)}  ${
        count(done.retried, "item")
      }\nFollow it: backstep fleet watch ${done.run}\n`,
  );
  return 0;
}
