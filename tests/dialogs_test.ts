// GTK 3 runs the handler of an accessible action inside its D-Bus dispatch: while a dialog of that handler stands, it answers
// nobody, and a key locks it up for good. Judged by the application's own account.
import assert from "node:assert/strict";
import { BackstepError } from "../src/base/error.ts";
import { NOTES, Stand } from "./_dialogs.ts";
import { isInstalled } from "./_installed.ts";

const APP = "notes";
const CANCEL = 'dialog button[name="Cancel"]';

async function start(stand: Stand): Promise<void> {
  await stand.do("launch", { app: NOTES, args: [stand.folder] });
}

/** Waits until the application has written so many lines: what is clicked takes its time. */
async function accountOf(stand: Stand, count: number): Promise<string[]> {
  const deadline = performance.now() + 5_000;
  while (stand.account().length < count && performance.now() < deadline) {
    await stand.do("wait-idle", { quiet: "50ms" }, APP);
  }
  return stand.account();
}

Deno.test("twenty dialogs that handlers of GTK 3 run are opened and closed by clicks and keys", async () => {
  await using stand = await Stand.open();
  await start(stand);
  const openings = [
    ['button[name="New Note"]'],
    ['menu[name="File"]', 'menuitem[name="Save As..."]'],
    ['menu[name="File"]', 'menuitem[name="New Note..."]'],
    ['toggle[name="More"]', 'button[name="Note In Bubble"]'],
  ];
  const wanted: string[] = [];
  for (let n = 0; n < 20; n++) {
    for (const target of openings[n % openings.length] ?? []) {
      const { method, warning } = await stand.click(target, APP);
      assert.equal(warning, undefined, target);
      if (!/^(?:menu|toggle)\[/.test(target)) assert.equal(method, "XTEST click", target);
    }
    await stand.do("wait", { target: CANCEL }, APP);
    if (n % 2 === 0) await stand.do("press", { keys: "Escape" }, APP);
    else assert.equal((await stand.click(CANCEL, APP)).method, "XTEST click");
    await stand.do("wait", { target: CANCEL, for: "gone" }, APP);
    wanted.push("opened", "cancelled");
  }
  assert.deepEqual(await accountOf(stand, wanted.length), wanted);

  // Two clicks on a button are two presses, however fast they come.
  for (let n = 0; n < 5; n++) await stand.click('button[name="Plain"]', APP);
  wanted.push(..."plain ".repeat(5).trim().split(" "));
  assert.deepEqual(await accountOf(stand, wanted.length), wanted);

  // A click beside an open popover would only close it.
  await stand.click('toggle[name="More"]', APP);
  assert.equal((await stand.click('button[name="Mark"]', APP)).method, "XTEST click");
  const beside = await stand.click('button[name="Plain"]', APP);
  assert.equal(beside.method, "Action.DoAction(click)");
  assert.match(JSON.stringify(beside), /a popover is open above it/);
  assert.deepEqual((await accountOf(stand, wanted.length + 2)).slice(wanted.length), ["marked", "plain"]);
});

Deno.test("an action after which the application does not answer is named, and no key locks it up", async (t) => {
  await using stand = await Stand.open();
  await start(stand);

  await t.step(
    "what the pointer does not reach is clicked by its action, and the result says what came of it",
    async () => {
      const { method, warning } = await stand.click('button[name="Last Note"]', APP);
      assert.equal(method, "Action.DoAction(click), not answered since");
      assert.match(warning ?? "", /a key would lock it up for good/);
    },
  );

  const isNamed = (error: unknown) =>
    error instanceof BackstepError && error.code === "timeout" && error.details?.["outcome"] === "not_sent" &&
    /"notes" has not answered since it was asked to perform "click" on "Last Note"/.test(
      error.message,
    ) &&
    /Close the dialog with the pointer/.test(error.hint ?? "");

  await t.step("what follows is refused, and says why", async () => {
    for (
      const [operation, input] of [
        ["press", { keys: "Escape" }],
        ["click", { target: CANCEL }],
        ["type", { text: "a" }],
        ["find", { target: "button" }],
      ] as const
    ) await assert.rejects(stand.do(operation, input, APP), isNamed, operation);
  });

  await t.step("another process finds it silent, says so, and sends it no key either", async () => {
    await using other = await stand.beside("focus");
    await assert.rejects(other.session.desktop.pressKeys(["Escape"]), /does not answer/);
    await assert.rejects(
      other.do("find", { target: "button" }, "nonsense"),
      /process \d+, which does not answer/,
    );
  });

  await t.step("once the dialog is closed by its window, everything works again", async () => {
    await stand.do("window", { do: "close", title: "New Note" }, APP);
    assert.deepEqual(await accountOf(stand, 2), ["opened", "cancelled"]);
    await stand.click('button[name="New Note"]', APP);
    await stand.do("wait", { target: CANCEL }, APP);
    await stand.do("press", { keys: "Escape" }, APP);
    assert.deepEqual(await accountOf(stand, 4), ["opened", "cancelled", "opened", "cancelled"]);
  });
});

Deno.test("in the background a dialog that an action opened is named, and closed by its window", async () => {
  await using there = await Stand.open();
  await start(there);
  await using stand = await there.beside("background");
  const { method, warning } = await stand.click('button[name="New Note"]', APP);
  assert.equal(method, "Action.DoAction(click), not answered since");
  assert.match(warning ?? "", /Close the dialog/);
  await assert.rejects(stand.do("find", { target: "button" }, APP), /has not answered since/);
  await stand.do("window", { do: "close", title: "New Note" }, APP);
  assert.deepEqual(await accountOf(stand, 2), ["opened", "cancelled"]);

  // What says that it opens a dialog is not clicked: it would come to the front, and block the application.
  await stand.click('menu[name="File"]', APP);
  await assert.rejects(stand.click('menuitem[name="New Note..."]', APP), { code: "needs_focus" });
  assert.deepEqual(await accountOf(stand, 2), ["opened", "cancelled"]);
});

Deno.test("a modal dialog keeps a click from what is beside it, as it does a person's", async () => {
  await using stand = await Stand.open();
  await start(stand);
  const PLAIN = 'button[name="Plain"]';
  await stand.click('button[name="New Note"]', APP);
  await stand.do("wait", { target: CANCEL }, APP);
  const isNamed = {
    code: "not_actionable",
    message: /dialog "New Note" is modal/,
    details: { modal: 'dialog "New Note"', outcome: "not_sent" },
  };
  await assert.rejects(stand.click(PLAIN, APP), isNamed);
  {
    // There the pointer is nobody's, and the button's own action would go past the dialog.
    await using beside = await stand.beside("background");
    await assert.rejects(beside.click(PLAIN, APP), isNamed);
  }
  assert.deepEqual(stand.account(), ["opened"]);

  // One that is about to close is waited for.
  await stand.click('button[name="Cancel Later"]', APP);
  await stand.click(PLAIN, APP);
  assert.deepEqual(await accountOf(stand, 3), ["opened", "cancelled", "plain"]);
});

for (const [display, method] of [["x11", "XTEST click"], ["wayland", "Wayland click"]] as const) {
  Deno.test({
    name:
      `completions that typing opened are closed before a click beside them, which then arrives: ${display}`,
    ignore: display === "wayland" && !isInstalled("/usr/bin/sway"),
    async fn() {
      await using stand = await Stand.open(display);
      await start(stand);
      await stand.click('button[name="New Note"]', APP);
      const complete = async () => {
        await stand.do("type", { into: 'dialog textfield[name="Folder"]', text: "L", clear: true }, APP);
        await stand.do("wait", { target: 'cell[name="Letters"]' }, APP);
      };
      await complete();
      await stand.click('dialog textfield[name="Name"]', APP);
      await stand.do("press", { keys: "ctrl+a" }, APP);
      await stand.do("type", { text: "given" }, APP);
      await complete();
      // By its action, what it does would be done inside the application's dispatch.
      assert.equal((await stand.click('dialog button[name="Create"]', APP)).method, method);
      assert.deepEqual(await accountOf(stand, 2), ["opened", "created given"]);
    },
  });
}
