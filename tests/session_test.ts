import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, lstatSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Deadline, pause } from "../src/base/call.ts";
import { BackstepError } from "../src/base/error.ts";
import { attachToDesktop, attachToUser } from "../src/session/attach.ts";
import { BusConnection } from "../src/session/bus-connection.ts";
import { baseFolder } from "../src/session/environment.ts";
import { type Lease, Leases } from "../src/session/lease.ts";
import { connectNative } from "../src/desktop/native/connect.ts";
import { startPrivateDesktop } from "../src/session/private-desktop.ts";
import { identify, whenGone } from "../src/session/processes.ts";
import { processStat } from "../src/base/process-stat.ts";
import { adoptDesktop, listDesktops, reapAbandoned, stopDesktop } from "../src/session/reap.ts";
import { processesOf } from "../src/session/teardown.ts";
import { displayLeft, tracesOf, withState } from "./session/traces.ts";

async function rejection(promise: Promise<unknown>): Promise<BackstepError> {
  const outcome = await promise.then(() => undefined, (error: unknown) => error);
  assert.ok(outcome instanceof BackstepError, `it did not reject with a BackstepError: ${outcome}`);
  return outcome;
}

/** Starts a desktop in a process of its own. */
function owner(state: string, options: Record<string, unknown>) {
  const script = fileURLToPath(new URL("./session/owner.ts", import.meta.url));
  const args = ["run", "--quiet", "-A", "--no-check", script, state, JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const finished = new Promise((resolve) => child.once("exit", resolve));
  return {
    output: child.stdout,
    kill: async () => {
      child.kill("SIGKILL");
      await finished;
    },
  };
}

/** A desktop whose owner was ended with SIGKILL. */
async function orphan(state: string, options: Record<string, unknown> = {}): Promise<Lease> {
  const { output, kill } = owner(state, options);
  let text = "";
  for await (const chunk of output) {
    text += chunk;
    if (text.includes("\n")) break;
  }
  await kill();
  const { id } = JSON.parse(text);
  const lease = new Leases(state).read(id);
  assert.ok(lease);
  return lease;
}

Deno.test("a private desktop answers on its display and both buses, and leaves nothing behind", async () => {
  await withState(async (state) => {
    const desktop = await startPrivateDesktop({ state });
    try {
      await desktop.managed;
      assert.equal(statSync(desktop.folders.root).mode & 0o777, 0o700);
      assert.equal(statSync(desktop.folders.runtime).mode & 0o777, 0o700);
      assert.ok(lstatSync(`/tmp/.X11-unix/X${desktop.display.slice(1)}`).isSocket());
      const bus = await BusConnection.open(desktop.accessibilityBus, Deadline.after(2_000));
      await bus.whenOwned("org.a11y.atspi.Registry", Deadline.after(2_000));
      bus.close();
      assert.deepEqual(desktop.lease.parts.map((part) => part.name).sort(), [
        "accessibility",
        "bus",
        "openbox",
        "xvfb",
      ]);
      assert.deepEqual(listDesktops({ state }).map((one) => [one.lease.id, one.status]), [[
        desktop.id,
        "running",
      ]]);
    } finally {
      await desktop.stop();
    }
    await desktop.stop();
    assert.deepEqual(tracesOf(desktop.lease, state), []);
  });
});

Deno.test("ten desktops one after another leave nothing behind", async () => {
  await withState(async (state) => {
    for (let round = 0; round < 10; round++) {
      const desktop = await startPrivateDesktop({ state });
      await desktop.stop();
      assert.deepEqual(tracesOf(desktop.lease, state), [], `round ${round}`);
    }
  });
});

Deno.test("four desktops at once have displays, homes and buses of their own", async () => {
  await withState(async (state) => {
    const desktops = await Promise.all(Array.from({ length: 4 }, () => startPrivateDesktop({ state })));
    try {
      for (const what of ["display", "sessionBus", "accessibilityBus"] as const) {
        assert.equal(new Set(desktops.map((desktop) => desktop[what])).size, 4, what);
      }
      await Promise.all(desktops.map((desktop) => desktop.managed));
    } finally {
      await Promise.all(desktops.map((desktop) => desktop.stop()));
    }
    for (const desktop of desktops) assert.deepEqual(tracesOf(desktop.lease, state), []);
  });
});

Deno.test("a part that fails takes the others with it, and its last words are told", async () => {
  await withState(async (state) => {
    const broken = join(state, "broken");
    writeFileSync(broken, "#!/bin/sh\necho it is all too much >&2\nexit 7\n");
    chmodSync(broken, 0o755);
    const temporary = process.env["TMPDIR"];
    process.env["TMPDIR"] = state; // so that only desktops of this test lie there
    try {
      for (const part of ["xvfb", "bus", "accessibility"] as const) {
        const error = await rejection(startPrivateDesktop({ state, programs: { [part]: broken } }));
        assert.equal(error.code, "no_desktop", part);
        assert.match(error.message, new RegExp(`${part}: it ended with exit code 7`));
        assert.match(error.message, /it is all too much/);
        assert.deepEqual(readdirSync(state).sort(), ["broken", "desktops"], part);
        assert.deepEqual(new Leases(state).all(), []);
      }
    } finally {
      if (temporary === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = temporary;
    }
    const desktop = await startPrivateDesktop({ state, programs: { openbox: broken } });
    try {
      assert.match((await rejection(desktop.managed)).message, /openbox: it ended with exit code 7/);
    } finally {
      await desktop.stop();
    }
    assert.deepEqual(tracesOf(desktop.lease, state), []);
  });
});

Deno.test("a part that never answers is given up at the deadline", async () => {
  await withState(async (state) => {
    const silent = join(state, "silent");
    writeFileSync(silent, "#!/bin/sh\nexec sleep 60\n");
    chmodSync(silent, 0o755);
    const error = await rejection(
      startPrivateDesktop({ state, programs: { xvfb: silent } }, { timeout: 300 }),
    );
    assert.equal(error.code, "no_desktop");
    assert.match(error.message, /xvfb: it said nothing in time/);
    assert.deepEqual(new Leases(state).all(), []);
  });
});

Deno.test("an absent program is named with the package that brings it", async () => {
  await withState(async (state) => {
    const path = process.env["PATH"];
    process.env["PATH"] = state;
    try {
      const error = await rejection(startPrivateDesktop({ state }));
      assert.equal(error.code, "missing");
      assert.match(error.message, /Xvfb is not installed/);
      assert.match(error.hint ?? "", /apt-get install xvfb/);
    } finally {
      process.env["PATH"] = path;
    }
  });
});

Deno.test("a cancelled start leaves nothing behind", async () => {
  await withState(async (state) => {
    const stop = new AbortController();
    const start = startPrivateDesktop({ state }, { signal: stop.signal });
    stop.abort();
    assert.equal((await rejection(start)).code, "cancelled");
    assert.deepEqual(new Leases(state).all(), []);
  });
});

Deno.test("what applications left behind is ended too, also what hid its mark or ignores being asked", async () => {
  await withState(async (state) => {
    const desktop = await startPrivateDesktop({ state });
    const run = (script: string) => {
      const child = spawn("sh", ["-c", script], {
        detached: true,
        stdio: "ignore",
        env: desktop.environment,
      });
      child.unref();
      return child;
    };
    const marked = run("sleep 60 & setsid sleep 60 & trap '' TERM; while :; do sleep 60; done");
    const unmarked = run("env -i /bin/sleep 60 & exec env -i /bin/sleep 60");
    const identity = identify(unmarked.pid ?? 0);
    assert.ok(identity && marked.pid !== undefined);
    // The note that the launcher makes of what it starts.
    writeFileSync(join(desktop.folders.launches, `${identity.pid}-${identity.start}.json`), "{}");
    await desktop.stop();
    assert.deepEqual(tracesOf(desktop.lease, state), []);
    assert.equal(await whenGone([identity], Deadline.after(0)), true);
    assert.equal(processStat(marked.pid), undefined);
  });
});

Deno.test("a killed Xvfb leaves no socket", async () => {
  await withState(async (state) => {
    const desktop = await startPrivateDesktop({ state, windowManager: false });
    const number = desktop.display.slice(1);
    try {
      const server = desktop.lease.parts.find((part) => part.name === "xvfb");
      assert.ok(server);
      process.kill(server.pid, "SIGKILL");
      await whenGone([server], Deadline.after(2_000));
      assert.ok(displayLeft(number).includes(`/tmp/.X11-unix/X${number}`));
    } finally {
      await desktop.stop();
    }
    assert.deepEqual(displayLeft(number), []);
    assert.deepEqual(tracesOf(desktop.lease, state), []);
  });
});

Deno.test("the desktop of a killed owner is abandoned and reaped", async () => {
  await withState(async (state) => {
    const lease = await orphan(state);
    assert.deepEqual(listDesktops({ state }).map((one) => one.status), ["abandoned"]);
    assert.ok(tracesOf(lease, state).length > 4);
    assert.deepEqual((await reapAbandoned({ state })).map((one) => one.id), [lease.id]);
    assert.deepEqual(tracesOf(lease, state), []);
  });
});

Deno.test("who asks for what still runs leaves a lease of which nothing runs here: it may be another machine's", async () => {
  await withState(async (state) => {
    const lease = await orphan(state);
    const leases = new Leases(state);
    leases.write({ ...lease, id: "elsewhere", folder: join(state, "bs-elsewhere"), parts: [] });
    const reaped = await reapAbandoned({ state }, { stillRunning: true });
    assert.deepEqual(reaped.map((one) => one.id), [lease.id]);
    assert.deepEqual(leases.all().map((one) => one.id), ["elsewhere"]);
    assert.deepEqual(tracesOf(lease, state), []);
  });
});

Deno.test("an owner that is killed while its desktop starts leaves what can be found and reaped", async () => {
  await withState(async (state) => {
    const silent = join(state, "silent");
    writeFileSync(silent, "#!/bin/sh\nexec sleep 60\n");
    chmodSync(silent, 0o755);
    const { output, kill } = owner(state, { programs: { xvfb: silent } });
    output.resume();
    const deadline = Deadline.after(10_000);
    const parts = () => new Leases(state).all().flatMap((lease) => processesOf(lease));
    while (parts().length < 4) {
      assert.ok(!deadline.passed, "its parts were not started");
      await pause(20);
    }
    await kill();
    const [lease] = new Leases(state).all();
    assert.ok(lease);
    assert.equal(lease.ready, false);
    assert.deepEqual(listDesktops({ state }).map((one) => one.status), ["abandoned"]);
    assert.equal((await reapAbandoned({ state })).length, 1);
    assert.deepEqual(tracesOf(lease, state), []);
  });
});

Deno.test("a killed owner's desktop whose journal is open is in doubt: it stays until it is stopped", async () => {
  await withState(async (state) => {
    const lease = await orphan(state);
    const needed = new Map([[lease.id, "/runs/1"]]);
    const listed = listDesktops({ state, needed }).map(({ status, journal }) => [status, journal]);
    assert.deepEqual(listed, [["in doubt", "/runs/1"]]);
    assert.deepEqual(await reapAbandoned({ state, needed }), []);
    const attachment = attachToDesktop(lease.id, state);
    assert.equal(attachment.display, lease.display);
    assert.equal(attachment.environment["DISPLAY"], lease.display);
    const bus = await BusConnection.open(attachment.accessibilityBus, Deadline.after(2_000));
    bus.close();
    await stopDesktop(lease.id, { state });
    assert.deepEqual(tracesOf(lease, state), []);
  });
});

Deno.test("a kept desktop outlives its owner, can be adopted, and ends with the one who did", async () => {
  await withState(async (state) => {
    const lease = await orphan(state, { keep: true });
    assert.deepEqual(listDesktops({ state }).map((one) => one.status), ["kept"]);
    assert.deepEqual(await reapAbandoned({ state }), []);
    const stop = adoptDesktop(lease.id, state);
    assert.deepEqual(listDesktops({ state }).map((one) => one.status), ["running"]);
    await stop();
    assert.ok(tracesOf(lease, state).length > 4, "it is kept");
    await stopDesktop(lease.id, { state });
    assert.deepEqual(tracesOf(lease, state), []);
  });
});

Deno.test("a desktop in use is not stopped or adopted by another", async () => {
  await withState(async (state) => {
    const owner = spawn("sleep", ["60"], { stdio: "ignore" });
    const identity = identify(owner.pid ?? 0);
    assert.ok(identity);
    const finished = new Promise((resolve) => owner.once("exit", resolve));
    const desktop = await startPrivateDesktop({ state, windowManager: false });
    try {
      new Leases(state).write({ ...desktop.lease, owner: { ...identity, command: "sleep 60" } });
      assert.equal((await rejection(stopDesktop(desktop.id, { state }))).code, "refused");
      assert.throws(() => adoptDesktop(desktop.id, state), { code: "refused" });
      assert.deepEqual(await reapAbandoned({ state }), []);
    } finally {
      owner.kill("SIGKILL");
      await finished;
      await desktop.stop();
    }
    assert.deepEqual(tracesOf(desktop.lease, state), []);
  });
});

Deno.test("an unknown desktop is not found, and a dead one cannot be attached to", async () => {
  await withState(async (state) => {
    assert.equal((await rejection(stopDesktop("nosuch", { state }))).code, "not_found");
    const desktop = await startPrivateDesktop({ state, windowManager: false });
    try {
      process.kill(desktop.lease.parts.find((part) => part.name === "bus")?.pid ?? 0, "SIGKILL");
      const bus = desktop.lease.parts.filter((part) => part.name === "bus");
      await whenGone(bus, Deadline.after(2_000));
      assert.throws(() => attachToDesktop(desktop.id, state), { code: "no_desktop", message: /gone: .*bus/ });
    } finally {
      await desktop.stop();
    }
    assert.deepEqual(tracesOf(desktop.lease, state), []);
  });
});

Deno.test("attaching to the user's desktop says what is missing", async () => {
  const nothing = await rejection(attachToUser({ timeout: 500 }, {}));
  assert.equal(nothing.code, "no_desktop");
  assert.match(nothing.message, /DBUS_SESSION_BUS_ADDRESS and DISPLAY not set/);
  const silent = await rejection(
    attachToUser({ timeout: 500 }, { DISPLAY: ":0", DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere/bus" }),
  );
  assert.equal(silent.code, "no_desktop");
  assert.match(silent.message, /\/nowhere\/bus/);
});

Deno.test("a session bus tells where its accessibility bus is", async () => {
  await withState(async (state) => {
    const desktop = await startPrivateDesktop({ state, windowManager: false });
    try {
      const { XDG_RUNTIME_DIR } = desktop.environment;
      const attachment = await attachToUser({ timeout: 2_000 }, {
        XDG_RUNTIME_DIR,
        DISPLAY: desktop.display,
      });
      assert.equal(attachment.accessibilityBus, desktop.accessibilityBus);
      assert.equal(attachment.sessionBus, desktop.sessionBus);
    } finally {
      await desktop.stop();
    }
  });
});

Deno.test("a state folder that cannot be written is told as such, and nothing of the desktop is left", async () => {
  await withState(async (state) => {
    const file = join(state, "file");
    writeFileSync(file, "");
    const { code, message } = await rejection(startPrivateDesktop({ state: file }));
    assert.equal(code, "io");
    const [, id = ""] = /^Cannot write the lease of desktop (\w+): /.exec(message) ?? [];
    assert.notEqual(id, "", message);
    assert.equal(existsSync(join(baseFolder(tmpdir()), `bs-${id}`)), false);
  });
});

Deno.test("a private display lets nobody in who has not its key", async () => {
  const desktop = await startPrivateDesktop({ windowManager: false });
  try {
    const { display, folders } = desktop;
    const enter = (key: string) =>
      connectNative({ kind: "isolated", label: display, display: `${display} ${key}` }, { timeout: 5_000 });
    const inside = await enter(folders.authority);
    assert.ok(inside.capabilities.input);
    await inside.close();
    await assert.rejects(enter("/dev/null"), { code: "no_desktop" });
  } finally {
    await desktop.stop();
  }
});
