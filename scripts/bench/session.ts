import { openSession } from "../../src/session/open-session.ts";
import { median, round } from "./row.ts";

/** Runs of each application. */
const RUNS = 9;
const PROGRAMS = ["gtk3-demo-application", "gtk3-widget-factory", "gnome-calculator", "gedit"];

/** From asking for a private desktop to an application in its tree with a window; medians in milliseconds. */
export interface SessionRow {
  readonly app: string;
  /** Until the desktop answers. */
  readonly session_ms: number;
  /** Until the application is there too. */
  readonly ready_ms: number;
  readonly fastest_ms: number;
  /** Until nothing of it is left. */
  readonly close_ms: number;
  readonly samples: number;
}

/** Starts a desktop and one application on it, again and again. */
export async function sessions(): Promise<SessionRow[]> {
  const rows: SessionRow[] = [];
  for (const app of PROGRAMS) {
    const times: Record<"session" | "ready" | "close", number[]> = { session: [], ready: [], close: [] };
    for (let run = 0; run < RUNS; run++) {
      const began = performance.now();
      const session = await openSession({ kind: "isolated" });
      try {
        times.session.push(performance.now() - began);
        await session.launcher.launch(app);
        times.ready.push(performance.now() - began);
      } finally {
        const closing = performance.now();
        await session.close();
        times.close.push(performance.now() - closing);
      }
    }
    rows.push({
      app,
      session_ms: round(median(times.session)),
      ready_ms: round(median(times.ready)),
      fastest_ms: round(Math.min(...times.ready)),
      close_ms: round(median(times.close)),
      samples: RUNS,
    });
  }
  return rows;
}

/** The rows for people. */
export function sessionTable(rows: readonly SessionRow[]): string {
  const lines = rows.map((r) =>
    `${r.app.padEnd(24)}${
      [r.session_ms, r.ready_ms, r.fastest_ms, r.close_ms].map((n) => n.toFixed(0).padStart(10)).join("")
    }`
  );
  return [
    `${"app".padEnd(24)}${["session", "ready", "fastest", "close"].map((h) => h.padStart(10)).join("")}   ms`,
    ...lines,
  ]
    .join("\n");
}
