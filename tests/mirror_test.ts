import assert from "node:assert/strict";
import { Deadline, pause } from "../src/base/call.ts";
import { BackstepError } from "../src/base/error.ts";
import type { Action, Application, Desktop } from "../src/desktop/desktop.ts";
import { connectNative } from "../src/desktop/native/connect.ts";
import { ancestors } from "../src/desktop/ancestors.ts";
import { Role } from "../src/desktop/roles.ts";
import type { Snapshot } from "../src/desktop/snapshot.ts";
import { State } from "../src/desktop/states.ts";
import { isQt } from "../src/desktop/toolkits.ts";
import { Locator } from "../src/desktop/locator/mod.ts";
import { type Program, startConnected } from "../scripts/bench/place.ts";

/** Events come over the bus, answers over a shorter way: so long the mirror may be behind, in milliseconds. */
const BEHIND = 300;
/** A little more than the core lets pass between two proofs. */
const PROOF = 1_100;

type Ask = (tree: Snapshot) => readonly { readonly row: number; readonly action: Action }[];

/** Each row as a line, without what a mirror does not hold. */
function lines(tree: Snapshot): string[] {
  if (isQt(tree.origin.application)) return askedLines(tree);
  // Scrolling tells nobody what of a page shows.
  const unreported = tree.origin.application.toolkit === "Chromium" ? 1 << State.showing : 0;
  return Array.from({ length: tree.size }, (_, row) => {
    const { path } = tree.element(row), up = tree.parent(row);
    const states = [tree.statesLow(row) & ~unreported, tree.statesHigh(row)].map((word) => word.toString(16));
    const said = [tree.name(row), tree.description(row), tree.id(row)].map((text) => JSON.stringify(text));
    return [tree.role(row), ...said, ...states, path, up < 0 ? "" : tree.element(up).path].join(" ");
  });
}

/** The same of Qt: the items of its lists have another address each time, and descriptions are as they were read last. */
function askedLines(tree: Snapshot): string[] {
  return Array.from({ length: tree.size }, (_, row) => {
    const states = [tree.statesLow(row), tree.statesHigh(row)].map((word) => word.toString(16));
    const above = ancestors(tree, row).map((up) => tree.role(up));
    return [tree.role(row), JSON.stringify(tree.name(row)), ...states, "in", ...above].join(" ");
  });
}

/** The page of a browser, where there is one: of its own windows it tells little. */
function trusted(tree: Snapshot): string[] {
  const all = lines(tree);
  if (tree.origin.application.toolkit !== "Chromium") return all;
  const page = Array.from({ length: tree.size }, (_, row) => row).find((row) =>
    tree.role(row) === Role.documentWeb && tree.name(row) === "ready"
  );
  assert.ok(page !== undefined, "the page is there");
  return all.slice(page + 1, tree.end(page));
}

const held = { source: "held", fields: ["id"] } as const;
const remembered = { source: "remembered", fields: ["id"] } as const;

/** What the mirror shows, once it shows what the application does; the first difference where it never does. */
async function agree(desktop: Desktop, other: Desktop, application: Application): Promise<Snapshot> {
  const deadline = Deadline.after(BEHIND);
  for (;;) {
    const before = trusted(await other.snapshot(application, { fields: ["id"] }));
    const mirror = await desktop.snapshot(application, isQt(application) ? remembered : held);
    const after = trusted(await other.snapshot(application, { fields: ["id"] }));
    const shown = trusted(mirror);
    if (shown.join("\n") === after.join("\n")) return mirror;
    // Where the application changes by itself there is nothing to compare.
    const changing = before.join("\n") !== after.join("\n");
    if (deadline.passed && changing) return mirror;
    if (!deadline.passed) {
      await pause(10);
      continue;
    }
    const real = new Set(after), claimed = new Set(shown);
    assert.deepEqual(
      shown.filter((line) => !real.has(line)).slice(0, 5),
      after.filter((line) => !claimed.has(line)).slice(0, 5),
      "the mirror shows another tree than the application has",
    );
  }
}

async function drive(what: Program, rounds: number, ask: Ask): Promise<void> {
  await using place = await startConnected(what);
  const { desk, application, addresses } = place;
  const other = await connectNative({ kind: "isolated", label: "the truth", ...addresses });
  try {
    let seed = 20261121, mirrored = 0;
    const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
    await desk.snapshot(application, held);
    for (let round = 0; round < rounds; round++) {
      const tree = await other.snapshot(application, { fields: ["extents", "text", "value", "actions"] });
      const acts = ask(tree);
      assert.ok(acts.length > 0, "there is something to do");
      const pick = acts[random(acts.length)];
      if (pick) await other.act(tree.element(pick.row), pick.action).catch(ignoreGone);
      const mirror = await agree(desk, other, application);
      if (mirror.origin.source === "mirror") mirrored++;
    }
    assert.ok(mirrored > rounds / 2, `${mirrored} of ${rounds} looks came from the mirror`);
    await twins(desk, other, application);
  } finally {
    await other.close();
  }
}

function ignoreGone(error: unknown): void {
  // The element went between the reading and the action: that is a change as well.
  if (error instanceof BackstepError && ["stale", "refused", "unsupported"].includes(error.code)) return;
  throw error;
}

/** What a locator finds in the mirror is what it finds in the application. */
async function twins(desk: Desktop, other: Desktop, application: Application): Promise<void> {
  const tree = await other.snapshot(application, { fields: ["id"] });
  let found = 0;
  for (let row = 0; row < tree.size && found < 5; row++) {
    if (tree.role(row) !== Role.pushButton && tree.role(row) !== Role.checkBox) continue;
    const word = tree.role(row) === Role.checkBox ? "checkbox" : "button";
    const name = tree.name(row);
    if (name === "" || /["\\]/.test(name)) continue;
    const options = { application, selector: `${word}[name="${name}"]` };
    const [mine, its] = await Promise.all([
      new Locator(desk, options).resolve({ timeout: 1_000 }).catch(codeOf),
      new Locator(other, options).resolve({ timeout: 1_000, source: "application" }).catch(codeOf),
    ]);
    if (typeof mine === "string" || typeof its === "string") assert.equal(mine, its, name);
    else assert.equal(mine.element.path, its.element.path, name);
    found++;
  }
  assert.ok(found > 0, "there was something to find");
}

function codeOf(error: unknown): string {
  if (error instanceof BackstepError) return error.code;
  throw error;
}

const actions = (roles: readonly number[]): Ask => (tree) => {
  const usable = (row: number) =>
    roles.includes(tree.role(row)) && tree.has(row, "sensitive") && tree.has(row, "visible");
  const rows = Array.from({ length: tree.size }, (_, row) => row).filter(usable);
  return rows.flatMap((row) => {
    const [name] = tree.actions(row);
    return name === undefined || /close|quit|menu/i.test(tree.name(row))
      ? []
      : [{ row, action: { do: "action", name } }];
  });
};

const texts: Ask = (tree) =>
  Array.from({ length: tree.size }, (_, row) => row)
    .filter((row) => tree.text(row) !== undefined && tree.has(row, "editable") && tree.has(row, "showing"))
    .map((row) => ({ row, action: { do: "setText", text: `text ${row}` } }));

const both = (...asks: Ask[]): Ask => (tree) => asks.flatMap((ask) => ask(tree));

Deno.test("GTK 3: after many changes the mirror shows the tree that a fresh reading shows", async () => {
  const toggles = actions([Role.checkBox, Role.radioButton, Role.toggleButton]);
  await drive({ app: "gtk3", program: "gtk3-widget-factory" }, 12, both(toggles, texts));
});

Deno.test("GTK 4: after many changes the mirror shows the tree that a fresh reading shows", async () => {
  await drive(
    { app: "gtk4", program: "gnome-calculator" },
    25,
    actions([Role.pushButton, Role.toggleButton]),
  );
});

Deno.test("Chromium: after many changes the mirror shows the page that a fresh reading shows", async () => {
  const page: Program = { app: "page", program: "chromium", page: 300, title: "ready" };
  await drive(page, 12, actions([Role.checkBox]));
});

const GALLERY = "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/gallery/gallery";

Deno.test("Qt: after many changes what is kept and asked again shows the tree that a fresh reading shows", async () => {
  const toggles = actions([Role.checkBox, Role.radioButton, Role.toggleButton, Role.pageTab]);
  await drive({ app: "qt", program: GALLERY }, 25, both(toggles, texts));
});

Deno.test("Qt tells of too little: its trees are read, and to find an element each is asked again", async () => {
  await using place = await startConnected({ app: "qt", program: GALLERY });
  const { desk, application } = place;
  for (let look = 0; look < 3; look++) {
    assert.equal((await desk.snapshot(application, held)).origin.source, "application");
  }
  const again = await desk.snapshot(application, remembered);
  assert.deepEqual([again.origin.source, again.origin.mirror?.afresh], ["mirror", again.size]);
  const slider = new Locator(desk, { application, selector: "slider" });
  const { snapshot } = await slider.resolve();
  assert.equal(snapshot.origin.source, "mirror");
  const { calls } = snapshot.origin;
  assert.ok(calls < 2.5 * snapshot.size, `${calls} calls for ${snapshot.size} elements`);
  const named = new Locator(desk, { application, selector: "dialog slider" });
  assert.ok(
    (await named.resolve()).snapshot.origin.calls > 3.5 * snapshot.size,
    "what is around it is asked, too",
  );
  const missing = new Locator(desk, { application, selector: 'button[name="Nobody"]' });
  await assert.rejects(missing.resolve({ timeout: 300 }), { code: "not_found" });
});

Deno.test("what is kept of an application costs nothing while nobody asks, and is proven before it is used again", async () => {
  await using place = await startConnected({ app: "gtk4", program: "gnome-calculator" });
  const { desk, application } = place;
  await desk.snapshot(application, held);
  const first = await desk.snapshot(application, held);
  assert.equal(first.origin.source, "mirror");
  assert.equal(await desk.snapshot(application, held), first, "decoded once");
  await pause(PROOF);
  const proven = await desk.snapshot(application, held);
  assert.deepEqual([proven.origin.source, proven.origin.missed], ["mirror", undefined]);
});

Deno.test("GTK 3: one change asks for what changed, and not for the rows of every list again", async () => {
  await using place = await startConnected({ app: "gtk3", program: "gtk3-widget-factory" });
  const { desk, application } = place;
  await desk.snapshot(application, held);
  const before = await desk.snapshot(application, remembered);
  assert.ok(hasPassing(before), "it has rows that pass");
  const { element } = await new Locator(desk, { application, selector: "spinbutton:enabled" }).resolve();
  const asked: number[] = [];
  // Its rows are told of when they are read first: what that brought is in the first of these.
  for (const value of [41, 42, 43]) {
    await desk.act(element, { do: "setValue", value });
    await pause(BEHIND);
    asked.push((await desk.snapshot(application, remembered)).origin.mirror?.afresh ?? Infinity);
  }
  assert.ok(Math.min(...asked) <= 4, `${asked.join(", ")} elements were asked again`);
});

function hasPassing(tree: Snapshot): boolean {
  return Array.from({ length: tree.size }, (_, row) => row).some((row) => tree.has(row, "transient"));
}
