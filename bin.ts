#!/usr/bin/env node
import process from "node:process";

const [major = 0] = process.versions.node.split(".").map(Number);
if (major >= 22) {
  // Only now: an older Node cannot read all of it.
  const { main } = await import("./src/cli/main.ts");
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write(
    `Cannot run Backstep: it needs Node 22 or later, and this is ${process.versions.node}\n`,
  );
  process.exitCode = 2;
}
