import { destinationsOf, regionsOf, type Scene } from "../../intelligence/mod.ts";
import type { McpCall } from "../server/call.ts";
import type { Prompt } from "../server/prompt.ts";
import { appNamed, type RunningApp, runningApps } from "./running-apps.ts";
import { sceneOf } from "./view.ts";

/** Values that are looked for; the wire hands on a hundred. */
const MOST = 200;
/** Characters of a name that somebody would choose. */
const LONG = 80;

/** Where the values of an argument come from: fixed ones, or what runs and what it shows. */
export type Source =
  | readonly string[]
  | "apps"
  | "app list"
  | "regions"
  | "destinations"
  | "elements"
  /** Elements of the application that this argument names. */
  | { readonly elementsOf: string };

type Complete = NonNullable<Prompt["complete"]>;

/** What builds the messages of a prompt, and completes its arguments. */
export interface Guide {
  readonly get: Prompt["get"];
  readonly complete: Complete;
}

/** Completes the arguments of a prompt, each from its source; what has been typed may stand anywhere, at the front first. */
export function completing(sources: { readonly [argument: string]: Source }): Complete {
  return async (argument, value, filled, call) => {
    const source = sources[argument];
    if (source === undefined) return [];
    if (source === "app list") return await lists(value, call);
    const values = await valuesOf(source, filled, call);
    return fitting(values, value).slice(0, MOST);
  };
}

/** Those that hold what was typed, whatever the case; those that begin with it first. */
function fitting(values: readonly string[], typed: string): string[] {
  const wanted = typed.trim().toLowerCase();
  const holds = [...new Set(values)].filter((one) => one.toLowerCase().includes(wanted));
  const begins = (one: string) => one.toLowerCase().startsWith(wanted);
  return [...holds.filter(begins), ...holds.filter((one) => !begins(one))];
}

async function valuesOf(
  source: Exclude<Source, "app list">,
  filled: { readonly [name: string]: string },
  call: McpCall,
): Promise<readonly string[]> {
  if (typeof source === "object" && !("elementsOf" in source)) return source;
  const apps = await runningApps(call);
  if (source === "apps") return apps.map((one) => one.name);
  const name = filled[typeof source === "object" ? source.elementsOf : "app_name"];
  const app = meant(name, apps, call);
  const scene = app && await sceneOf(app, call);
  if (scene === undefined) return [];
  if (source === "regions") return regionsOf(scene).map((one) => one.name);
  return source === "destinations" ? destinationsOf(scene) : elementsOf(scene);
}

/** The application that is filled in; else the only one that is connected, or that runs. */
function meant(name: string | undefined, apps: readonly RunningApp[], call: McpCall): RunningApp | undefined {
  if (name !== undefined && name.trim() !== "") return appNamed(name, apps, call);
  const connected = apps.filter((one) => one.connected);
  const few = connected.length > 0 ? connected : apps;
  return few.length === 1 ? few[0] : undefined;
}

/** A list is completed at its last item, with those left out that stand before it. */
async function lists(value: string, call: McpCall): Promise<string[]> {
  const items = value.split(",");
  const before = items.slice(0, -1).map((item) => item.trim()).filter((item) => item !== "");
  const names = (await runningApps(call)).map((one) => one.name);
  const left = names.filter((name) => !before.some((item) => item.toLowerCase() === name.toLowerCase()));
  return fitting(left, items.at(-1) ?? "").map((name) => [...before, name].join(", ")).slice(0, MOST);
}

/** Names of what can be used or read in the window in front. */
function elementsOf(scene: Scene): string[] {
  const used = scene.of(
    "button",
    "toggle",
    "combo",
    "field",
    "area",
    "password",
    "number",
    "tab",
    "link",
    "table",
    "list",
  );
  const shown = scene.of("item", "header", "menu", "heading", "label", "icon");
  const names = [...used, ...shown].map((row) => scene.label(row).replace(/\s+/g, " "));
  return [...new Set(names)].filter((name) => name !== "" && name.length <= LONG).slice(0, MOST);
}
