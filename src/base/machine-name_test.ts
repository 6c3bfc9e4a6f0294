import assert from "node:assert/strict";
import { machineName } from "./machine-name.ts";

Deno.test("a Mac is named by its system and its chip, and any machine by its kernel where that is not told", () => {
  const told: Record<string, string> = { "/usr/bin/sw_vers": "15.2\n", "/usr/sbin/sysctl": "Apple M4\n" };
  assert.equal(machineName("macos", (program) => told[program]), "macOS 15.2, Apple M4");
  assert.match(machineName("macos", () => undefined), /^\w+ \S+, \w+$/);
  assert.match(machineName("linux"), /^\w+ \S+, \w+$/);
});
