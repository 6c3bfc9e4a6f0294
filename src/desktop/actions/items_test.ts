import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "../build.ts";
import { shownName } from "./items.ts";

const app = (toolkit: string, toolkitVersion: string) => ({
  bus: ":1.1",
  name: "a",
  pid: 1,
  toolkit,
  toolkitVersion,
});
const shows = (box: NodeDescription, of: ReturnType<typeof app>) => shownName(buildSnapshot(box, of), 0);

Deno.test("a GTK 4 drop-down shows what its button says, and a label of its own is no part of that", () => {
  const button: NodeDescription = {
    role: "toggleButton",
    name: "GtkToggleButton",
    children: [{ role: "label", text: "(None)" }, { role: "label", text: "Ada" }],
  };
  for (const name of ["GtkDropDown", "Language"]) {
    assert.equal(shows({ role: "comboBox", name, children: [button] }, app("GTK", "4.8.3")), "Ada", name);
  }
});

Deno.test("a combo box of Qt shows its name", () => {
  assert.equal(shows({ role: "comboBox", name: "Ada" }, app("Qt", "5.15.8")), "Ada");
});
