import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { moduleAt, toRun } from "../base/_child.ts";
import { type AuditEntry, AuditLog, LONGEST_LINE } from "./audit-log.ts";

function entry(tool: string, args: AuditEntry["args"] = {}): AuditEntry {
  const timestamp = "2026-11-21T09:30:00.000Z";
  return { timestamp, session_id: "s1", tool, args, target: null, result: "success", security_flags: [] };
}

async function inFolder(work: (folder: string) => void | Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), "backstep-audit-log-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const linesOf = (file: string) =>
  readFileSync(file, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));

Deno.test("each act is one line of JSON, in a file that only its owner reads", async () => {
  await inFolder((folder) => {
    const path = join(folder, "new/audit.jsonl");
    const log = new AuditLog(path, { maxBytes: 100_000 });
    log.append(entry("ax_click", { app: "Settings" }));
    log.append(entry("ax_type"));
    log.close();
    deepEqual(linesOf(path).map(({ tool }) => tool), ["ax_click", "ax_type"]);
    deepEqual(linesOf(path)[0], entry("ax_click", { app: "Settings" }));
    equal(statSync(path).mode & 0o777, 0o600);
    equal(statSync(join(folder, "new")).mode & 0o777, 0o700);
  });
});

Deno.test("a log that others could read is closed to them", async () => {
  await inFolder((folder) => {
    const path = join(folder, "audit.jsonl");
    writeFileSync(path, "", { mode: 0o644 });
    chmodSync(path, 0o644);
    const log = new AuditLog(path, { maxBytes: 100_000 });
    log.check();
    log.close();
    equal(statSync(path).mode & 0o777, 0o600);
  });
});

Deno.test("at its size it is begun anew, whole lines in each, and the five newest of the old ones stay", async () => {
  await inFolder((folder) => {
    const path = join(folder, "audit.jsonl");
    const log = new AuditLog(path, { maxBytes: 1_000 });
    for (let n = 0; n < 60; n++) log.append(entry("ax_click", { x: n }));
    log.close();
    const files = readdirSync(folder).sort();
    equal(files.length, 6);
    for (const file of files) {
      ok(statSync(join(folder, file)).size <= 1_000);
      equal(statSync(join(folder, file)).mode & 0o777, 0o600);
    }
    const numbers = [...files.slice(1), "audit.jsonl"].flatMap((file) =>
      linesOf(join(folder, file)).map(({ args }) => args.x)
    );
    deepEqual(numbers, numbers.toSorted((a, b) => a - b));
    equal(numbers.at(-1), 59);
    equal(numbers.length, 60 - (numbers[0] ?? 0));
  });
});

Deno.test("a line is never longer than its bound, and says that it was cut", async () => {
  await inFolder((folder) => {
    const path = join(folder, "audit.jsonl");
    const log = new AuditLog(path, { maxBytes: 100_000 });
    log.append(entry("ax_click", { query: "x".repeat(100_000) }));
    log.close();
    ok(statSync(path).size <= LONGEST_LINE);
    deepEqual(linesOf(path)[0].args, { cut: true });
  });
});

Deno.test("a symbolic link, a device and a folder are refused, and nothing is written through them", async () => {
  await inFolder((folder) => {
    writeFileSync(join(folder, "victim"), "");
    symlinkSync(join(folder, "victim"), join(folder, "link"));
    mkdirSync(join(folder, "folder"));
    for (const name of ["link", "folder"]) {
      const log = new AuditLog(join(folder, name), { maxBytes: 100_000 });
      throws(() => log.append(entry("ax_click")), { code: "io" });
    }
    const device = new AuditLog("/dev/full", { maxBytes: 100_000 });
    throws(() => device.append(entry("ax_click")), (error: Error) => {
      match(error.message, /Cannot write the audit log \/dev\/full: it is no file/);
      return true;
    });
    equal(readFileSync(join(folder, "victim"), "utf8"), "");
  });
});

Deno.test("a log that was moved away goes on under its name", async () => {
  await inFolder((folder) => {
    const path = join(folder, "audit.jsonl");
    const log = new AuditLog(path, { maxBytes: 100_000 });
    log.append(entry("first"));
    renameSync(path, join(folder, "moved"));
    log.append(entry("second"));
    log.close();
    deepEqual(linesOf(join(folder, "moved")).map(({ tool }) => tool), ["first"]);
    deepEqual(linesOf(path).map(({ tool }) => tool), ["second"]);
  });
});

Deno.test("two processes write to one log, also while it is begun anew, and no line is lost or torn", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "audit.jsonl");
    const program = `
      import { AuditLog } from ${JSON.stringify(moduleAt("./audit-log.ts", import.meta.url))};
      const log = new AuditLog(${JSON.stringify(path)}, { maxBytes: 20000, keep: 1000 });
      for (let n = 0; n < 400; n++) {
        log.append({ timestamp: "", session_id: process.argv[2], tool: String(n), args: {}, target: null, result: "", security_flags: [] });
      }
    `;
    const script = join(folder, "writer.ts");
    writeFileSync(script, `import process from "node:process";\n${program}`);
    const writers = ["a", "b"].map((name) =>
      spawn(process.execPath, toRun(script, name), {
        stdio: ["ignore", "ignore", "inherit"],
        env: process.env,
      })
    );
    const codes = await Promise.all(writers.map((writer) => once(writer, "exit")));
    deepEqual(codes.map(([code]) => code), [0, 0]);
    const files = readdirSync(folder).filter((name) => name.startsWith("audit.jsonl"));
    ok(files.length > 2, "it was begun anew while both wrote");
    const lines = files.flatMap((file) => linesOf(join(folder, file)));
    for (const name of ["a", "b"]) {
      const tools = lines.filter((line) => line.session_id === name).map(({ tool }) => Number(tool));
      deepEqual(tools.sort((a, b) => a - b), Array.from({ length: 400 }, (_, n) => n));
    }
  });
});
