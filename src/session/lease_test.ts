import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type Lease, Leases, parseLease, stateFolder, statusOf, thisOwner } from "./lease.ts";
import { bootId, identify } from "./processes.ts";

/** A pid beyond what Linux ever gives out. */
const NOBODY = { pid: 2 ** 22 + 1, start: 1, command: "gone" };

function lease(changes: Partial<Lease> = {}): Lease {
  return {
    version: 1,
    id: "abc234",
    owner: thisOwner(),
    boot: bootId(),
    ready: true,
    parts: [{ name: "xvfb", ...thisOwner() }].map(({ name, pid, start }) => ({ name, pid, start })),
    display: ":7",
    sessionBus: "unix:path=/tmp/x",
    accessibilityBus: "unix:path=/tmp/y",
    folder: "/tmp/bs-abc234",
    created: "2026-01-01T00:00:00.000Z",
    kept: false,
    ...changes,
  };
}

Deno.test("a desktop's status follows from its owner, its parts, the runs that need it and the boot", () => {
  const gone = { owner: NOBODY };
  const needed = new Map([[lease().id, "/runs/1"]]), others = new Map([["another", "/runs/1"]]);
  const dead = [{ name: "xvfb", pid: NOBODY.pid, start: 1 }];
  assert.equal(statusOf(lease()), "running");
  assert.equal(statusOf(lease(gone)), "abandoned");
  assert.equal(statusOf(lease({ ...gone, kept: true })), "kept");
  assert.equal(statusOf(lease({ ...gone, parts: dead })), "dead");
  assert.equal(statusOf(lease({ ...gone, parts: dead, kept: true })), "dead");
  assert.equal(statusOf(lease({ ...gone, ready: false, parts: [] })), "abandoned");
  assert.equal(statusOf(lease(), needed), "running");
  assert.equal(statusOf(lease(gone), needed), "in doubt");
  assert.equal(statusOf(lease(gone), others), "abandoned");
  assert.equal(statusOf(lease({ ...gone, parts: dead }), needed), "in doubt");
  assert.equal(statusOf(lease({ boot: "another" })), "dead");
});

Deno.test("a pid that was handed out again is not the owner", () => {
  const owner = thisOwner();
  assert.equal(statusOf(lease({ owner: { ...owner, start: owner.start - 1 } })), "abandoned");
});

Deno.test("a child that died and was not yet waited for counts as gone", async () => {
  const child = spawn("true");
  const pid = child.pid ?? 0;
  await new Promise((resolve) => child.once("exit", resolve));
  assert.equal(identify(pid), undefined);
});

Deno.test("leases are written whole, read back, and removed", () => {
  const state = mkdtempSync(join(tmpdir(), "backstep-lease-"));
  try {
    const leases = new Leases(state);
    assert.deepEqual(leases.all(), []);
    const one = lease({ created: "2026-01-02T00:00:00.000Z", kept: true });
    const two = lease({ id: "zzz222" });
    leases.write(one);
    leases.write(two);
    assert.deepEqual(leases.all(), [two, one]);
    assert.deepEqual(leases.read("abc234"), one);
    assert.deepEqual(readdirSync(leases.folder).sort(), ["abc234.json", "zzz222.json"]);
    leases.remove("abc234");
    leases.remove("abc234");
    assert.equal(leases.read("abc234"), undefined);
  } finally {
    rmSync(state, { recursive: true });
  }
});

Deno.test("a damaged lease, or one of a later version, is none", () => {
  const state = mkdtempSync(join(tmpdir(), "backstep-lease-"));
  try {
    const leases = new Leases(state);
    leases.write(lease());
    writeFileSync(join(leases.folder, "half.json"), '{"version":1,');
    writeFileSync(join(leases.folder, "late.json"), JSON.stringify({ ...lease(), version: 2 }));
    assert.deepEqual(leases.all().map((one) => one.id), ["abc234"]);
    assert.equal(leases.read("../abc234"), undefined);
  } finally {
    rmSync(state, { recursive: true });
  }
  assert.equal(
    parseLease(JSON.stringify({ ...lease(), parts: [{ name: "x", pid: -1, start: 1 }] })),
    undefined,
  );
});

Deno.test("the state folder is where the environment says", () => {
  assert.equal(stateFolder({ BACKSTEP_STATE: "/s", XDG_STATE_HOME: "/x", HOME: "/h" }), "/s");
  assert.equal(stateFolder({ XDG_STATE_HOME: "/x", HOME: "/h" }), "/x/backstep");
  assert.equal(stateFolder({ HOME: "/h" }), "/h/.local/state/backstep");
});

Deno.test("this process is its own owner", () => {
  assert.equal(thisOwner().pid, process.pid);
  assert.equal(thisOwner().start, identify(process.pid)?.start);
});

Deno.test("a state folder that is a file is an error with a hint, for whoever reads as for whoever writes", () => {
  const folder = mkdtempSync(join(tmpdir(), "backstep-lease-"));
  try {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const leases = new Leases(file);
    const actions = [
      () => leases.all(),
      () => leases.read("abc234"),
      () => leases.write(lease()),
      () => leases.remove("abc234"),
    ];
    for (const action of actions) {
      assert.throws(action, { code: "io", message: /^Cannot .*: E(NOTDIR|EXIST)/, hint: /BACKSTEP_STATE/ });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
