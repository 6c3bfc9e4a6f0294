import assert from "node:assert/strict";
import type { Application } from "../desktop.ts";
import { ListedApplications } from "./listed-applications.ts";

const ROOT = "/org/a11y/atspi/accessible/root";
const application = (bus: string): Application => ({
  bus,
  name: "Editor",
  pid: 7,
  toolkit: "gtk",
  toolkitVersion: "3.24",
});
const listed = (...applications: Application[]) => {
  const list = new ListedApplications();
  list.keep(applications, list.begin());
  return list;
};

Deno.test("a list stands while none comes, goes or is renamed, whatever they report of themselves", () => {
  const list = listed(application(":1.3"));
  list.reported(":1.3", "/org/a11y/atspi/accessible/17", "object:children-changed:add");
  assert.equal(list.recent()?.length, 1);
  // The registry is no application, and tells of those that come and go.
  list.reported(":1.1", ROOT, "object:children-changed:add");
  assert.equal(list.recent(), undefined);
});

Deno.test("one that is called otherwise, or is in no list, ends it", () => {
  const renamed = listed(application(":1.3"));
  renamed.reported(":1.3", ROOT, "object:property-change:accessible-name");
  assert.equal(renamed.recent(), undefined);
  const another = listed(application(":1.3"));
  another.reported(":1.9", "/org/a11y/atspi/accessible/1", "window:activate");
  assert.equal(another.recent(), undefined);
});

Deno.test("a list during which one came is not kept, and none is for longer than a second", () => {
  const list = new ListedApplications();
  const begun = list.begin();
  list.reported(":1.1", ROOT, "object:children-changed:add");
  list.keep([application(":1.3")], begun);
  assert.equal(list.recent(), undefined);
  list.keep([application(":1.3")], list.begin());
  const { now } = performance;
  const at = performance.now();
  try {
    performance.now = () => at + 900;
    assert.equal(list.recent()?.length, 1);
    performance.now = () => at + 1_100;
    assert.equal(list.recent(), undefined);
  } finally {
    performance.now = now;
  }
});

Deno.test("a list with one that does not answer stands for a moment only", () => {
  const list = listed({ ...application(":1.3"), silent: true });
  const { now } = performance;
  const at = performance.now();
  try {
    performance.now = () => at + 200;
    assert.equal(list.recent(), undefined);
  } finally {
    performance.now = now;
  }
});
