import { Deadline, pause } from "../../src/base/call.ts";
import type { Desktop } from "../../src/desktop/desktop.ts";
import type { ElementRef } from "../../src/desktop/element.ts";
import { attachToDesktop } from "../../src/session/attach.ts";
import { openSession } from "../../src/session/open-session.ts";
import type { DisplayKind } from "../../src/session/settings/settings.ts";
import { type Fixture, fixtureOf } from "../../tests/wayland/fixture.ts";
import { placesOf } from "../../tests/wayland/trial.ts";
import { median, round } from "./row.ts";
import { type Program, programOf, timedRun } from "./wayland-peers.ts";

const SESSIONS = 9, TREES = 200, CLICKS = 96, PICTURES = 50, TEXTS = 15, CLIPBOARDS = 25;
/** Once for what is loaded by the first use. */
const WARM = 3;
/** 100 characters each, some of which no American keyboard has; by turns, so that each needs another keymap. */
const LATIN = "The quick brown fox jumps over the lazy dog, 0123456789. ".repeat(2).slice(0, 89) +
  "Grüße, αβγ€";
const CYRILLIC = "Съешь же ещё этих мягких французских булок, да выпей чаю. ".repeat(2).slice(0, 100);

/** Milliseconds that a median on Wayland may take, by what is measured. */
const PROMISED: Readonly<Record<string, number>> = {
  "session start": 250,
  "windows (GET_TREE)": 1,
  "click and sync": 1,
  "picture of 1280x800": 6,
};

/** One measurement on both displays, beside a program that does the same on Wayland; medians in milliseconds. */
export interface DisplayRow {
  readonly what: string;
  readonly x11_ms: number;
  readonly wayland_ms: number;
  readonly promised_ms: number | null;
  /** With the start of its process, which nobody who uses it can leave out. */
  readonly peer: { readonly program: string; readonly ms: number } | { readonly missing: string } | null;
  readonly samples: number;
}

interface Timed {
  readonly ms: number;
  readonly samples: number;
}
type Times = Record<string, Timed>;
type Peers = Record<string, DisplayRow["peer"]>;

async function medianOf(samples: number, what: (k: number) => Promise<unknown>): Promise<Timed> {
  const times: number[] = [];
  for (let k = -WARM; k < samples; k++) {
    const began = performance.now();
    await what(k + WARM);
    if (k >= 0) times.push(performance.now() - began);
  }
  return { ms: round(median(times)), samples };
}

async function sessionStart(display: DisplayKind): Promise<Timed> {
  const times: number[] = [];
  for (let k = 0; k < SESSIONS; k++) {
    const began = performance.now();
    const session = await openSession({ kind: "isolated", settings: { display } });
    times.push(performance.now() - began);
    await session.close();
  }
  return { ms: round(median(times)), samples: SESSIONS };
}

/**
 * Each click counts once the application has written it down, which is not measured: a click that misses is fast, too, and a
 * program that is behind asks where the pointer is by then.
 */
async function clicks(
  desktop: Desktop,
  fixture: Fixture,
  places: ReadonlyMap<string, { readonly x: number; readonly y: number }>,
): Promise<Timed> {
  const times: number[] = [];
  for (let k = -WARM; k < CLICKS; k++) {
    const name = `b${(k + WARM) % 24}`, place = places.get(name);
    if (place === undefined) throw new Error(`${name} has no place`);
    const took = await timed(() =>
      desktop.pointer({ do: "click", ...place, button: "left", count: 1, again: true })
    );
    if (k >= 0) times.push(took);
    const last = (await fixture.until("click ", k + WARM + 1)).slice(k + WARM).join();
    if (last !== `click ${name}`) throw new Error(`a click on ${name} became "${last}"`);
  }
  return { ms: round(median(times)), samples: CLICKS };
}

/** Types a text with what is given, again and again; each time the application must write it down whole. */
async function typing(
  desktop: Desktop,
  fixture: Fixture,
  field: ElementRef,
  type: (text: string) => Promise<number>,
): Promise<Timed> {
  const times: number[] = [];
  for (let k = 0; k <= TEXTS; k++) {
    await desktop.act(field, { do: "setText", text: "" });
    const text = k % 2 === 0 ? LATIN : CYRILLIC;
    const took = await type(text);
    const deadline = Deadline.after(5_000);
    while (fixture.lines().findLast((line) => line.startsWith("text ")) !== `text ${text}`) {
      if (deadline.passed) throw new Error(`typed, and the application has ${fixture.lines().at(-1)}`);
      await pause(5);
    }
    if (k > 0) times.push(took);
  }
  return { ms: round(median(times)), samples: TEXTS };
}

async function timed(what: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await what();
  return performance.now() - began;
}

/** What one display takes, and the programs beside it. */
async function onDisplay(display: DisplayKind): Promise<{ times: Times; peers: Peers }> {
  const start = await sessionStart(display);
  const session = await openSession({ kind: "isolated", settings: { display } });
  try {
    const fixture = await fixtureOf(display === "wayland" ? "GTK 3" : "XWayland");
    try {
      const { desktop } = session;
      const { processId } = await session.launcher.launch(fixture.program, { args: fixture.args });
      const application = (await desktop.applications()).find(({ pid }) => pid === processId);
      const manager = await session.windowManager?.();
      if (application === undefined || manager === undefined) {
        throw new Error(`${display}: the desktop is not whole`);
      }
      const names = Array.from({ length: 24 }, (_, k) => `b${k}`);
      const rects = await placesOf(desktop, application, [...names, "Text"]);
      const places = new Map(
        [...rects].map(([name, { x, y, width, height }]) => [name, {
          x: Math.round(x + width / 2),
          y: Math.round(y + height / 2),
        }]),
      );
      const { id = "" } = session;
      const { environment } = attachToDesktop(id);
      const times: Times = {
        "session start": start,
        "windows (GET_TREE)": await medianOf(TREES, () => manager.windows()),
        "click and sync": await clicks(desktop, fixture, places),
        "picture of 1280x800": await medianOf(PICTURES, () => desktop.screenshot({ what: "screen" })),
      };
      const snapshot = await desktop.snapshot(application, { fields: ["text", "id"] });
      const row = Array.from({ length: snapshot.size }, (_, k) => k)
        .find((k) => snapshot.name(k) === "Text" && snapshot.text(k) !== undefined);
      if (row === undefined) throw new Error("there is no field");
      const field = snapshot.element(row);
      const place = places.get("Text") ?? { x: 0, y: 0 };
      await desktop.pointer({ do: "click", ...place, button: "left", count: 1 });
      times["text of 100 characters"] = await typing(
        desktop,
        fixture,
        field,
        (text) => timed(() => desktop.typeText(text)),
      );
      const other = await openSession({ kind: "attach", id });
      try {
        times["clipboard, write"] = await medianOf(
          CLIPBOARDS,
          (k) => desktop.writeClipboard(`${LATIN} ${k}`),
        );
        await desktop.writeClipboard(LATIN);
        times["clipboard, read"] = await medianOf(CLIPBOARDS, async () => {
          const text = await other.desktop.readClipboard();
          if (text !== LATIN) throw new Error(`the clipboard has ${JSON.stringify(text)}`);
        });
        const peers = display === "wayland"
          ? await besides(environment, (type) => typing(desktop, fixture, field, type))
          : {};
        return { times, peers };
      } finally {
        await other.close({ leave: true });
      }
    } finally {
      await fixture.close();
    }
  } finally {
    await session.close();
  }
}

/** What programs for Wayland take for the same, where they are installed. */
async function besides(
  environment: Readonly<Record<string, string>>,
  typing: (type: (text: string) => Promise<number>) => Promise<Timed>,
): Promise<Peers> {
  const measured = async (name: string, from: string, what: (program: Program) => Promise<Timed>) => {
    const program = programOf(name, environment);
    if (program === undefined) return { missing: from };
    return { program: name, ms: (await what(program)).ms };
  };
  const again = (program: Program, args: readonly string[], reads?: string) =>
    medianOf(CLIPBOARDS, async () => {
      const { out } = await timedRun(program, args);
      if (reads !== undefined && out !== reads) {
        throw new Error(`${program.path} read ${JSON.stringify(out)}`);
      }
    });
  return {
    "picture of 1280x800": await measured("grim", "grim", (grim) => again(grim, ["-t", "ppm", "/dev/null"])),
    "text of 100 characters": await measured(
      "wtype",
      "wtype",
      (wtype) => typing(async (text) => (await timedRun(wtype, [text])).ms),
    ),
    "clipboard, read": await measured("wl-paste", "wl-clipboard", (paste) => again(paste, ["-n"], LATIN)),
    "clipboard, write": await measured("wl-copy", "wl-clipboard", (copy) => again(copy, [LATIN])),
  };
}

/** X11 and Wayland in one run, with the promises that were not kept. */
export async function displays(): Promise<{ rows: DisplayRow[]; failed: string[] }> {
  const { times: x11 } = await onDisplay("x11");
  const { times: wayland, peers } = await onDisplay("wayland");
  const rows = Object.entries(wayland).map(([what, { ms, samples }]): DisplayRow => ({
    what,
    x11_ms: x11[what]?.ms ?? NaN,
    wayland_ms: ms,
    promised_ms: PROMISED[what] ?? null,
    peer: peers[what] ?? null,
    samples,
  }));
  const failed = rows.filter(({ promised_ms, wayland_ms }) =>
    promised_ms !== null && wayland_ms > promised_ms
  )
    .map(({ what, promised_ms, wayland_ms }) =>
      `${what} on Wayland within ${promised_ms} ms: it takes ${wayland_ms}`
    );
  return { rows, failed };
}

/** The rows for people. */
export function displayTable(rows: readonly DisplayRow[]): string {
  const line = (cells: readonly string[]) =>
    cells.map((cell, k) => k === 0 ? cell.padEnd(26) : k < 4 ? cell.padStart(10) : `  ${cell}`).join("");
  const peer = (one: DisplayRow["peer"]) =>
    one === null
      ? ""
      : "missing" in one
      ? `not measured: apt-get install ${one.missing}`
      : `${one.program} ${one.ms.toFixed(2)}`;
  return [
    line(["", "x11", "wayland", "promised", "peer, with its start"]) + "   ms",
    ...rows.map((row) =>
      line([
        row.what,
        row.x11_ms.toFixed(2),
        row.wayland_ms.toFixed(2),
        row.promised_ms?.toFixed(0) ?? "",
        peer(row.peer),
      ]).trimEnd()
    ),
  ].join("\n");
}
