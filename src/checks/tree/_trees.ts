import { buildSnapshot, type NodeDescription } from "../../desktop/build.ts";
import type { Application } from "../../desktop/desktop.ts";
import { type Tree, treeOf, type TreeOptions } from "./node.ts";

const APPLICATION: Application = {
  bus: ":1.5",
  name: "editor",
  pid: 42,
  toolkit: "gtk",
  toolkitVersion: "3.24",
};

/** A tree as the notation sees it, from a description by hand; for tests. */
export function tree(
  description: NodeDescription,
  options: TreeOptions & { readonly toolkitVersion?: string } = {},
): Tree {
  const { toolkitVersion = "3.24", ...rest } = options;
  return treeOf(buildSnapshot(description, { ...APPLICATION, toolkitVersion }), rest);
}

/** A dialog with most of what a tree can have. */
export const DIALOG: NodeDescription = {
  role: "dialog",
  name: "Save as…",
  children: [
    {
      role: "filler",
      children: [
        { role: "entry", name: "Name", text: "Draft: one #1", also: ["editable"] },
        { role: "passwordText", name: "Key", text: "hunter2" },
        { role: "checkBox", name: "Keep: a copy", also: ["checked"] },
        { role: "slider", name: "Quality", value: { current: 80, minimum: 0, maximum: 100, step: 1 } },
        { role: "label", name: "", text: "Two\n  lines" },
        { role: "scrollBar", value: { current: 12, minimum: 0, maximum: 100, step: 1 } },
        { role: "label", name: "Not to be seen", without: ["visible", "showing"] },
      ],
    },
    { role: "heading", name: "More", attributes: { level: "2" } },
    {
      role: "list",
      name: "Places",
      children: [
        { role: "listItem", name: "Home", also: ["selected"], children: [{ role: "label", name: "Home" }] },
        { role: "listItem", name: "Desktop" },
      ],
    },
    { role: "pushButton", name: "Cancel", also: ["focused"] },
    { role: "pushButton", name: "Save", without: ["enabled", "sensitive"] },
  ],
};
