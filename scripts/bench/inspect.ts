import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { Browser } from "../../tests/_browser.ts";
import { catalogue } from "../../src/catalogue.ts";
import type { Desktop } from "../../src/desktop/desktop.ts";
import { pageDocument } from "../../src/inspect/document.ts";
import { type OpenInspector, openInspector } from "../../src/inspect/open.ts";
import { Role } from "../../src/desktop/roles.ts";
import type { Session } from "../../src/session/session.ts";
import { type Connected, startConnected } from "./place.ts";
import { round } from "./row.ts";

/** A measurement of the page, with what is promised of it. */
export interface InspectRow {
  readonly what: string;
  /** Half of them take at most this. */
  readonly p50: number;
  readonly p95: number;
  readonly unit: string;
  /** No p95 above it. */
  readonly promised?: number;
  readonly samples: number;
}

const CHANGES = 40, HOVERS = 60, KEYS = 40, TREES = 8;
/** Milliseconds in which nobody looks. */
const IDLE = 5_000;

/** What the page of `backstep inspect` takes, in a real Chromium, on a page of 10,000 elements in another one. */
export async function inspecting(): Promise<{ rows: InspectRow[]; failed: string[] }> {
  const rows: InspectRow[] = [];
  const { html } = pageDocument();
  rows.push(row("the page, gzipped", [gzipSync(html, { level: 9 }).length / 1024], "KB", 60));
  const folder = mkdtempSync(join(tmpdir(), "backstep-bench-inspect-"));
  try {
    await using place = await startConnected({
      app: "chromium-10000",
      program: "chromium",
      page: 10_000,
      title: "ready",
      bridge: true,
    });
    const opened = await openInspector({
      session: sessionOf(place),
      operations: catalogue,
      folder,
      admission: [],
      state: join(folder, "state"),
      app: String(place.application.pid),
    });
    try {
      await using browser = await Browser.start();
      await measure(place, opened, browser, rows);
    } finally {
      await opened.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const failed = rows.filter(({ p95, promised }) => promised !== undefined && p95 > promised)
    .map(({ what, p95, promised, unit }) => `${what} within ${promised} ${unit}: it is ${p95}`);
  return { rows, failed };
}

async function measure(
  { desk, application }: Connected,
  opened: OpenInspector,
  browser: Browser,
  rows: InspectRow[],
): Promise<void> {
  const { inspector } = opened;
  const idle = await share(IDLE);
  rows.push(row("processor while nobody looks", [idle], "% of a core", 1));
  rows.push(row("pictures taken while nobody looks", [inspector.screen.taken], "", 0));

  const number = (expression: string, page = "one") => browser.read(page, expression, z.number());
  const firsts: number[] = [];
  for (let k = 0; k <= TREES; k++) {
    await browser.do("open", "one", opened.url);
    await browser.do(
      "until",
      "one",
      "inspector.first.drawn > 0 && inspector.state.rows.length > 9000",
      60_000,
    );
    firsts.push(await number("inspector.first.drawn - inspector.first.asked"));
    // Places are read afterwards: the next page is not to wait for those of this one.
    await browser.do("until", "one", "inspector.state.rows.some((row) => row.width > 0)", 60_000);
    if (k < TREES) await browser.do("leave", "one");
  }
  const [cold = NaN, ...warm] = firsts;
  rows.push(row("first tree, an application that nobody has read", [cold], "ms"));
  rows.push(row("first tree of 10,000 elements", warm, "ms", 300));
  const elements = await number("inspector.state.rows.length");
  rows.push(row("elements in the tree", [elements], ""));
  await browser.do(
    "until",
    "one",
    "inspector.drawn.times > 0 && inspector.state.rows.some((r) => r.width > 0)",
    60_000,
  );

  const { trees, pictures } = await changes(desk, opened, browser, application.bus);
  rows.push(row("change to the page's tree", trees, "ms", 100));
  rows.push(row("change to the page's picture", pictures, "ms", 100));

  rows.push(row("hover to its frame", await hovers(browser), "ms", 50));

  const matched: number[] = [], reported: number[] = [];
  const selector = 'button[name="Button 5100"]';
  await browser.do("fill", "one", "#selector", "");
  for (let k = 0; k < KEYS; k++) {
    await browser.do("evaluate", "one", "inspector.timed.shown = 0");
    await browser.do("fill", "one", "#selector", selector.slice(0, 1 + k % selector.length));
    await browser.do("until", "one", "inspector.timed.shown > 0");
    matched.push(await number("inspector.timed.ms"));
    reported.push(await number("inspector.timed.shown - inspector.timed.asked"));
  }
  rows.push(row("playground: matching among 10,000", matched, "ms", 5));
  rows.push(row("playground: key to count, with the way to the server", reported, "ms"));

  const lines: number[] = [];
  for (const part of [0, 0.3, 0.7, 1]) {
    await browser.do(
      "evaluate",
      "one",
      `(t => t.scrollTop = t.scrollHeight * ${part})(document.querySelector(".tree"))`,
    );
    await browser.do(
      "evaluate",
      "one",
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
    );
    lines.push(await number(`document.querySelectorAll(".line").length`));
  }
  rows.push(row("lines of the tree in the page", lines, "", 60));
  rows.push(row("processor while one looks and nothing happens", [await share(IDLE)], "% of a core"));
  const { requests } = await browser.reported();
  const { origin } = new URL(opened.url);
  const foreign = requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith("data:"));
  rows.push(row("requests to anybody else", [foreign.length], "", 0));
  await browser.do("leave", "one");
}

/** Ticks a box again and again, and waits until the page shows it: in the tree, and in the picture. */
async function changes(desk: Desktop, { inspector }: OpenInspector, browser: Browser, bus: string) {
  const [application] = (await desk.applications()).filter((one) => one.bus === bus);
  if (application === undefined) throw new Error("the browser is gone");
  const snapshot = await desk.snapshot(application, { fields: ["extents"], timeout: 30_000 });
  const box =
    [...Array(snapshot.size).keys()].find((k) =>
      snapshot.role(k) === Role.checkBox && snapshot.name(k) === "Check 0"
    ) ?? -1;
  const rect = snapshot.rect(box);
  if (rect === undefined) throw new Error("the box is not there");
  const trees: number[] = [], pictures: number[] = [];
  const { x, y, width, height } = rect;
  await browser.do(
    "evaluate",
    "one",
    `globalThis.box = inspector.state.rows.find((r) => r.role === "checkbox" && r.name === "Check 0");
     globalThis.seen = (holds) => new Promise((done) => { const look = () => holds()
       ? done(performance.timeOrigin + performance.now()) : setTimeout(look, 1); look(); });
     globalThis.sum = () => document.querySelector(".screen").getContext("2d").getImageData(${x}, ${y}, ${width}, ${height})
       .data.reduce((a, b, k) => (a * 31 + b * (k % 251)) % 1000003, 7);`,
  );
  for (let k = 0; k < CHANGES; k++) {
    await browser.do(
      "evaluate",
      "one",
      `globalThis.was = [sum(), box.states]; globalThis.tree = seen(() => box.states !== was[1]);
       globalThis.image = seen(() => sum() !== was[0]); 0`,
    );
    const began = performance.timeOrigin + performance.now();
    await desk.act(snapshot.element(box), { do: "action", name: k % 2 === 0 ? "check" : "uncheck" });
    const done = z.array(z.number()).parse(await browser.do("evaluate", "one", "Promise.all([tree, image])"));
    const [tree = NaN, image = NaN] = done;
    trees.push(tree - began);
    pictures.push(image - began);
    // What the last one still draws, a focus ring or a ripple, is no change of the next one.
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  if (inspector.viewers !== 1) throw new Error("the page has come back meanwhile");
  return { trees, pictures };
}

/** From the event of the pointer to the frame being where it belongs, as the page draws it. */
async function hovers(browser: Browser): Promise<number[]> {
  await browser.do(
    "evaluate",
    "one",
    `globalThis.hovers = []; document.querySelector(".screen").addEventListener("pointermove", (event) =>
      requestAnimationFrame(() => { const c = new MessageChannel();
        c.port1.onmessage = () => hovers.push(performance.now() - event.timeStamp); c.port2.postMessage(0); }));`,
  );
  const box = await browser.read(
    "one",
    `(({ left, top, width, height }) => ({ left, top, width, height }))(document.querySelector(".screen").getBoundingClientRect())`,
    z.object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() }),
  );
  for (let k = 0; k < HOVERS; k++) {
    await browser.do(
      "hover",
      "one",
      box.left + box.width * ((k * 0.137) % 1),
      box.top + box.height * (0.15 + (k * 0.071) % 0.8),
    );
    await browser.do("until", "one", `hovers.length > ${k}`);
  }
  return await browser.read("one", "hovers", z.array(z.number()));
}

/** The share of a core that this process takes. */
async function share(milliseconds: number): Promise<number> {
  const before = process.cpuUsage(), began = performance.now();
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10 / (performance.now() - began);
}

/** As much of a session as a page of it needs. */
function sessionOf({ desk, application }: Connected): Session {
  return {
    kind: "isolated",
    label: "benchmark",
    desktop: desk,
    launcher: {
      catalogue: () => Promise.resolve([]),
      launch: () => Promise.reject(new Error("nothing is launched here")),
      quit: () => Promise.reject(new Error("nothing is quit here")),
      list: () =>
        Promise.resolve([{
          bundleId: application.name,
          name: application.name,
          processId: application.pid,
          isHidden: false,
        }]),
    },
    home: undefined,
    id: undefined,
    close: () => desk.close(),
  };
}

function row(what: string, all: readonly number[], unit: string, promised?: number): InspectRow {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (part: number) =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN);
  return {
    what,
    p50: at(0.5),
    p95: at(0.95),
    unit,
    samples: all.length,
    ...(promised === undefined ? {} : { promised }),
  };
}

/** The rows for people. */
export function inspectTable(rows: readonly InspectRow[]): string {
  const cells = rows.map((
    { what, p50, p95, unit, promised, samples },
  ) => [
    what,
    String(p50),
    String(p95),
    promised === undefined ? "" : `≤ ${promised}`,
    unit,
    String(samples),
  ]);
  const heads = ["what", "p50", "p95", "promised", "unit", "samples"];
  return [heads, heads.map(() => "---"), ...cells].map((line) => `| ${line.join(" | ")} |`).join("\n");
}
