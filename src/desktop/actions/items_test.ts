import assert from "node:assert/strict";
import { buildSnapshot, type NodeDescription } from "../build.ts";
import { itemName, itemRows, noSuchItem, shownName } from "./items.ts";

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

Deno.test("a combo row of libadwaita shows the one item of its list, which is none of those to choose from", () => {
  const item = (name: string): NodeDescription => ({
    role: "listItem",
    children: [{ role: "label", name }],
  });
  const popover: NodeDescription = {
    role: "filler",
    name: "GtkPopover",
    children: [{
      role: "filler",
      name: "GtkPopoverContent",
      children: [{ role: "list", name: "GtkListView", children: [item("Never"), item("Daily")] }],
    }],
  };
  const shown: NodeDescription = { role: "list", name: "GtkListView", children: [item("Daily")] };
  for (const open of [false, true]) {
    const children = [{ role: "label" as const, name: "Interval" }, shown, ...(open ? [popover] : [])];
    const row = buildSnapshot({ role: "comboBox", name: "Interval", children }, app("GTK", "4.8.3"));
    assert.equal(shownName(row, 0), "Daily");
    assert.deepEqual(itemRows(row, 0).map((at) => itemName(row, at)), open ? ["Never", "Daily"] : []);
  }
});

Deno.test("a combo box of Qt shows its name", () => {
  assert.equal(shows({ role: "comboBox", name: "Ada" }, app("Qt", "5.15.8")), "Ada");
});

for (
  const [names, hint] of [
    [["One", "Two", "One"], 'There are "One", "Two".'],
    [["Only\nthis"], 'There is "Only\\nthis".'],
    [["1", "2", "3", "4", "5", "6", "7", "8"], 'There are "1", "2", "3", "4", "5", "6" and 2 more.'],
    [["Twelve", "Two"], 'Did you mean "Twelve"?'],
  ] as const
) {
  Deno.test(`an item that is not there, of ${names.length}: ${hint}`, () => {
    const error = noSuchItem("a list", names.length === 2 ? "Twelv" : "Zürich", names, 0);
    assert.deepEqual([error.code, error.hint], ["not_found", hint]);
  });
}
