import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { connectNative } from "../src/desktop/native/connect.ts";
import type { Application, Desktop } from "../src/desktop/desktop.ts";
import { type Held, held, live, whenReady } from "./cycles.ts";
import { ScratchDesktop } from "./scratch-desktop.ts";

/** Processes of a scratch desktop whose command line says something. */
function processes(scratch: ScratchDesktop, what: string): number[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${scratch.home}`) &&
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(what);
    } catch (error) {
      // It ended meanwhile, or is another user's.
      if (error instanceof Error && "code" in error) return false;
      throw error;
    }
  });
}

function connect(scratch: ScratchDesktop, display = scratch.display): Promise<Desktop> {
  return connectNative({
    kind: "isolated",
    label: `${scratch.display} (test)`,
    sessionBus: scratch.sessionBus,
    ...(display ? { display } : {}),
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** How long a snapshot of an application takes: each of so many. */
async function paces(desk: Desktop, app: Application, count: number): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < count; i++) all.push(await timed(() => desk.snapshot(app)));
  return all;
}

Deno.test("each way for an application or its desktop to fail has its own error, and costs nobody else anything", async (t) => {
  await using scratch = await ScratchDesktop.start();
  const desk = await connect(scratch);
  const well = await whenReady(desk, scratch.launch("gtk3-widget-factory").pid ?? 0);
  const sickProcess = scratch.launch("gtk3-widget-factory");
  const sick = await whenReady(desk, sickProcess.pid ?? 0);
  const sickRoot = (await desk.snapshot(sick, { maxDepth: 1 })).element(0);

  await t.step(
    "a stopped application costs its own deadline, while another is served at its usual speed",
    async () => {
      const usual = median(await paces(desk, well, 15));
      process.kill(sick.pid, "SIGSTOP");
      const hung = timed(() => assert.rejects(desk.snapshot(sick, { timeout: 1_000 }), { code: "timeout" }));
      const meanwhile: number[] = [];
      let finished = false;
      const reported = hung.finally(() => finished = true);
      while (!finished) meanwhile.push(...await paces(desk, well, 1));
      const took = await reported;
      process.kill(sick.pid, "SIGCONT");
      assert.ok(took > 900 && took < 1_200, `the deadline of 1000 ms took ${took} ms`);
      assert.ok(meanwhile.length > 3, `${meanwhile.length} snapshots of the other one meanwhile`);
      assert.ok(
        median(meanwhile) < 2 * usual + 10,
        `the other one took ${median(meanwhile)} ms instead of ${usual} ms`,
      );
      assert.ok((await desk.snapshot(sick)).size > 100);
    },
  );

  await t.step("one that dies in the middle of a call is gone, at once", async () => {
    process.kill(sick.pid, "SIGSTOP");
    const reading = desk.snapshot(sick);
    const exit = once(sickProcess, "exit");
    process.kill(sick.pid, "SIGKILL");
    const took = await timed(() => assert.rejects(reading, { code: "app_gone" }));
    assert.ok(took < 1_000, `${took} ms`);
    await exit;
    assert.ok((await desk.snapshot(well)).size > 100);
  });

  await t.step("one that is started again is another one: what was found of the first is gone", async () => {
    const again = await whenReady(desk, scratch.launch("gtk3-widget-factory").pid ?? 0);
    assert.notEqual(again.bus, sick.bus);
    await assert.rejects(desk.act(sickRoot, { do: "focus" }), { code: "app_gone" });
    assert.ok((await desk.snapshot(again)).size > 100);
  });

  await t.step("a dying registry is named; who is known is served all the same", async () => {
    const registries = processes(scratch, "at-spi2-registryd");
    assert.equal(registries.length, 1);
    for (const pid of registries) process.kill(pid, "SIGKILL");
    await assert.rejects(desk.applications(), { code: "no_desktop", message: /registry/ });
    assert.ok((await desk.snapshot(well)).size > 100);
    assert.ok(desk.capabilities.accessibility);
  });

  await t.step(
    "a dying accessibility bus ends what is in flight and every later call; pictures are still taken",
    async () => {
      const [bus] = processes(scratch, "at-spi2/accessibility.conf");
      assert.ok(bus);
      process.kill(well.pid, "SIGSTOP");
      const reading = desk.snapshot(well);
      process.kill(bus, "SIGKILL");
      const took = await timed(() => assert.rejects(reading, { code: "no_desktop" }));
      process.kill(well.pid, "SIGCONT");
      assert.ok(took < 1_000, `${took} ms`);
      const later = await timed(() => assert.rejects(desk.applications(), { code: "no_desktop" }));
      assert.ok(later < 100, `${later} ms`);
      assert.deepEqual(
        { accessibility: desk.capabilities.accessibility, pictures: desk.capabilities.pictures },
        { accessibility: false, pictures: true },
      );
      assert.equal((await desk.screenshot({ what: "screen" })).width, 1280);
    },
  );

  await t.step("a dying display ends pictures and input, told as that", async () => {
    const [server] = processes(scratch, "-displayfd");
    const x = server ?? pidOfDisplay(scratch.display);
    process.kill(x, "SIGKILL");
    await assert.rejects(desk.screenshot({ what: "screen" }), { code: "no_desktop" });
    const later = await timed(() => assert.rejects(desk.typeText("x"), { code: "no_desktop" }));
    assert.ok(later < 100, `${later} ms`);
    assert.equal(desk.capabilities.pictures, false);
  });

  await desk.close();
});

/** The X server of a display, by its lock file. */
function pidOfDisplay(display: string): number {
  return Number(readFileSync(`/tmp/.X${display.slice(1)}-lock`, "utf8"));
}

Deno.test("twenty lives of a session among dying applications leave no descriptor, thread or memory behind", async () => {
  await using scratch = await ScratchDesktop.start();
  const all: Held[] = [];
  await live(scratch, 20, () => all.push(held()));
  const [warm, end] = [all[6], all.at(-1)];
  assert.ok(warm && end);
  const least = (of: (h: Held) => number) => Math.min(...all.slice(-5).map(of));
  // An application that runs has a pipe to us; which cycles have one differs by at most that.
  assert.ok(least((h) => h.descriptors) <= warm.descriptors + 1, JSON.stringify(all));
  // Deno's own pool of threads grows when it likes, by a few; one a life would be a dozen.
  assert.ok(least((h) => h.threads) <= warm.threads + 3, JSON.stringify(all));
  // The heap of JavaScript breathes; what a session of two hundred elements leaked would be more by far.
  assert.ok(end.megabytes < warm.megabytes + 25, JSON.stringify(all));
});

Deno.test("a desktop that is dropped without being closed is closed when it is collected", async () => {
  await using scratch = await ScratchDesktop.start();
  const script = `${scratch.home}/dropped.ts`;
  const module = new URL("../src/desktop/native/connect.ts", import.meta.url);
  writeFileSync(
    script,
    `import { connectNative } from ${JSON.stringify(module.href)};
declare const gc: () => void;
async function use() {
  const desk = await connectNative({
    kind: "isolated", label: "t", sessionBus: ${JSON.stringify(scratch.sessionBus)}, display: ${
      JSON.stringify(scratch.display)
    },
  });
  await desk.applications();
}
await use();
// Only an open session keeps this process alive: when it ends, the session was closed.
const timer = setInterval(() => gc(), 50);
Deno.unrefTimer(timer);
console.log("dropped");
`,
  );
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", "--v8-flags=--expose-gc", script],
    cwd: new URL("..", import.meta.url),
    signal: AbortSignal.timeout(20_000),
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  assert.equal(new TextDecoder().decode(stdout), "dropped\n");
});
