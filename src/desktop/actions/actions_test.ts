import assert from "node:assert/strict";
import { Deadline } from "../../base/call.ts";
import { BackstepError } from "../../base/error.ts";
import { instead } from "../_instead.ts";
import type { Desktop } from "../desktop.ts";
import type { ElementRef } from "../element.ts";
import { parseSelector } from "../selector/parse.ts";
import { match } from "../selector/match.ts";
import type { Fault } from "../simulated/faults.ts";
import { simulate } from "../simulated/simulate.ts";
import { type ApplicationDescription, describeApplication } from "../simulated/describe.ts";
import { choose, chooseItem, chooseNamed } from "./choose.ts";
import { doAction } from "./do-action.ts";
import { focus } from "./focus.ts";
import { isIn } from "./label.ts";
import { press } from "./press.ts";
import { scrollIntoView } from "./scroll-into-view.ts";
import { setChecked } from "./set-checked.ts";
import { setNumber } from "./set-number.ts";
import { setText } from "./set-text.ts";
import { typeText } from "./type-text.ts";

const soon = () => Deadline.after(4_000);

async function element(desktop: Desktop, selector: string): Promise<ElementRef> {
  const [application] = await desktop.applications();
  assert.ok(application);
  const snapshot = await desktop.snapshot(application);
  const rows = match(parseSelector(selector), snapshot);
  assert.equal(rows.length, 1, `${selector} matches ${rows.length}`);
  return snapshot.element(rows[0] ?? 0);
}

async function settings(selector: string, ...faults: Fault[]) {
  const desktop = simulate({ applications: ["sim.settings"], faults });
  return { desktop, target: await element(desktop, selector) };
}

async function codeOf(promise: Promise<unknown>): Promise<BackstepError> {
  try {
    await promise;
  } catch (thrown) {
    if (thrown instanceof BackstepError) return thrown;
    throw thrown;
  }
  throw new Error("it did not fail");
}

Deno.test("setText writes the whole text through EditableText and reads it back", async () => {
  const { desktop, target } = await settings('[name="Name"]');
  const done = await setText(desktop, target, "Ada Lovelace 𝄞", soon());
  assert.deepEqual(done, { method: "EditableText.SetTextContents", verified: true, tried: [] });
  assert.equal((await desktop.read(target)).text, "Ada Lovelace 𝄞");
  assert.equal((await setText(desktop, target, "Ada Lovelace 𝄞", soon())).method, "none");
});

Deno.test("setText that was accepted without effect goes on to keys and says so", async () => {
  const { desktop, target } = await settings('[name="Name"]', {
    fault: "no_effect",
    when: { action: "setText" },
  });
  const done = await setText(desktop, target, "Grace", soon());
  assert.equal(done.method, "simulated keys");
  assert.deepEqual(done.tried.map((t) => [t.method, t.code]), [[
    "EditableText.SetTextContents",
    "no_effect",
  ]]);
  assert.equal((await desktop.read(target)).text, "Grace");
});

Deno.test("setText that nothing can do is no_effect, with every attempt listed", async () => {
  const fault: Fault = { fault: "no_effect", when: { call: ["act", "typeText"], times: "always" } };
  const { desktop, target } = await settings('[name="Name"]', fault);
  const error = await codeOf(setText(desktop, target, "Grace", soon()));
  assert.equal(error.code, "no_effect");
  assert.match(error.message, /EditableText\.SetTextContents \(no_effect\), simulated keys/);
});

Deno.test("a write whose answer did not arrive is not repeated by another method", async () => {
  const fault: Fault = { fault: "timeout", landed: true, when: { action: "setText" } };
  const { desktop, target } = await settings('[name="Name"]', fault);
  const error = await codeOf(setText(desktop, target, "Grace", soon()));
  assert.equal(error.code, "timeout");
  assert.equal(error.details?.["outcome"], "unknown");
  assert.equal(desktop.log.entries.some((entry) => entry.did === "typeText"), false);
});

Deno.test("a text that was refused and stands there all the same is not typed", async () => {
  const fault: Fault = { fault: "refuse", landed: true, when: { action: "setText" } };
  const { desktop, target } = await settings('[name="Name"]', fault);
  const done = await setText(desktop, target, "Grace", soon());
  assert.deepEqual([done.method, done.verified], ["EditableText.SetTextContents", true]);
  assert.equal(desktop.log.entries.some((entry) => entry.did === "typeText"), false);
  assert.equal((await desktop.read(target)).text, "Grace");
});

Deno.test("the content of a password field is written and never read back", async () => {
  const { desktop, target } = await settings("passwordfield");
  const done = await setText(desktop, target, "hush", soon());
  assert.equal(done.verified, false);
  assert.match(JSON.stringify(desktop.world()), /hush/);
});

Deno.test("an element that became another one is stale, and left alone", async () => {
  const { desktop, target } = await settings('[name="Name"]', {
    fault: "recycle",
    element: "name",
    as: { name: "Other" },
    when: { call: "act" },
  });
  assert.equal((await codeOf(setText(desktop, target, "Grace", soon()))).code, "stale");
  assert.doesNotMatch(JSON.stringify(desktop.world()), /Grace/);
});

Deno.test("typeText adds to the end of a field that had not the focus", async () => {
  const { desktop, target } = await settings('[name="Name"]');
  const done = await typeText(desktop, target, " Byron", soon());
  assert.equal(done.method, "simulated keys");
  assert.equal((await desktop.read(target)).text, "Ada Byron");
});

Deno.test("typeText in the background leaves the focus where it is", async () => {
  const { desktop, target } = await settings('[name="E-mail"]');
  const done = await typeText(desktop, target, "a@b", soon(), { background: true });
  assert.equal(done.method, "EditableText.InsertText");
  assert.equal((await desktop.read(target)).text, "a@b");
  assert.equal(desktop.log.entries.some((entry) => entry.did === "typeText"), false);
});

Deno.test("typed text that does not arrive is no_effect", async () => {
  const { desktop, target } = await settings('[name="Name"]', {
    fault: "no_effect",
    when: { call: "typeText" },
  });
  assert.equal((await codeOf(typeText(desktop, target, "x", soon()))).code, "no_effect");
});

Deno.test("typed text that arrives otherwise is an error that says so, and not a word of it", async () => {
  const { desktop, target } = await settings('[name="Name"]', {
    fault: "partial",
    characters: 3,
    when: { call: "typeText" },
  });
  const error = await codeOf(typeText(desktop, target, " Byron", soon()));
  assert.equal(error.code, "no_effect");
  assert.match(error.message, /holds something else than what was typed/);
  assert.equal(error.details?.["outcome"], "unknown");
  assert.deepEqual(error.details?.["characters"], { typed: 6, before: 3, after: 6 });
  assert.doesNotMatch(JSON.stringify(error), /Byr/);
});

/** The desktop as it looks to whoever reads a field whose application shows `first` of it until so many milliseconds are over. */
function slowlyShown(desktop: Desktop, first: string, whole: string, ms: number): Desktop {
  const from = performance.now();
  const read: Desktop["read"] = async (element, call) => {
    const reading = await desktop.read(element, call);
    return reading.text === whole && performance.now() - from < ms ? { ...reading, text: first } : reading;
  };
  return instead(desktop, { read });
}

Deno.test("a text of which the beginning is there is waited for longer than one of which nothing is", async () => {
  const { desktop, target } = await settings('[name="Name"]');
  const slow = slowlyShown(desktop, "Ada By", "Ada Byron", 5_000);
  const done = await typeText(slow, target, " Byron", Deadline.after(20_000));
  assert.deepEqual([done.method, done.verified], ["simulated keys", true]);
});

Deno.test("setNumber keeps to the range and waits for an effect that comes late", async () => {
  const { desktop, target } = await settings("slider", {
    fault: "delay",
    ms: 300,
    when: { action: "setValue" },
  });
  assert.equal((await codeOf(setNumber(desktop, target, 1_000, soon()))).code, "invalid");
  assert.equal((await setNumber(desktop, target, 70, soon())).verified, true);
  assert.equal((await desktop.read(target)).value?.current, 70);
});

Deno.test("setChecked that its action does not move is clicked", async () => {
  const fault: Fault = { fault: "no_effect", when: { action: "action" } };
  const { desktop, target } = await settings('checkbox[name="Notify me"]', fault);
  const done = await setChecked(desktop, target, false, soon());
  assert.equal(done.method, "simulated click");
  assert.equal(done.tried[0]?.code, "no_effect");
  assert.equal((await setChecked(desktop, target, false, soon())).method, "none");
});

Deno.test("a toggle that lets go of itself is pressed once, whatever reading it says", async () => {
  const keys = () => {
    let pressed = 0;
    return describeApplication("test.keys", [{ kind: "toggle", key: "seven", name: "7" }], (application) => ({
      change(key) {
        if (!application.checked(key)) return;
        pressed++;
        application.setName(key, `7, ${pressed} times`);
        application.setName(key, "7");
        application.setChecked(key, false);
      },
      world: () => ({ pressed }),
    }));
  };
  const pressed = async (action: (desktop: Desktop, key: ElementRef) => Promise<void>) => {
    const desktop = simulate({ applications: [keys()] });
    await action(desktop, await element(desktop, 'toggle[name="7"]'));
    return JSON.stringify(desktop.world());
  };
  const world = await pressed(async (desktop, key) => {
    const done = await press(desktop, key, {}, soon());
    assert.deepEqual([done.method, done.verified], ["Action.DoAction(click)", false]);
  });
  assert.match(world, /"pressed":1/);
  const again = await pressed(async (desktop, key) => {
    const error = await codeOf(setChecked(desktop, key, true, soon()));
    assert.equal(error.code, "no_effect");
    assert.match(error.hint ?? "", /let go of itself/);
  });
  assert.match(again, /"pressed":1/);
});

Deno.test("a refused action is distinguished from one without effect", async () => {
  const { desktop, target } = await settings("switch", { fault: "refuse", when: { action: "action" } });
  const done = await setChecked(desktop, target, false, soon());
  assert.deepEqual([done.method, done.tried[0]?.code], ["simulated click", "refused"]);
});

Deno.test("a button whose action was refused and done is not pressed again: whether it was is not known", async () => {
  const { desktop, target } = await settings('button[name="Reset"]', {
    fault: "refuse",
    landed: true,
    when: { action: "action" },
  });
  const error = await codeOf(press(desktop, target, {}, soon()));
  assert.deepEqual([error.code, error.details?.["outcome"]], ["refused", "unknown"]);
  assert.match(error.hint ?? "", /Check whether it happened/);
  assert.equal(desktop.log.entries.some(({ did }) => did === "pointer"), false);
});

Deno.test("what was refused and done all the same is read, and not done again", async () => {
  const landed = (action: "action" | "select" | "setValue"): Fault => ({
    fault: "refuse",
    landed: true,
    when: { action },
  });
  const toggle = await settings("switch", landed("action"));
  const flipped = await setChecked(toggle.desktop, toggle.target, false, soon());
  assert.deepEqual([flipped.method, flipped.verified], ["Action.DoAction(toggle)", true]);
  const box = await settings("combobox", landed("select"));
  const chosen = await chooseNamed(box.desktop, box.target, "Français", soon());
  assert.deepEqual([chosen.method, chosen.verified], ["Selection.SelectChild", true]);
  const tab = await settings('tab[name="About"]', landed("select"));
  const shown = await chooseItem(tab.desktop, tab.target, soon());
  assert.deepEqual([shown.method, shown.verified], ["Selection.SelectChild", true]);
  const number = await settings("spinbutton", landed("setValue"));
  const set = await setNumber(number.desktop, number.target, 7, soon());
  assert.deepEqual([set.method, set.verified], ["Value.CurrentValue", true]);
  const pressed = [number, tab, box, toggle].flatMap(({ desktop }) => desktop.log.entries);
  assert.deepEqual(pressed.filter(({ did }) => did === "typeText" || did === "pointer"), []);
});

Deno.test("a radio button cannot be unchecked", async () => {
  const { desktop, target } = await settings('radio[name="Light"]');
  const error = await codeOf(setChecked(desktop, target, false, soon()));
  assert.equal(error.code, "unsupported");
  assert.match(error.hint ?? "", /another/);
});

Deno.test("chooseNamed chooses in a combo box and names what is near a misspelt item", async () => {
  const { desktop, target } = await settings("combobox");
  assert.equal((await chooseNamed(desktop, target, "Français", soon())).verified, true);
  assert.deepEqual((await desktop.read(target)).selectedChildren, [2]);
  const error = await codeOf(chooseNamed(desktop, target, "Francais", soon()));
  assert.equal(error.code, "not_found");
  assert.match(error.hint ?? "", /Français/);
});

Deno.test("choose puts a selection back by index", async () => {
  const { desktop, target } = await settings("combobox");
  const [application] = await desktop.applications();
  assert.ok(application);
  await chooseNamed(desktop, target, "日本語", soon());
  await choose(desktop, application, target, [0], soon());
  assert.deepEqual((await desktop.read(target)).selectedChildren, [0]);
});

Deno.test("chooseItem clicks a tab whose selection had no effect", async () => {
  const { desktop, target } = await settings('tab[name="About"]', {
    fault: "no_effect",
    when: { action: "select" },
  });
  const done = await chooseItem(desktop, target, soon());
  assert.equal(done.tried[0]?.method, "Selection.SelectChild");
  assert.match(done.method, /click/i);
});

Deno.test("press is accepted, not verified, for a button and refused for a disabled one", async () => {
  const { desktop, target } = await settings('button[name="Reset"]');
  assert.equal((await press(desktop, target, {}, soon())).verified, false);
  const apply = await element(desktop, 'button[name="Apply"]');
  assert.equal((await codeOf(press(desktop, apply, {}, soon()))).code, "not_actionable");
});

Deno.test("what a widget's context menu holds is not what a click does: GTK 4's labels would copy themselves", async () => {
  const { desktop, target } = await settings('button[name="Reset"]');
  const read = desktop.read.bind(desktop);
  desktop.read = async (element, call) => ({
    ...await read(element, call),
    actions: ["clipboard.copy", "menu.popup"],
  });
  assert.equal((await press(desktop, target, {}, soon())).method, "simulated click");
});

Deno.test("focus sees that it has it", async () => {
  const { desktop, target } = await settings('[name="E-mail"]', {
    fault: "no_effect",
    when: { action: "focus" },
  });
  const done = await focus(desktop, target, soon());
  assert.deepEqual([done.method, done.verified], ["simulated click", true]);
});

Deno.test("scrollIntoView turns the wheel where ScrollTo is refused", async () => {
  const { desktop, target } = await settings('tab[name="Advanced"]', {
    fault: "refuse",
    when: { action: "scrollTo", times: "always" },
  });
  await chooseItem(desktop, target, soon());
  const far = await element(desktop, 'checkbox[name="Option 24"]');
  const done = await scrollIntoView(desktop, far, soon());
  assert.deepEqual([done.method, done.tried[0]?.code], ["simulated wheel", "refused"]);
  assert.equal((await scrollIntoView(desktop, far, soon())).method, "none");
});

Deno.test("a click with Control adds a row to the selection, and with Shift extends it", async () => {
  const desktop = simulate({ applications: ["sim.list"] });
  const chosen = async () => (await desktop.read(await element(desktop, "[id=rows]"))).selectedChildren;
  const row = (name: string) => element(desktop, `[name="${name}"]`);
  await press(desktop, await row("Row 2"), {}, soon());
  const done = await press(desktop, await row("Row 4"), { modifiers: ["ctrl"] }, soon());
  assert.deepEqual([done.method, done.tried, await chosen()], ["simulated ctrl click", [], [1, 3]]);
  await press(desktop, await row("Row 2"), { modifiers: ["ctrl"] }, soon());
  assert.deepEqual(await chosen(), [3]);
  await press(desktop, await row("Row 7"), { modifiers: ["shift"] }, soon());
  assert.deepEqual(await chosen(), [3, 4, 5, 6]);
});

Deno.test("an action under way is not said to be unsent because a look for its window failed", async () => {
  const { desktop, target } = await settings('button[name="Reset"]');
  const { actions: [name = ""] } = await desktop.read(target);
  const act = desktop.act.bind(desktop);
  const windows = desktop.windows.bind(desktop);
  let answer = () => {};
  let looks = 0;
  desktop.act = async (element, action, call) => {
    await new Promise<void>((resolve) => answer = resolve);
    return await act(element, action, call);
  };
  desktop.windows = (call) => {
    if (++looks === 1) return windows(call);
    answer();
    const details = { outcome: "not_sent" };
    return Promise.reject(new BackstepError("timeout", "Cannot list the windows: no answer", { details }));
  };
  assert.equal(await doAction(desktop, target, name, soon()), `Action.DoAction(${name})`);
  assert.equal(looks, 2);
});

Deno.test("text that was accepted at the caret and does not show is not typed as well: it may come late", async () => {
  const { desktop, target } = await settings('[name="Name"]', {
    fault: "no_effect",
    when: { action: "insertText" },
  });
  const error = await codeOf(typeText(desktop, target, "Ada", soon(), { background: true }));
  assert.equal(error.code, "no_effect");
  assert.equal(desktop.log.entries.filter(({ did }) => did === "typeText").length, 0);
});

Deno.test("what is typed with Return has been taken when typing is over, although it is not read back", async () => {
  const { desktop, target } = await settings('[name="Name"]', {
    fault: "delay",
    ms: 150,
    when: { call: "typeText" },
  });
  const { verified } = await typeText(desktop, target, "x\n", soon());
  assert.equal(verified, false);
  assert.match((await desktop.read(target)).text ?? "", /x$/);
});

Deno.test("the first key of a text that stands there already is not the whole of it", async () => {
  const { desktop, target } = await settings('[name="Name"]', {
    fault: "partial",
    characters: 1,
    when: { call: "typeText" },
  });
  await setText(desktop, target, "aaa", soon());
  assert.equal((await codeOf(typeText(desktop, target, "aa", soon()))).code, "no_effect");
});

Deno.test("what a page opens after its browser has answered is open when the click is over", async () => {
  const application: ApplicationDescription = {
    ...describeApplication("test.page", [{ kind: "combo", key: "choice", options: ["a", "b"] }]),
    toolkit: "Chromium",
  };
  const faults: Fault[] = [{ fault: "delay", ms: 150, when: { call: "act" } }];
  const desktop = simulate({ applications: [application], faults });
  const target = await element(desktop, "combobox");
  assert.equal((await press(desktop, target, {}, soon())).verified, false);
  assert.ok(isIn(await desktop.read(target), "expanded"));
});
