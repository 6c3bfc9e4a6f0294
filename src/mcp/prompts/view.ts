import { toBackstepError } from "../../base/error.ts";
import {
  BUSY_AFTER,
  detect,
  FIELDS,
  type PatternName,
  read,
  type Scene,
  type State,
  stateOf,
  type Suggestion,
  suggestionsFor,
} from "../../intelligence/mod.ts";
import type { McpCall } from "../server/call.ts";
import { appNamed, type RunningApp } from "./running-apps.ts";

/** Milliseconds that a prompt waits for an application; what takes longer is told to be busy. */
const READ = 3_000;
/** Windows, suggestions and names of other applications that are told. */
const MOST = 10;
/** Characters of a text of an application. */
const LONG = 120;

/** An application that a prompt is about, as it is now. */
export interface AppView {
  /** As the argument had it. */
  readonly asked: string;
  /** What to call it in tools. */
  readonly name: string;
  /** Absent: it does not run, several fit, or it may not be seen. */
  readonly app?: RunningApp;
  /** What was read of it; absent: it did not answer. */
  readonly scene?: Scene;
  readonly state?: State;
  readonly pattern?: PatternName;
  readonly suggestions: readonly Suggestion[];
  /** What else runs. */
  readonly others: readonly RunningApp[];
}

/** The application that a name means, read once. */
export async function viewOf(asked: string, apps: readonly RunningApp[], call: McpCall): Promise<AppView> {
  const app = appNamed(asked, apps, call);
  if (app === undefined) return { asked, name: asked.trim(), suggestions: [], others: apps };
  const others = apps.filter((one) => one !== app);
  const about = { asked, name: app.name, app, others };
  const scene = await answers(app, call) ? await sceneOf(app, call) : undefined;
  if (scene === undefined) return { ...about, state: "busy", suggestions: [] };
  const { pattern } = detect(scene);
  return {
    ...about,
    scene,
    state: stateOf(scene),
    ...(pattern === undefined ? {} : { pattern: pattern.name }),
    suggestions: suggestionsFor(scene).slice(0, MOST),
  };
}

/** Does it say anything in time? Its root alone is asked, since a large tree takes its time without anybody being busy. */
async function answers(app: RunningApp, call: McpCall): Promise<boolean> {
  return await reading(async () => {
    const { desktop } = call.session.host.desktop;
    await desktop.snapshot(app.application, {
      timeout: BUSY_AFTER,
      signal: call.signal,
      fields: [],
      maxDepth: 0,
    });
    return true;
  }) ?? false;
}

/** What an application shows; undefined: it did not answer, or has ended meanwhile. */
export async function sceneOf(
  { application }: RunningApp,
  { session, signal }: McpCall,
): Promise<Scene | undefined> {
  const { desktop } = session.host.desktop;
  return await reading(async () =>
    read(await desktop.snapshot(application, { timeout: READ, signal, fields: FIELDS, source: "mirror" }))
  );
}

/** Undefined where the application does not answer, or has just ended. */
async function reading<R>(look: () => Promise<R>): Promise<R | undefined> {
  try {
    return await look();
  } catch (thrown) {
    const { code } = toBackstepError(thrown);
    if (code === "timeout" || code === "app_gone" || code === "stale") return undefined;
    throw thrown;
  }
}

/** It as lines of data: text of applications is in quotes, escaped and cut. */
export function linesOf(view: AppView): string[] {
  const { app, scene, state, pattern, suggestions } = view;
  if (app === undefined) {
    const fits = view.others.filter((one) =>
      one.name.toLowerCase().includes(view.asked.trim().toLowerCase())
    );
    return [
      `application ${quoted(view.asked)}: ${
        fits.length > 1 ? "several that run fit the name" : "not running, or not to be seen"
      }`,
      `running: ${view.others.length === 0 ? "nothing" : namesOf(view.others)}`,
    ];
  }
  const windows = scene === undefined ? [] : scene.windows.slice(0, MOST).map((row) => {
    const front = row === scene.front ? ", in front" : "";
    return `  window ${quoted(scene.snapshot.name(row))}${front}`;
  });
  return [
    `application ${quoted(app.name)}, process ${app.application.pid}: ${
      app.connected ? "connected" : "running, not connected"
    }`,
    `  state: ${state ?? "idle"}${scene === undefined ? ", it did not answer in time" : ""}`,
    `  pattern: ${pattern ?? "none of the known ones"}`,
    ...windows,
    ...suggestions.map(({ action, tool, query }) =>
      `  may be next: ${tool}, query ${quoted(query)}: ${quoted(action)}`
    ),
  ];
}

/** Names of applications for a line of data, the connected ones first. */
export function namesOf(apps: readonly RunningApp[]): string {
  const named = apps.slice(0, 2 * MOST).map((one) =>
    `${quoted(one.name)}${one.connected ? " (connected)" : ""}`
  );
  return named.join(", ") + (apps.length > 2 * MOST ? ` and ${apps.length - 2 * MOST} more` : "");
}

/** Text of an application as one line in quotes. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return JSON.stringify(line.length > LONG ? `${line.slice(0, LONG - 1)}…` : line);
}
