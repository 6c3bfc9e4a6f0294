import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "../build.ts";
import type { Application } from "../element.ts";
import { contains } from "../rect.ts";
import { hideCoveredPages } from "./hidden-pages.ts";

const gtk4: Application = { bus: ":1.9", name: "pages", pid: 45, toolkit: "GTK", toolkitVersion: "4.8.3" };
const rect = (y: number, height: number) => ({ x: 0, y, width: 100, height });

/** The names of what is hidden below a window, where the first of these that lies at a point answers there. */
async function hiddenIn(pages: readonly NodeDescription[], answering: readonly string[]): Promise<string[]> {
  const window: NodeDescription = { role: "frame", rect: rect(0, 200), children: pages };
  const snapshot = buildSnapshot(window, gtk4);
  const rows = Array.from({ length: snapshot.size }, (_, row) => row);
  await hideCoveredPages(snapshot, ({ x, y }) => {
    const lies = (row: number) => {
      const place = snapshot.rect(row);
      return place !== undefined && contains(place, x, y) && contains(rect(0, 200), x, y);
    };
    const hit = answering.flatMap((name) =>
      rows.filter((row) => snapshot.name(row) === name && lies(row))
    )[0];
    return Promise.resolve(hit === undefined ? undefined : snapshot.element(hit));
  });
  return rows.filter((row) => !snapshot.has(row, "visible")).map((row) => snapshot.name(row));
}

const page = (name: string, ...children: NodeDescription[]): NodeDescription => ({
  role: "panel",
  name,
  rect: rect(0, 200),
  children,
});

Deno.test("of pages that lie on each other those are hidden where all that answers is another one", async () => {
  const pages = [page("One", { role: "label", name: "First", rect: rect(0, 20) }), page("Two")];
  assert.deepEqual(await hiddenIn(pages, ["Two"]), ["One", "First"]);
  assert.deepEqual(await hiddenIn(pages, ["First", "One"]), ["Two"]);
});

Deno.test("a list below a header is not hidden: it answers where the header does not lie, and where it is not scrolled away", async () => {
  const rows = Array.from({ length: 40 }, (_, row): NodeDescription => ({
    role: "pushButton",
    name: `Row ${row}`,
    rect: rect(40 * row, 40),
  }));
  const list: NodeDescription = { role: "panel", name: "List", rect: rect(0, 1_600), children: rows };
  const header: NodeDescription = { role: "panel", name: "Header", rect: rect(0, 50) };
  const shown = rows.map(({ name = "" }) => name);
  assert.deepEqual(await hiddenIn([list, header], ["Header", ...shown]), []);
});
