import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Deadline } from "../src/base/call.ts";
import { audit } from "../src/checks/audit/audit.ts";
import type { Picture } from "../src/checks/audit/picture.ts";
import type { AuditReport, Finding } from "../src/checks/audit/report.ts";
import type { SnapshotField } from "../src/desktop/desktop.ts";
import type { Snapshot } from "../src/desktop/snapshot.ts";
import { rowHas } from "../src/desktop/state-words.ts";
import { picturesOf } from "../src/operations/audit-pictures.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";
import { isPlain } from "../src/operations/drawn-window.ts";

const folder = fileURLToPath(new URL("fixtures/audit/", import.meta.url));

/** A fault that a fixture bears, and the rule that must find it. */
const Fault = z.strictObject({ id: z.string(), rule: z.string() });
export type Fault = z.infer<typeof Fault>;

/** All of them. */
export const faults: readonly Fault[] = z.array(Fault).parse(
  JSON.parse(readFileSync(`${folder}faults.json`, "utf8")),
);

export type Which = "broken" | "repaired";
export type Toolkit = "gtk3" | "gtk4" | "html";

/** The file of a fixture. */
export function fixture(toolkit: Toolkit, which: Which): string {
  return toolkit === "html" ? `${folder}page-${which}.html` : `${folder}${toolkit}.py`;
}

/** What an audit of a fixture found, and where. */
export interface Audited {
  readonly snapshot: Snapshot;
  readonly report: AuditReport;
  /** The fault whose place a finding is in: "gtk3-tab", or "window" for one that is a window's own. */
  readonly placeOf: (finding: Finding) => string;
}

const FIELDS: readonly SnapshotField[] = [
  "extents",
  "text",
  "value",
  "id",
  "actions",
  "attributes",
  "relations",
  "keys",
  "textRect",
  "textStyle",
];

/** Starts a fixture on a private desktop of its own, waits until all of it is there, and audits it. */
export async function auditFixture(toolkit: Toolkit, which: Which): Promise<Audited> {
  const session = await openSession({ kind: "isolated", width: 1280, height: 1000 });
  try {
    const file = fixture(toolkit, which);
    const args = toolkit === "html" ? [file] : [which];
    await session.launcher.launch(toolkit === "html" ? "chromium" : file, { args, timeout: 60_000 });
    return await look(session, toolkit);
  } finally {
    await session.close();
  }
}

async function look(session: Session, toolkit: Toolkit): Promise<Audited> {
  const deadline = Deadline.after(90_000);
  const { desktop } = session;
  const watch = desktop.watch();
  try {
    for (;;) {
      const name = toolkit === "html" ? /^chromium/i : new RegExp(`^audit-${toolkit}$`);
      const application = (await desktop.applications(deadline.call())).find((a) => name.test(a.name));
      if (application !== undefined) {
        const snapshot = await desktop.snapshot(application, { ...deadline.call(), fields: FIELDS });
        const root = rootOf(snapshot, toolkit);
        if (root !== undefined) {
          const rows = toolkit === "html" ? [topOf(snapshot, root)] : snapshot.children(0);
          const pictures = await picturesOf(desktop, snapshot, rows, deadline.call());
          const again = await desktop.snapshot(application, { ...deadline.call(), fields: FIELDS });
          const drawn = await picturesOf(desktop, again, rows, deadline.call());
          // Judged once it stands still: a page that is being laid out has texts where its picture has none yet.
          if (
            places(again) === places(snapshot) && pictures.length === rows.length &&
            // A window that has drawn nothing yet stands still, too.
            !pictures.some(({ frame }) => isPlain(frame)) && isSame(pictures, drawn)
          ) {
            const report = audit(snapshot, { root, pictures, standards: ["wcag_aa", "section508"] });
            return { snapshot, report, placeOf: (finding) => placeOf(snapshot, finding.row) };
          }
        }
      }
      if (deadline.passed) throw new Error(`the ${toolkit} fixture did not come to rest`);
      await watch.next(deadline.within(250).call());
      watch.take();
    }
  } finally {
    watch.close();
  }
}

/** What is judged, once all of it is there. */
function rootOf(snapshot: Snapshot, toolkit: Toolkit): number | undefined {
  if (toolkit !== "html") {
    return snapshot.children(0).filter((row) => rowHas(snapshot, row, "visible")).length === 2
      ? 0
      : undefined;
  }
  const last = faults.filter(({ id }) => id.startsWith("html-")).at(-1)?.id;
  for (let row = 0; row < snapshot.size; row++) {
    if (snapshot.name(row) !== `fault ${last}`) continue;
    for (let up = row; up >= 0; up = snapshot.parent(up)) if (snapshot.name(up) === "Audit page") return up;
  }
  return undefined;
}

function topOf(snapshot: Snapshot, row: number): number {
  let at = row;
  for (let up = snapshot.parent(at); up > 0; up = snapshot.parent(up)) at = up;
  return at;
}

/** Do two looks show the same, pixel by pixel? */
function isSame(before: readonly Picture[], after: readonly Picture[]): boolean {
  return before.length === after.length && before.every(({ frame }, k) => {
    const other = after[k]?.frame;
    return other !== undefined && Buffer.compare(frame.rgba, other.rgba) === 0;
  });
}

const places = ({ columns }: Snapshot) => `${columns.count} ${columns.rect.join()}`;

function placeOf(snapshot: Snapshot, row: number): string {
  for (let up = row; up >= 0; up = snapshot.parent(up)) {
    const name = snapshot.name(up);
    if (name.startsWith("fault ")) return name.slice("fault ".length);
  }
  return "window";
}
