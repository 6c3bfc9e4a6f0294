import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { type Fixture, fixture } from "./_context.ts";

const Answer = z.strictObject({ output: z.string(), language: z.string(), cut: z.boolean() });

/** A stand-in for `osascript`: a shell that runs what it reads, after writing down how it was called. */
async function standing(use: (desk: Fixture, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "backstep-script-"));
  const program = join(folder, "osascript");
  writeFileSync(program, `#!/bin/sh\necho "$@" > '${folder}/args'\nexec /bin/sh -s\n`);
  chmodSync(program, 0o755);
  const before = process.env["PATH"];
  process.env["PATH"] = `${folder}:${before}`;
  process.env["BACKSTEP_TEST_KEY"] = "sk-secret";
  try {
    await using desk = fixture([]);
    await use(desk, folder);
  } finally {
    process.env["PATH"] = before;
    delete process.env["BACKSTEP_TEST_KEY"];
    rmSync(folder, { recursive: true });
  }
}

Deno.test("a script goes to osascript in its language, and what it printed comes back", async () => {
  await standing(async (desk, folder) => {
    const answer = Answer.parse(await desk.run("run-script", { script: "echo one; echo two" }));
    assert.deepEqual(answer, { output: "one\ntwo", language: "applescript", cut: false });
    assert.equal(readFileSync(join(folder, "args"), "utf8"), "-l AppleScript -\n");
    await desk.run("run-script", { script: "true", language: "jxa" });
    assert.equal(readFileSync(join(folder, "args"), "utf8"), "-l JavaScript -\n");
  });
});

Deno.test("a script sees nothing of the environment that could be a key, and its output is bounded", async () => {
  await standing(async (desk) => {
    const seen = Answer.parse(await desk.run("run-script", { script: 'echo "[$BACKSTEP_TEST_KEY]"' }));
    assert.equal(seen.output, "[]");
    const long = Answer.parse(
      await desk.run("run-script", { script: "head -c 3000000 /dev/zero | tr '\\0' a" }),
    );
    assert.deepEqual([long.output.length, long.cut], [1024 * 1024, true]);
  });
});

Deno.test("a script that fails tells what it said", async () => {
  await standing(async (desk) => {
    const error = await desk.fail("run-script", { script: "echo 'no such thing' >&2; exit 3" });
    assert.equal(error.code, "refused");
    assert.match(error.message, /no such thing/);
  });
});

/** Does a process run? One that has ended and that nobody has asked about yet does not. */
function lives(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch (thrown) {
    if (
      thrown instanceof Error && "code" in thrown && (thrown.code === "ENOENT" || thrown.code === "ESRCH")
    ) {
      return false;
    }
    throw thrown;
  }
}

Deno.test("a script that takes too long is ended, with everything that it started", async () => {
  await standing(async (desk, folder) => {
    const script = `(sleep 2; touch '${folder}/lived') & echo $! > '${folder}/child'; sleep 30`;
    const error = await desk.fail("run-script", { script, timeout_ms: 300 });
    assert.equal(error.code, "timeout");
    assert.equal(error.details?.["script"], true);
    const child = Number(readFileSync(join(folder, "child"), "utf8"));
    const until = performance.now() + 5_000;
    while (lives(child) && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(lives(child), false);
    assert.equal(existsSync(join(folder, "lived")), false);
  });
});

Deno.test("a script that is cancelled is ended", async () => {
  await standing(async (desk, folder) => {
    const over = new AbortController();
    const failing = desk.fail("run-script", { script: `touch '${folder}/begun'; sleep 30` }, {
      signal: over.signal,
    });
    while (!existsSync(join(folder, "begun"))) await new Promise((resolve) => setTimeout(resolve, 10));
    over.abort();
    assert.equal((await failing).code, "cancelled");
  });
});

Deno.test("without osascript the error says where scripts exist", async () => {
  await using desk = fixture([]);
  const error = await desk.fail("run-script", { script: "beep" });
  assert.deepEqual([error.code, error.details?.["script"]], ["missing", true]);
  assert.match(error.message, /macOS only/);
});
