import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { moduleAt, toEvaluate } from "../../../base/_child.ts";
import { makeSocketFolder, sweepSocketFolders } from "./folder.ts";
import { listen } from "./listen.ts";
import { HTTP_LIMITS } from "./limits.ts";

async function inFolder(action: (parent: string) => Promise<void>): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), "backstep-test-"));
  try {
    await action(parent);
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** A pid and a start time that no process has: no machine has so many, and it began before the first. */
const GONE = "4194305-1";

Deno.test("what a killed server left is removed at the next start, another live server's is not", () =>
  inFolder(async (parent) => {
    const child = spawn(
      process.execPath,
      toEvaluate(
        `const { listen } = await import(${JSON.stringify(moduleAt("./listen.ts", import.meta.url))});
       const { HTTP_LIMITS: limits } = await import(${
          JSON.stringify(moduleAt("./limits.ts", import.meta.url))
        });
       const options = { bind: "127.0.0.1", port: 0, patient: false, limits };
       const { port } = await listen(async () => new Response("here"), options);
       console.log(port);`,
      ),
      { env: { ...process.env, TMPDIR: parent, NO_COLOR: "1" }, stdio: ["ignore", "pipe", "inherit"] },
    );
    const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
    const lines = createInterface(child.stdout);
    try {
      const port = await Promise.race([
        new Promise<string>((resolve) => lines.once("line", resolve)),
        exited.then(() => Promise.reject(new Error("the server ended"))),
      ]);
      const [name] = readdirSync(parent).filter((one) => /http/.test(one));
      const left = join(parent, name ?? "");
      assert.match(basename(left), new RegExp(`^backstep-http-${child.pid}-\\d+-`));
      assert.deepEqual(await sweepSocketFolders(parent), []);
      assert.equal(await (await fetch(`http://127.0.0.1:${port}`)).text(), "here", "it goes on serving");

      child.kill("SIGKILL");
      await exited;
      assert.ok(existsSync(join(left, "socket")));
      assert.deepEqual(await sweepSocketFolders(parent), [left]);
      assert.ok(!existsSync(left));
    } finally {
      lines.close();
      child.kill("SIGKILL");
      await exited;
    }
  }));

Deno.test("a server that starts sweeps, and one that ends takes its folder away", async () => {
  const left = mkdtempSync(join(tmpdir(), `backstep-http-${GONE}-`));
  const minutesAgo = Date.now() / 1_000 - 120;
  utimesSync(left, minutesAgo, minutesAgo);
  const options = { bind: "127.0.0.1", port: 0, patient: false, limits: HTTP_LIMITS };
  const listening = await listen(() => Promise.resolve(new Response("")), options);
  await listening.close();
  assert.ok(!existsSync(left));
});

Deno.test("what answers, is young, is somebody else's or holds more than a socket stays", () =>
  inFolder(async (parent) => {
    const make = (letter: string) => {
      const folder = join(parent, `backstep-http-${GONE}-${letter.repeat(6)}`);
      mkdirSync(folder, { mode: 0o700 });
      return folder;
    };
    // As of a process in another container: it cannot be seen, and it answers.
    const heard = make("a");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(heard, "socket"), resolve));
    const young = make("b");
    const full = make("c");
    writeFileSync(join(full, "socket"), "");
    writeFileSync(join(full, "notes"), "");
    const link = join(parent, `backstep-http-${GONE}-dddddd`);
    symlinkSync(full, link);
    const nameless = join(parent, "backstep-http-abcdef");
    mkdirSync(nameless);
    try {
      assert.deepEqual(await sweepSocketFolders(parent), []);
      for (const each of [heard, young, full, join(full, "notes"), link, nameless]) {
        assert.ok(existsSync(each));
      }
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
    const own = await makeSocketFolder(parent);
    assert.equal(statSync(dirname(own.socket)).mode & 0o777, 0o700);
    assert.deepEqual(await sweepSocketFolders(parent), []);
    await own.remove();
    assert.ok(!existsSync(dirname(own.socket)));
  }));
