import { buildSnapshot, type NodeDescription } from "../desktop/build.ts";
import type { Application, Rect } from "../desktop/desktop.ts";
import type { RoleName } from "../desktop/roles.ts";
import type { StateName } from "../desktop/states.ts";
import { read, type Scene } from "./scene.ts";

const application = (toolkit: string, toolkitVersion: string): Application => ({
  bus: ":1.5",
  name: "app",
  pid: 42,
  toolkit,
  toolkitVersion,
});
export const GTK3 = application("gtk", "3.24.38");
export const GTK4 = application("GTK", "4.8.3");
export const CHROMIUM = application("Chromium", "1");

/** An element with a name, states and what it holds. */
export function node(
  role: RoleName,
  name = "",
  more: Partial<NodeDescription> = {},
): NodeDescription {
  return { role, name, ...more };
}

export const button = (name: string, ...also: readonly StateName[]) => node("pushButton", name, { also });
export const label = (name: string) => node("label", name, { text: name });
export const field = (name: string, more: Partial<NodeDescription> = {}) =>
  node("entry", name, { text: "", also: ["editable", "singleLine"], ...more });
export const check = (name: string) => node("checkBox", name, { also: ["checkable"] });
export const combo = (name: string) => node("comboBox", name);
export const password = (name: string) => node("passwordText", name, { also: ["editable"] });
export const area = (rect?: Rect, name = "") =>
  node("text", name, { text: "", also: ["editable", "multiLine"], ...(rect ? { rect } : {}) });
export const header = (name: string) => node("tableColumnHeader", name);
export const cell = (name: string) => node("tableCell", name);

const WINDOW = { x: 0, y: 0, width: 800, height: 600 };

/** The scene of an application with one window. */
export function windowOf(title: string, ...children: readonly NodeDescription[]): Scene {
  return appOf(GTK3, node("frame", title, { also: ["active"], rect: WINDOW, children }));
}

/** The same with a dialog before its window. */
export function dialogOf(
  role: "dialog" | "alert",
  title: string,
  ...children: readonly NodeDescription[]
): Scene {
  const main = node("frame", "Main", { rect: WINDOW, children: [area(WINDOW), button("Other")] });
  return appOf(GTK3, main, node(role, title, { also: ["modal"], rect: WINDOW, children }));
}

/** A web page in a browser. */
export function pageOf(title: string, ...children: readonly NodeDescription[]): Scene {
  const toolbar = node("toolBar", "", {
    children: [button("Back"), field("Address and search bar", { text: "x.org" })],
  });
  const tabs = node("pageTabList", "", { children: [node("pageTab", title)] });
  const page = node("documentWeb", title, { rect: { ...WINDOW, y: 80, height: 520 }, children });
  return appOf(
    CHROMIUM,
    node("frame", title, { also: ["active"], rect: WINDOW, children: [toolbar, tabs, page] }),
  );
}

/** The scene of an application with these windows. */
export function appOf(of: Application, ...children: readonly NodeDescription[]): Scene {
  return read(buildSnapshot({ role: "application", name: "app", states: [], children }, of));
}
