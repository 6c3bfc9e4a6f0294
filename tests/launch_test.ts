import assert from "node:assert/strict";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Deadline } from "../src/base/call.ts";
import { BackstepError } from "../src/base/error.ts";
import { applicationFor } from "../src/operations/application.ts";
import { processOf } from "../src/participants/process.ts";
import { type NativeSession, openNative } from "../src/session/open-native.ts";
import { identify, isAlive, whenGone } from "../src/session/processes.ts";
import { tracesOf, withState } from "./session/traces.ts";

async function rejection(promise: Promise<unknown>): Promise<BackstepError> {
  const outcome = await promise.then(() => undefined, (error: unknown) => error);
  assert.ok(outcome instanceof BackstepError, `it did not reject with a BackstepError: ${outcome}`);
  return outcome;
}

/** Runs a test on a private desktop of its own, and looks that nothing is left of it. */
async function onDesktop(action: (session: NativeSession) => Promise<void>): Promise<void> {
  await withState(async (state) => {
    const session = await openNative({ kind: "isolated", state });
    const lease = session.privateDesktop?.lease;
    assert.ok(lease);
    try {
      await action(session);
    } finally {
      await session.close();
    }
    assert.deepEqual(tracesOf(lease, state), []);
  });
}

Deno.test("an application is launched by id, listed, brought forward and quit", async () => {
  await onDesktop(async ({ launcher, desktop }) => {
    assert.deepEqual(await launcher.list(), []);
    const calculator = await launcher.launch("org.gnome.Calculator");
    assert.deepEqual({ ...calculator, processId: 0 }, {
      processId: 0,
      applicationName: "Calculator",
      wasAlreadyRunning: false,
    });
    const factory = await launcher.launch("gtk3-widget-factory");
    assert.equal(factory.wasAlreadyRunning, false);
    const list = await launcher.list();
    assert.deepEqual(list.map((one) => [one.bundleId, one.processId, one.isHidden]).sort(), [
      ["gtk3-widget-factory", factory.processId, false],
      ["org.gnome.Calculator", calculator.processId, false],
    ]);

    assert.deepEqual(await launcher.launch("Calculator"), { ...calculator, wasAlreadyRunning: true });
    const watch = desktop.watch();
    try {
      const deadline = Deadline.after(5_000);
      const active = async () => (await desktop.windows()).find((window) => window.active)?.pid;
      while (await active() !== calculator.processId) {
        assert.ok(!deadline.passed, "its window was not activated");
        await watch.next({ timeout: 100 });
      }
    } finally {
      watch.close();
    }

    assert.deepEqual(await launcher.quit("org.gnome.Calculator"), { applicationName: "Calculator" });
    assert.deepEqual((await launcher.list()).map((one) => one.bundleId), ["gtk3-widget-factory"]);
    await launcher.quit("gtk3-widget-factory");
    assert.deepEqual(await launcher.list(), []);
  });
});

Deno.test("the errors of launching and quitting read as the specification has them", async () => {
  await onDesktop(async ({ launcher }) => {
    const table: [action: () => Promise<unknown>, code: string, message: RegExp][] = [
      [
        () => launcher.launch("org.example.Nothing"),
        "app_not_found",
        /^Application not found: org\.example\.Nothing$/,
      ],
      [() => launcher.launch(""), "invalid", /^Invalid parameter: /],
      [() => launcher.quit(" "), "invalid", /^Invalid parameter: /],
      [
        () => launcher.quit("org.gnome.Calculator"),
        "app_not_running",
        /^Application is not running: org\.gnome\.Calcu/,
      ],
      [
        () => launcher.quit("org.example.Nothing"),
        "app_not_running",
        /^Application is not running: org\.example\.No/,
      ],
      [
        () => launcher.launch("ls", { args: ["/nowhere-at-all"] }),
        "launch_failed",
        /^Failed to launch ls: it ended with exit code 2\n.*nowhere-at-all/,
      ],
      [
        () => launcher.launch("true"),
        "launch_failed",
        /^Failed to launch true: it ended with exit code 0 and left no/,
      ],
    ];
    for (const [action, code, message] of table) {
      const error = await rejection(action());
      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
    }
  });
});

Deno.test("a program that shows no window is given up at the deadline, and ends with the desktop", async () => {
  let identity: ReturnType<typeof identify>;
  await onDesktop(async ({ launcher }) => {
    const error = await rejection(launcher.launch("sleep", { args: ["60"], timeout: 2_000 }));
    assert.equal(error.code, "launch_failed");
    assert.match(error.message, /no window came in time/);
    identity = identify(Number(error.details?.["processId"]));
    assert.ok(identity && isAlive(identity));
  });
  assert.ok(identity && await whenGone([identity], Deadline.after(0)));
});

Deno.test("an application behind a wrapper that ends at once is found all the same", async () => {
  await onDesktop(async ({ launcher, environment }) => {
    const wrapper = join(environment["HOME"] ?? "", "wrapper");
    writeFileSync(wrapper, "#!/bin/sh\nsetsid gtk3-widget-factory &\n");
    chmodSync(wrapper, 0o755);
    const launched = await launcher.launch(wrapper);
    assert.equal(launched.wasAlreadyRunning, false);
    assert.deepEqual((await launcher.list()).map((one) => one.processId), [launched.processId]);
  });
});

Deno.test("what was launched is found, protected and quit by the word that launched it", async () => {
  await onDesktop(async (session) => {
    const { launcher, desktop, environment } = session;
    const wrapper = join(environment["HOME"] ?? "", "Form");
    const form = new URL("fixtures/places/gtk3.py", import.meta.url).pathname;
    writeFileSync(wrapper, `#!/bin/sh\nexec /usr/bin/python3 '${form}' server\n`);
    chmodSync(wrapper, 0o755);
    // A path, the program of a desktop entry, its name, and its id, whatever the entry it was launched by.
    for (
      const [by, ...others] of [[wrapper, "form"], ["gnome-calculator", "org.gnome.Calculator", "Calculator"]]
    ) {
      assert.ok(by);
      const call = Deadline.after(10_000).call();
      const participant = processOf(launcher, by);
      const before = await participant.capture(desktop, call);
      assert.deepEqual(before.properties, { running: false });
      const { processId } = await launcher.launch(by);
      for (const word of by === wrapper ? [by] : [by, ...others]) {
        const found = await applicationFor(
          { session, desktop, deadline: Deadline.after(5_000), app: undefined },
          word,
        );
        assert.equal(found.pid, processId, word);
      }
      assert.deepEqual((await participant.capture(desktop, call)).properties, { running: true });
      const identity = identify(processId);
      assert.equal(await participant.restore(before, desktop, call), "quit");
      assert.ok(identity && await whenGone([identity], Deadline.after(5_000)));
    }
  });
});

Deno.test("arguments for an application that runs already are handed over to it", async () => {
  await onDesktop(async ({ launcher, desktop, home }) => {
    const first = await launcher.launch("org.gnome.gedit");
    const file = join(home ?? "", "letter.txt");
    writeFileSync(file, "Dear reader");
    const watch = desktop.watch();
    try {
      const second = await launcher.launch("org.gnome.gedit", { args: [file] });
      assert.deepEqual(second, { ...first, wasAlreadyRunning: true });
      const deadline = Deadline.after(5_000);
      const titles = async () => (await desktop.windows()).map((window) => window.title).join();
      while (!(await titles()).includes("letter.txt")) {
        assert.ok(!deadline.passed, `the file was not opened: ${await titles()}`);
        await watch.next({ timeout: 100 });
      }
    } finally {
      watch.close();
    }
  });
});

Deno.test("a dialog that asks about unsaved work blocks quitting, and is named with its buttons", async () => {
  await onDesktop(async ({ launcher, desktop }) => {
    const { processId } = await launcher.launch("org.gnome.gedit");
    await desktop.typeText("not saved");
    const error = await rejection(launcher.quit("org.gnome.gedit"));
    assert.equal(error.code, "quit_blocked");
    assert.match(error.message, /Save changes/);
    assert.deepEqual(error.details?.["buttons"], ["Close without Saving", "Cancel", "Save As…"]);
    assert.deepEqual((await launcher.list()).map((one) => one.processId), [processId]);
  });
});

Deno.test("a kept desktop is found again with its applications, and ends with the session that adopts it", async () => {
  await withState(async (state) => {
    const first = await openNative({ kind: "isolated", state, keep: true });
    const lease = first.privateDesktop?.lease;
    assert.ok(lease);
    try {
      await first.launcher.launch("gtk3-widget-factory");
      await first.close();
      assert.ok(existsSync(lease.folder));
      const second = await openNative({ kind: "attach", id: lease.id, state });
      try {
        assert.equal(second.kind, "isolated");
        assert.equal(second.id, lease.id);
        assert.deepEqual((await second.launcher.list()).map((one) => one.bundleId), ["gtk3-widget-factory"]);
        await second.launcher.quit("gtk3-widget-factory");
      } finally {
        await second.close();
      }
      assert.ok(existsSync(lease.folder), "a session that only looked leaves it");
    } finally {
      await first.privateDesktop?.stop();
    }
    assert.deepEqual(tracesOf(lease, state), []);
  });
});
