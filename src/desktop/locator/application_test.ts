import assert from "node:assert/strict";
import { BackstepError } from "../../base/error.ts";
import type { Application } from "../element.ts";
import { findApplication, pick, waitForApplication } from "./application.ts";
import { FakeDesktop } from "./_desktop.ts";

function app(name: string, pid: number, id?: string): Application {
  return { bus: `:1.${pid}`, name, pid, toolkit: "gtk", toolkitVersion: "3.24", ...(id ? { id } : {}) };
}
const running = [
  app("gedit", 10, "org.gnome.gedit"),
  app("gnome-calculator", 11),
  app("Files", 12, "org.gnome.Nautilus"),
  app("files", 13),
  app("Twin", 14),
  app("Twin", 15),
];

for (
  const [query, pid] of [
    ["org.gnome.gedit", 10],
    ["org.gnome.gedit.desktop", 10],
    ["org.gnome.Calculator", 11],
    ["GEDIT", 10],
    ["files", 13],
    ["Files", 12],
    ["12", 12],
    [":1.13", 13],
    ["15", 15],
  ] as const
) {
  Deno.test(`the application ${query} is the one with the process id ${pid}`, () => {
    assert.equal(pick(query, running).pid, pid);
  });
}

Deno.test("a name that fits several applications is an error that lists them", () => {
  assert.throws(
    () => pick("twin", running),
    (e) => e instanceof BackstepError && e.code === "ambiguous" && /Twin \(14\), Twin \(15\)/.test(e.message),
  );
});

Deno.test("a name that fits none is an error with those that run and the nearest", () => {
  assert.throws(
    () => pick("gedti", running),
    (e) =>
      e instanceof BackstepError && e.code === "app_not_running" &&
      /running are gedit \(10\)/.test(e.message) &&
      e.hint === 'Did you mean "gedit"?',
  );
  assert.throws(() => pick("x", []), /none is running/);
});

Deno.test("an application that starts later is waited for, and one that does not is named", async () => {
  const desktop = new FakeDesktop(app("gedit", 10), { role: "application" });
  desktop.after = (count) => {
    if (count === 2) {
      desktop.apps.push(app("Late", 20));
      desktop.become(desktop.tree);
    }
  };
  await assert.rejects(findApplication(desktop, "Never"), /Cannot find the application "Never"/);
  assert.equal((await waitForApplication(desktop, "Late", { timeout: 900 })).pid, 20);
  await assert.rejects(
    waitForApplication(desktop, "Never", { timeout: 30 }),
    (e) => e instanceof BackstepError && e.code === "app_not_running",
  );
  assert.equal(desktop.watches.size, 0);
});

Deno.test("a name that fits none where one does not answer is an error that says so", () => {
  const silent = { ...app("", 16), toolkit: "", toolkitVersion: "", silent: true };
  assert.throws(
    () => pick("notes", [...running.slice(0, 1), silent]),
    (e) =>
      e instanceof BackstepError && e.code === "app_not_running" &&
      /running are gedit \(10\), process 16, which does not answer/.test(e.message) &&
      /may be the one that does not answer/.test(e.hint ?? ""),
  );
});
