import process from "node:process";
import { audit } from "../../src/checks/audit/audit.ts";
import type { Picture } from "../../src/checks/audit/picture.ts";
import type { AuditReport } from "../../src/checks/audit/report.ts";
import { buildSnapshot, type NodeDescription } from "../../src/desktop/build.ts";
import type { Frame } from "../../src/desktop/desktop.ts";
import type { Snapshot } from "../../src/desktop/snapshot.ts";
import { picturesOf } from "../../src/operations/audit-pictures.ts";
import { type Program, startConnected } from "./place.ts";
import { AUDIT_FIELDS } from "../../src/operations/audit.ts";
import { median, round } from "./row.ts";

/** Milliseconds that 10,000 elements may take beyond their snapshot. */
export const PROMISED = 150;
/** Audits of each row, each of a snapshot that nothing was decoded of; the fastest counts, since others use the machine. */
const SAMPLES = 9;

/** What an audit of one application takes. */
export interface AuditRow {
  readonly app: string;
  readonly nodes: number;
  /** Of the snapshot with everything that the rules ask for; null: it was made in memory. */
  readonly snapshot_ms: number | null;
  /** Every rule of WCAG 2.1 AAA and Section 508, contrast included. */
  readonly audit_ms: number;
  /** The same, as time of the processor: what it takes on a machine that others use, too. */
  readonly cpu_ms: number;
  readonly us_per_node: number;
  readonly findings: number;
  readonly samples: number;
}

/** All rows: 10,000 elements in memory, and real applications; with `full` a page of 10,000 elements in Chromium. */
export async function audits(full: boolean): Promise<AuditRow[]> {
  const rows = [inMemory()];
  const programs: Program[] = [
    { app: "gtk3-widget-factory", program: "gtk3-widget-factory" },
    ...(full ? [{ app: "chromium-10000", program: "chromium", page: 10_000, title: "ready" }] : []),
  ];
  for (const program of programs) rows.push(await real(program));
  return rows;
}

async function real(program: Program): Promise<AuditRow> {
  await using place = await startConnected(program);
  const read = () =>
    place.desk.snapshot(place.application, { fields: AUDIT_FIELDS, maxText: 300, timeout: 60_000 });
  await read();
  const snapshots: Snapshot[] = [], times: number[] = [];
  for (let k = 0; k < SAMPLES; k++) {
    const began = performance.now();
    snapshots.push(await read());
    times.push(performance.now() - began);
  }
  const [first] = snapshots;
  if (first === undefined) throw new Error("no snapshot");
  const pictures = await picturesOf(place.desk, first, first.children(0), {});
  return row(program.app, median(times), snapshots, (snapshot) => judge(snapshot, pictures));
}

function inMemory(): AuditRow {
  const frame = wide();
  const snapshots = Array.from({ length: SAMPLES }, () => tree(10_000));
  return row("in memory", null, snapshots, (snapshot) => judge(snapshot, [{ frame, x: 0, y: 0, window: 1 }]));
}

function judge(snapshot: Snapshot, pictures: readonly Picture[]): AuditReport {
  return audit(snapshot, { pictures, standards: ["wcag_aaa", "section508"] });
}

function row(
  app: string,
  snapshotMs: number | null,
  snapshots: readonly Snapshot[],
  action: (snapshot: Snapshot) => AuditReport,
): AuditRow {
  const times: number[] = [], busy: number[] = [];
  let findings = 0, nodes = 0;
  for (const snapshot of snapshots) {
    const began = performance.now(), used = process.cpuUsage();
    const report = action(snapshot);
    times.push(performance.now() - began);
    const { user, system } = process.cpuUsage(used);
    busy.push((user + system) / 1_000);
    findings = report.issues.length + report.incomplete.length;
    nodes = snapshot.size;
  }
  const ms = Math.min(...times);
  return {
    app,
    nodes,
    snapshot_ms: snapshotMs === null ? null : round(snapshotMs),
    audit_ms: round(ms),
    cpu_ms: round(Math.min(...busy)),
    us_per_node: round(1_000 * ms / nodes),
    findings,
    samples: times.length,
  };
}

/** A window of so many elements: forms of labels, fields, buttons, check boxes and lists; every tenth has a fault. */
function tree(nodes: number): Snapshot {
  const forms: NodeDescription[] = [];
  // The application and its window count too; a form is ten elements.
  for (let k = 0; k < (nodes - 2) / 10; k++) forms.push(form(k));
  return buildSnapshot(
    { role: "application", children: [{ role: "frame", name: "Forms", children: forms }] },
    { bus: ":1.5", name: "forms", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" },
  );
}

function form(k: number): NodeDescription {
  const x = 10 + 200 * (k % 9), y = 10 + 20 * (Math.floor(k / 9) % 50);
  const place = (width: number, height = 17, right = 0) => ({ x: x + right, y, width, height });
  const path = `/form/${k}`;
  const style = { size: "10", weight: "400", language: "en" };
  return {
    role: "panel",
    rect: place(190),
    attributes: { toolkit: "gtk" },
    children: [
      {
        role: "label",
        name: `Field ${k}`,
        text: `Field ${k}`,
        rect: place(60),
        textRect: place(60),
        textStyle: style,
        relations: { 1: [`${path}/entry`] },
      },
      {
        role: "entry",
        path: `${path}/entry`,
        text: "text",
        also: ["focusable", "editable"],
        rect: place(60, 17, 60),
      },
      {
        role: "pushButton",
        name: k % 10 === 0 ? "" : `Apply ${k}`,
        actions: ["click"],
        keys: `<Alt>${k % 10}`,
        rect: place(30),
      },
      { role: "checkBox", name: `Check ${k}`, rect: place(30, 17, 120) },
      {
        role: "listBox",
        name: `List ${k}`,
        rect: place(40, 17, 150),
        children: [
          { role: "listItem", name: "One", rect: place(20) },
          { role: "listItem", name: "Two", rect: place(20) },
        ],
      },
      { role: "image", name: `Picture ${k}`, rect: place(10) },
      {
        role: "slider",
        name: `Slider ${k}`,
        value: { current: 1, minimum: 0, maximum: 9, step: 1 },
        rect: place(40),
      },
    ],
  };
}

/** A screen of text: strokes on an even ground. */
function wide(): Frame {
  const width = 1920, height = 1080;
  const rgba = new Uint8Array(4 * width * height).fill(255);
  for (let at = 0; at < width * height; at += 5) rgba.fill(90, 4 * at, 4 * at + 3);
  return { width, height, rgba };
}

/** The rows for people. */
export function auditTable(rows: readonly AuditRow[]): string {
  const head = ["app", "nodes", "snapshot ms", "audit ms", "cpu ms", "us/node", "findings"];
  const lines = rows.map((r) => [
    r.app,
    String(r.nodes),
    r.snapshot_ms === null ? "" : r.snapshot_ms.toFixed(1),
    r.audit_ms.toFixed(1),
    r.cpu_ms.toFixed(1),
    r.us_per_node.toFixed(1),
    String(r.findings),
  ]);
  const all = [head, ...lines];
  const widths = head.map((_, k) => Math.max(...all.map((line) => (line[k] ?? "").length)));
  return all.map((line) => line.map((cell, k) => cell.padEnd(widths[k] ?? 0)).join("  ").trimEnd()).join(
    "\n",
  );
}
