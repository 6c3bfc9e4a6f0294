import assert from "node:assert/strict";
import { Deadline } from "../src/base/call.ts";
import type { Application, SnapshotField } from "../src/desktop/desktop.ts";
import { Locator } from "../src/desktop/locator/mod.ts";
import { Ranker, rowsAt } from "../src/desktop/ranking/mod.ts";
import { centre } from "../src/desktop/rect.ts";
import { rowHas } from "../src/desktop/state-words.ts";
import { wordOf } from "../src/desktop/vocabulary.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";
import { show } from "./patterns/show.ts";

const FIELDS: readonly SnapshotField[] = ["extents", "id", "attributes", "relations"];
/** What only shows whether it is on: "Page 2" and "Menu" bring something else. */
const TOGGLE = /^(check|radio|toggle)button$/;

/** Moves the pointer to each toggle, asks what lies there, and clicks: what the first selector finds must have changed. */
async function clickedIsPicked(session: Session, application: Application): Promise<number> {
  const { desktop } = session;
  const first = await desktop.snapshot(application, { fields: FIELDS });
  const rows = Array.from({ length: first.size }, (_, row) => row).filter((row) =>
    TOGGLE.test(first.name(row)) && wordOf(first, row) !== "label" && rowHas(first, row, "visible") &&
    rowHas(first, row, "enabled") &&
    rowHas(first, row, "unchecked") && !rowHas(first, row, "indeterminate")
  );
  let judged = 0;
  for (const row of rows.slice(0, 6)) {
    const rect = first.rect(row);
    if (rect === undefined || rect.width < 5) continue;
    const at = centre(rect);
    await desktop.pointer({ do: "move", ...at });
    assert.deepEqual(await session.pointer?.(), at, "the display says where it was moved");
    const snapshot = await desktop.snapshot(application, { fields: FIELDS });
    const [picked] = await rowsAt(desktop, application, snapshot, at, Deadline.after(5_000).call());
    assert.equal(picked, row, `${at.x},${at.y}`);
    const selector = new Ranker(snapshot).best(row)?.selector ?? "";
    if (selector.includes("checked")) continue;
    await desktop.pointer({ do: "click", ...at, button: "left", count: 1 });
    const locator = new Locator(desktop, { application, selector });
    const watch = desktop.watch(application);
    try {
      const deadline = Deadline.after(5_000);
      for (;;) {
        const found = await locator.resolve({ source: "application", timeout: 5_000 });
        if (rowHas(found.snapshot, found.row, "checked")) break;
        assert.ok(!deadline.passed, `${selector} was clicked, and what it finds did not change`);
        await watch.next(deadline.within(200).call());
        watch.take();
      }
    } finally {
      watch.close();
    }
    judged++;
  }
  return judged;
}

for (const program of ["gtk3-widget-factory", "gtk4-widget-factory"]) {
  Deno.test(`what is picked in ${program} is what a click there changes`, async () => {
    const session = await openSession({ kind: "isolated", width: 1280, height: 900 });
    try {
      const { origin } = await show(session, { name: program, program, pattern: undefined });
      assert.ok(await clickedIsPicked(session, origin.application) >= 2);
    } finally {
      await session.close();
    }
  });
}
