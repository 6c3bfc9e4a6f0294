import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Lease, Leases } from "./lease.ts";
import { reapAbandoned } from "./reap.ts";

/** The lease of a desktop from before the machine was booted: nothing of it runs. */
function dead(id: string, folder: string): Lease {
  return {
    version: 1,
    id,
    owner: { pid: 1, start: 1, command: "gone" },
    boot: "another boot",
    ready: true,
    parts: [],
    display: "",
    sessionBus: "",
    accessibilityBus: "",
    folder,
    created: "2026-01-01T00:00:00.000Z",
    kept: false,
  };
}

Deno.test("a desktop that cannot be ended is told, and keeps no other from being ended", async () => {
  const state = mkdtempSync(join(tmpdir(), "backstep-reap-"));
  try {
    const leases = new Leases(state);
    const precious = join(state, "precious"), own = join(state, "bs-bbbbbb");
    for (const folder of [precious, own]) mkdirSync(folder);
    leases.write(dead("aaaaaa", precious));
    leases.write(dead("bbbbbb", own));
    await assert.rejects(reapAbandoned({ state }), {
      code: "internal",
      message: /^Cannot remove ".*precious": it is no folder of a private desktop$/,
    });
    assert.deepEqual(leases.all().map((lease) => lease.id), ["aaaaaa"]);
    assert.deepEqual([existsSync(precious), existsSync(own)], [true, false]);
  } finally {
    rmSync(state, { recursive: true });
  }
});
