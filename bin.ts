#!/usr/bin/env node
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const [major = 0] = process.versions.node.split(".").map(Number);
if (major >= 22) {
  // Node compiles all of it at each start unless it is told where to keep what it compiled; Deno keeps it by itself.
  module.enableCompileCache?.(
    join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "backstep", "compiled"),
  );
  // Only now: an older Node cannot read all of it.
  const { main } = await import("./src/cli/main.ts");
  const code = await main(process.argv.slice(2));
  const { flushed } = await import("./src/cli/terminal.ts");
  await flushed();
  // Deno 2.9.5 writes into memory that it has freed when a run ends by itself, and may abort then (exit code 134).
  process.exit(code);
} else {
  process.stderr.write(
    `Cannot run Backstep: it needs Node 22 or later, and this is ${process.versions.node}\n`,
  );
  process.exitCode = 2;
}
