import assert from "node:assert/strict";
import { Driver, has } from "./_driver.ts";
import type { Fault } from "./faults.ts";
import { simulate } from "./simulate.ts";
import type { SimulatedDesktop } from "./simulated-desktop.ts";

function settings(...faults: Fault[]) {
  const desktop = simulate({ applications: ["sim.settings"], faults, clock: "virtual" });
  return { desktop, driver: new Driver(desktop) };
}

/** What the world really holds, and not the tree. */
function truth(desktop: SimulatedDesktop, key: string): string {
  return JSON.stringify(desktop.world()).match(new RegExp(`"${key}":(\\{[^}]*\\})`))?.[1] ?? "";
}

const set = (text: string) => ({ do: "setText", text }) as const;
const last = (desktop: SimulatedDesktop) => desktop.log.entries.at(-1);

Deno.test("late: an element is in the tree after so many reads, and an event says so", async () => {
  const { desktop, driver } = settings({ fault: "late", element: "name", reads: 2 });
  const watch = desktop.watch();
  assert.equal(await driver.look("entry", "Name"), undefined);
  assert.equal(await driver.look("entry", "Name"), undefined);
  assert.equal(await watch.next({ timeout: 1 }), "event");
  assert.ok(watch.take().some((event) => event.kind === "object:children-changed:add"));
  assert.ok(await driver.look("entry", "Name"));
});

Deno.test("late: an element of a dialog that opens later is late by time", async () => {
  const desktop = simulate({ applications: ["sim.editor"], clock: "virtual" });
  desktop.inject({ fault: "late", element: "save-name", ms: 300 });
  const driver = new Driver(desktop);
  await desktop.pressKeys(["ctrl", "s"]);
  assert.equal(await driver.look("entry", "Name"), undefined);
  const watch = desktop.watch();
  assert.equal(await watch.next({ timeout: 1_000 }), "event");
  assert.ok(await driver.look("entry", "Name"));
});

Deno.test("recycle: a path comes to mean something else, and acting on it is stale with both shown", async () => {
  const { desktop, driver } = settings();
  const name = await driver.find("entry", "Name");
  desktop.inject({ fault: "recycle", element: "name", as: { name: "Delete everything" } });
  await assert.rejects(desktop.act(name, set("x")), (error: unknown) => {
    assert.ok(error instanceof Error && "code" in error && "details" in error);
    assert.equal(error.code, "stale");
    assert.deepEqual(error.details, {
      expected: { role: 79, name: "Name", id: "name" },
      found: { role: 79, name: "Delete everything", id: "name" },
      path: name.path,
      outcome: "not_sent",
    });
    return true;
  });
  assert.match(truth(desktop, "name"), /"text":"Ada"/);
});

Deno.test("replace: an element goes, and as many as said stand in its place under paths of their own", async () => {
  const { desktop, driver } = settings();
  const check = await driver.find("checkBox", "Notify me");
  const when = { call: "act" } as const;
  desktop.inject({ fault: "replace", element: "notify", when });
  await assert.rejects(desktop.act(check, { do: "action", name: "" }), { code: "stale" });
  const made = await driver.find("checkBox", "Notify me");
  assert.notEqual(made.path, check.path);
  desktop.inject({ fault: "replace", element: "notify", by: 2, when });
  await assert.rejects(desktop.act(made, { do: "action", name: "" }), { code: "stale" });
  assert.match(truth(desktop, "notify 2"), /"checked"/);
  desktop.inject({ fault: "replace", element: "notify", by: 0, when });
  await assert.rejects(desktop.act(made, { do: "action", name: "" }), { code: "stale" });
  assert.notEqual(await driver.look("checkBox", "Notify me"), undefined, "the second of the two");
});

Deno.test("reissue: an element that goes leaves its path to another one", async () => {
  const { desktop, driver } = settings();
  const check = await driver.find("checkBox", "Notify me");
  desktop.inject({ fault: "reissue", element: "notify", to: "sound", when: { call: "act" } });
  await assert.rejects(desktop.act(check, { do: "action", name: "" }), { code: "stale" });
  assert.equal((await driver.find("checkBox", "Play sounds")).path, check.path);
  assert.equal(await driver.look("checkBox", "Notify me"), undefined);
});

Deno.test("no effect: the action is accepted, the world stays, the log tells", async () => {
  const { desktop, driver } = settings({ fault: "no_effect", when: { element: "name" } });
  await driver.act("entry", "Name", set("Grace"));
  assert.equal(last(desktop)?.reported, "ok");
  assert.deepEqual(last(desktop)?.changes, []);
  assert.equal((await driver.read("entry", "Name")).text, "Ada");
  await driver.act("entry", "Name", set("Grace"));
  assert.equal((await driver.read("entry", "Name")).text, "Grace", "only the first is struck");
});

Deno.test("no effect: keys and clicks can be without effect too", async () => {
  const { desktop, driver } = settings(
    { fault: "no_effect", when: { call: "typeText" } },
    { fault: "no_effect", when: { call: "pointer", element: "sound" } },
  );
  await desktop.typeText("x");
  await driver.click("checkBox", "Play sounds");
  assert.deepEqual(desktop.log.entries.slice(-2).flatMap((entry) => entry.changes), []);
});

Deno.test("partial: only the first characters arrive", async () => {
  const { desktop, driver } = settings({ fault: "partial", characters: 3, when: { times: 2 } });
  await driver.act("entry", "Name", set("Lovelace"));
  assert.equal((await driver.read("entry", "Name")).text, "Lov");
  await driver.act("entry", "E-mail", { do: "focus" });
  await desktop.typeText("abcdef");
  assert.equal((await driver.read("entry", "E-mail")).text, "abcdef", "focus was the second");
});

Deno.test("lie: the read answers what was wanted while the world differs", async () => {
  const { desktop, driver } = settings({
    fault: "lie",
    answer: "wanted",
    reads: 2,
    when: { action: "setText" },
  });
  await driver.act("entry", "Name", set("Grace"));
  assert.equal((await driver.read("entry", "Name")).text, "Grace");
  assert.match(truth(desktop, "name"), /"text":"Ada"/);
  assert.equal((await driver.read("entry", "Name")).text, "Ada", "the tree and two reads were lied to");
});

Deno.test("lie: the tree of a check box and of a list lies as well", async () => {
  const { desktop, driver } = settings({ fault: "lie", answer: "wanted", when: { times: 2 } });
  await driver.press("Play sounds", "checkBox");
  await driver.act("comboBox", "Language", { do: "select", child: 3 });
  assert.ok(has(await driver.read("checkBox", "Play sounds"), "checked"));
  assert.deepEqual((await driver.read("comboBox", "Language")).selectedChildren, [3]);
  assert.match(truth(desktop, "sound"), /"checked":false/);
  assert.match(truth(desktop, "language"), /"chosen":\[0\]/);
});

Deno.test("lie: the read answers the old value although the action landed", async () => {
  const { desktop, driver } = settings({ fault: "lie", answer: "old" });
  await driver.act("entry", "Name", set("Grace"));
  assert.equal((await driver.read("entry", "Name")).text, "Ada");
  assert.match(truth(desktop, "name"), /"text":"Grace"/);
});

Deno.test("lie: what was typed is read back and was never there", async () => {
  const { desktop, driver } = settings({ fault: "lie", answer: "wanted", when: { call: "typeText" } });
  await driver.act("entry", "Name", { do: "focus" });
  await desktop.pressKeys(["End"]);
  await desktop.typeText("!");
  assert.equal((await driver.read("entry", "Name")).text, "Ada!");
  assert.match(truth(desktop, "name"), /"Ada"/);
});

Deno.test("a fault whose element is not there is written to the log", async () => {
  const { desktop } = settings({
    fault: "interfere",
    element: "nmae",
    set: { text: "x" },
    app: "sim.settings",
  });
  await new Driver(desktop).tree();
  assert.ok(desktop.log.entries.some((entry) => entry.did === "fault missed" && entry.element === "nmae"));
});

for (const landed of [true, false]) {
  Deno.test(`timeout: told unknown, and the action ${landed ? "landed" : "did not land"}`, async () => {
    const { desktop, driver } = settings({ fault: "timeout", landed, when: { call: "act" } });
    await assert.rejects(driver.act("entry", "Name", set("Grace")), (error: unknown) => {
      assert.ok(error instanceof Error && "code" in error && "details" in error);
      assert.equal(error.code, "timeout");
      assert.deepEqual(error.details, { outcome: "unknown", timeout: 1_000 });
      return true;
    });
    assert.match(truth(desktop, "name"), landed ? /Grace/ : /Ada/);
    assert.equal(last(desktop)?.reported, "timeout");
    assert.equal((last(desktop)?.changes.length ?? 0) > 0, landed);
  });
}

Deno.test("delay: the action is accepted and happens some calls later", async () => {
  const { desktop, driver } = settings({ fault: "delay", calls: 3 });
  const name = await driver.find("entry", "Name");
  await desktop.act(name, set("Grace"));
  assert.equal((await desktop.read(name)).text, "Ada");
  assert.equal((await desktop.read(name)).text, "Ada");
  assert.equal((await desktop.read(name)).text, "Grace");
  assert.equal(desktop.log.entries.filter((entry) => entry.did === "late act").length, 1);
});

Deno.test("delay: a watcher wakes for what happens later", async () => {
  const { desktop, driver } = settings({ fault: "delay", ms: 250 });
  const name = await driver.find("entry", "Name");
  const watch = desktop.watch();
  await desktop.act(name, set("Grace"));
  assert.equal(await watch.next({ timeout: 100 }), "timeout");
  assert.equal(await watch.next({ timeout: 1_000 }), "event");
  assert.equal((await desktop.read(name)).text, "Grace");
});

Deno.test("slow: a call that gives up first times out, and lands all the same", async () => {
  const { desktop, driver } = settings({ fault: "slow", ms: 500, when: { call: "act", times: 2 } });
  const name = await driver.find("entry", "Name");
  await desktop.act(name, set("One"), { timeout: 600 });
  await assert.rejects(desktop.act(name, set("Two"), { timeout: 100 }), { code: "timeout" });
  assert.equal((await desktop.read(name)).text, "One");
  desktop.advance(500);
  assert.equal((await desktop.read(name)).text, "Two");
});

Deno.test("refuse and fail: the caller is told the code, and nothing changes", async () => {
  const { desktop, driver } = settings(
    { fault: "refuse", when: { element: "name" } },
    { fault: "fail", code: "unsupported", when: { call: "read" } },
  );
  const name = await driver.find("entry", "Name");
  await assert.rejects(desktop.act(name, set("x")), { code: "refused" });
  await assert.rejects(desktop.read(name), { code: "unsupported" });
  assert.equal((await desktop.read(name)).text, "Ada");
  assert.equal(last(desktop)?.reported, "refused");
});

Deno.test("hang: every call to the application waits for its deadline, others go on", async () => {
  const { desktop, driver } = settings();
  const name = await driver.find("entry", "Name");
  desktop.launch("sim.calculator");
  desktop.inject({ fault: "hang", app: "sim.settings" });
  await assert.rejects(desktop.act(name, set("x"), { timeout: 300 }), { code: "timeout" });
  await assert.rejects(desktop.read(name, { timeout: 50 }), { code: "timeout" });
  assert.match(truth(desktop, "name"), /Ada/);
  assert.ok(await driver.look("label", "0"), "the calculator answers");
  assert.equal((await desktop.applications()).length, 2);
});

Deno.test("hang: what was sent meanwhile happens when the application recovers", async () => {
  const { desktop, driver } = settings();
  const name = await driver.find("entry", "Name");
  desktop.inject({ fault: "hang", ms: 1_000, when: { call: "act" } });
  await assert.rejects(desktop.act(name, set("late"), { timeout: 100 }), { code: "timeout" });
  assert.match(truth(desktop, "name"), /Ada/);
  await desktop.act(name, { do: "caret", at: 1 }, { timeout: 5_000 });
  assert.match(truth(desktop, "name"), /late/);
});

Deno.test("hang: keys and clicks are kept for a hung application, and its window can be moved", async () => {
  const { desktop, driver } = settings();
  await driver.act("entry", "Name", { do: "focus" });
  desktop.inject({ fault: "hang", ms: 1_000, when: { call: "typeText" } });
  await desktop.typeText("Hi ");
  const [window] = await desktop.windows();
  assert.ok(window);
  await desktop.window(window.id, { do: "place", x: 7 });
  assert.equal((await desktop.windows())[0]?.rect.x, 7);
  assert.match(truth(desktop, "name"), /"Ada"/);
  desktop.advance(1_000);
  assert.match(truth(desktop, "name"), /"Hi Ada"/);
});

Deno.test("hang: what was sent to an application that forgets never happens", async () => {
  const { desktop, driver } = settings();
  const name = await driver.find("entry", "Name");
  desktop.inject({ fault: "hang", ms: 500, forgets: true, when: { call: "act" } });
  await assert.rejects(desktop.act(name, set("late"), { timeout: 100 }), { code: "timeout" });
  desktop.advance(1_000);
  assert.equal((await desktop.read(name)).text, "Ada");
});

Deno.test("hang: in real time a waiting call ends at its deadline, or when it is abandoned", async () => {
  const desktop = simulate({ applications: ["sim.settings"] });
  const driver = new Driver(desktop);
  const name = await driver.find("entry", "Name");
  desktop.inject({ fault: "hang" });
  const began = performance.now();
  await assert.rejects(desktop.read(name, { timeout: 40 }), { code: "timeout" });
  assert.ok(performance.now() - began >= 35);
  const abort = new AbortController();
  const waiting = desktop.read(name, { timeout: 60_000, signal: abort.signal });
  abort.abort();
  await assert.rejects(waiting, { code: "cancelled" });
  const last = desktop.read(name, { timeout: 60_000 });
  await desktop.close();
  await assert.rejects(last, { code: "no_desktop" });
  await assert.rejects(desktop.read(name), { code: "no_desktop" });
});

for (const landed of [true, false]) {
  Deno.test(`die: the application goes with the call, ${landed ? "after" : "before"} it landed`, async () => {
    const { desktop, driver } = settings({ fault: "die", landed, when: { call: "act", at: 2 } });
    const name = await driver.find("entry", "Name");
    await desktop.act(name, set("One"));
    await assert.rejects(desktop.act(name, set("Two")), { code: "app_gone" });
    assert.deepEqual(await desktop.applications(), []);
    assert.deepEqual(await desktop.windows(), []);
    await assert.rejects(desktop.read(name), { code: "app_gone" });
    const texts = desktop.log.changes().filter((change) => change.what === "text").map((one) => one.after);
    assert.deepEqual(texts, landed ? ["One", "Two"] : ["One"]);
  });
}

Deno.test("interfere: a person changes a value between two calls, and the log names them", async () => {
  const { desktop, driver } = settings(
    { fault: "interfere", element: "name", set: { text: "Mine" }, when: { call: "read", at: 2 } },
  );
  const name = await driver.find("entry", "Name");
  assert.equal((await desktop.read(name)).text, "Ada");
  assert.equal((await desktop.read(name)).text, "Mine");
  assert.deepEqual(
    desktop.log.entries.filter((entry) => entry.by === "person").map((entry) => entry.element),
    [
      "name",
    ],
  );
});

Deno.test("changing: a clock and a busy bar go on by themselves", async () => {
  const { desktop, driver } = settings(
    { fault: "changing", element: "clock", every: { ms: 1_000 } },
    { fault: "changing", element: "busy", every: { calls: 2 }, changes: 2 },
  );
  desktop.advance(2_500);
  assert.ok(await driver.look("label", "12:00:02"));
  for (let i = 0; i < 9; i++) await desktop.windows();
  assert.equal((await driver.read("progressBar", "Busy")).value?.current, 2);
  const watch = desktop.watch();
  assert.equal(await watch.next({ timeout: 5_000 }), "event");
  assert.equal(watch.take().at(0)?.text, "12:00:03");
});

Deno.test("drop events: silently, or told as lost", async () => {
  const { desktop, driver } = settings();
  const watch = desktop.watch();
  const name = await driver.find("entry", "Name");
  const stop = desktop.inject({ fault: "drop_events", kind: "object:text-changed" });
  await desktop.act(name, set("x"));
  assert.deepEqual(watch.take().filter((event) => event.kind.startsWith("object:text-changed")), []);
  stop();
  await desktop.act(name, set("y"));
  assert.equal(watch.take().filter((event) => event.kind.startsWith("object:text-changed")).length, 2);
  desktop.inject({ fault: "drop_events", announced: true, times: 1 });
  await desktop.act(name, set("z"));
  assert.equal(await watch.next({ timeout: 1 }), "lost");
});

Deno.test("the same seed and the same calls write the same log, another seed another one", async () => {
  async function history(seed: number) {
    const desktop = simulate({
      applications: ["sim.settings"],
      seed,
      faults: [
        { fault: "no_effect", when: { call: "act", times: "always", chance: 0.5 } },
        { fault: "drop_events", fraction: 0.5 },
      ],
    });
    const watch = desktop.watch();
    const name = await new Driver(desktop).find("entry", "Name");
    for (let i = 0; i < 30; i++) await desktop.act(name, set(`${i}`));
    return JSON.stringify([desktop.log.entries, desktop.world(), watch.take()]);
  }
  assert.equal(await history(7), await history(7));
  assert.notEqual(await history(7), await history(8));
});
