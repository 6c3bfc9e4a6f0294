import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEvidence } from "../../engine/evidence/read.ts";
import { Encryption } from "../../engine/journal/encryption.ts";
import { runFolder } from "../../engine/journal/journal.ts";
import { settings, trial } from "../../engine/run/_trial.ts";
import { LIMITS } from "../schema/tables.ts";
import { findFleetKey, FleetKey, fleetSecret } from "./fleet-key.ts";
import { packRun } from "./pack-run.ts";
import { unpackRun } from "./unpack-run.ts";

const SECRET = "a secret that only the machines of the fleet have";
const KEY = new FleetKey(SECRET);

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bsp-"));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return all;
}

async function* again(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

const failing = settings(`  - set: { target: 'textfield[name="Name"]', value: Grace }
  - assert: { target: 'button[name="Nowhere"]', timeout: 0 }`);

Deno.test("a run's journal, pictures and trees are on another machine what they were on the first", () =>
  withFolder(async (here) => {
    await trial(failing, { evidence: "on" }, async ({ result: { run }, state }) => {
      const pieces = await collected(packRun(state, run, { key: KEY }));
      assert.ok(pieces.slice(0, -1).every((one) => one.length === LIMITS.piece));
      assert.ok(pieces.every((one) => one.length <= LIMITS.piece));
      const unpacked = await unpackRun(again(pieces), { state: here, run, key: KEY });
      assert.deepEqual(unpacked, { closed: undefined, left: 0 });
      const [was, is] = [readEvidence(state, run), readEvidence(here, run)];
      assert.ok((was.evidence?.pictures.length ?? 0) > 0, "there are pictures");
      assert.deepEqual(is.evidence, was.evidence);
      assert.deepEqual(is.records, was.records);
      assert.equal(statSync(join(here, "keys", run)).mode & 0o777, 0o600);
      const bytes = Buffer.concat(pieces).toString("latin1");
      assert.ok(!bytes.includes("Grace"), "nothing of the desktop lies there in the clear");
      const own = Buffer.from(Encryption.open(state, run).key);
      assert.ok(!Buffer.concat(pieces).includes(own) && !bytes.includes(own.toString("base64")));
    });
  }));

Deno.test("without the fleet's key a journal is read and its evidence is not, and that is said", () =>
  withFolder(async (here) => {
    await trial(failing, { evidence: "on" }, async ({ result: { run }, state }) => {
      const pieces = await collected(packRun(state, run, { key: undefined }));
      const { closed } = await unpackRun(again(pieces), { state: here, run, key: KEY });
      assert.match(closed ?? "", /worker .* had no BACKSTEP_FLEET_KEY/);
      assert.equal(readEvidence(here, run).evidence, undefined);
      assert.match(readEvidence(here, run).missing ?? "", /key/);
    });
  }));

Deno.test("another fleet's key opens nothing, and leaves nothing", () =>
  withFolder(async (here) => {
    await trial(failing, { evidence: "on" }, async ({ result: { run }, state }) => {
      const pieces = await collected(packRun(state, run, { key: KEY }));
      const other = new FleetKey(`${SECRET}!`);
      await assert.rejects(unpackRun(again(pieces), { state: here, run, key: other }), { code: "io" });
      assert.ok(!existsSync(runFolder(here, run)) && !existsSync(`${runFolder(here, run)}.new`));
      assert.throws(() => KEY.decrypt("another-run", KEY.encrypt(run, new Uint8Array(32))), /another run's/);
    });
  }));

Deno.test("what has no place is left out, the least important first, and is counted", () =>
  withFolder(async (state) => {
    const run = "run";
    mkdirSync(join(runFolder(state, run), "artefacts"), { recursive: true });
    const write = (name: string, size: number) =>
      writeFileSync(join(runFolder(state, run), name), new Uint8Array(size).fill(7));
    write("journal.jsonl", 1_000);
    write("artefacts/evidence", 1_000);
    for (const n of [0, 1, 2, 10]) write(`artefacts/evidence-${n}`, 300_000);
    write("artefacts/0123abcd", 400_000);
    Encryption.create(state, run);
    const pieces = await collected(packRun(state, run, { key: KEY, most: 1_000_000 }));
    const all = Buffer.concat(pieces);
    assert.ok(all.length <= 1_000_000, String(all.length));
    const head = JSON.parse(all.toString("utf8", 4, 4 + all.readUInt32LE(0)));
    assert.deepEqual(head.files.map((one: { name: string }) => one.name), [
      "journal.jsonl",
      "artefacts/evidence",
      "artefacts/evidence-0",
      "artefacts/evidence-1",
      "artefacts/evidence-2",
    ]);
    assert.deepEqual(head.left, { files: 2, bytes: 700_000 });
  }));

Deno.test("what is no pack is refused, wherever it would write to", () =>
  withFolder(async (here) => {
    const packed = (head: unknown, bytes = "") => {
      const json = Buffer.from(JSON.stringify(head));
      const length = Buffer.alloc(4);
      length.writeUInt32LE(json.length);
      return Buffer.concat([length, json, Buffer.from(bytes)]);
    };
    const head = (name: string, size: number) => ({
      version: 1,
      run: "run",
      key: null,
      files: [{ name, size }],
      left: { files: 0, bytes: 0 },
    });
    const refused = async (bytes: Uint8Array) => {
      await assert.rejects(unpackRun(again([bytes]), { state: here, run: "run", key: KEY }), { code: "io" });
      assert.deepEqual(
        readdirSync(here, { recursive: true }).filter((one) => !/^runs$/.test(String(one))),
        [],
      );
    };
    await refused(packed(head("../../evil", 1), "x"));
    await refused(packed(head("artefacts/../../evil", 1), "x"));
    await refused(packed(head("artefacts/..", 1), "x"));
    await refused(packed({ ...head("journal.jsonl", 1), run: "other" }, "x"));
    await refused(packed(head("journal.jsonl", 2), "x"));
    await refused(packed(head("journal.jsonl", 1), "xx"));
    await refused(Buffer.from([255, 255, 255, 255, 0]));
    await refused(Buffer.from([1]));
  }));

Deno.test("the fleet's key comes from the environment, else from a file that is made once", () =>
  withFolder(async (state) => {
    await Promise.resolve();
    assert.equal(findFleetKey({}, state), undefined);
    assert.throws(() => findFleetKey({ BACKSTEP_FLEET_KEY: "short" }, state), { code: "usage" });
    const made = fleetSecret({}, state);
    assert.ok(made.made && made.file !== undefined);
    assert.equal(readFileSync(made.file, "utf8").trim(), made.secret);
    assert.deepEqual(fleetSecret({}, state), { ...made, made: false });
    const encrypted = findFleetKey({}, state)?.encrypt("r", new Uint8Array(32).fill(9)) ?? "";
    const elsewhere = findFleetKey({ BACKSTEP_FLEET_KEY: made.secret }, join(state, "none"));
    assert.deepEqual([...elsewhere?.decrypt("r", encrypted) ?? []], [...new Uint8Array(32).fill(9)]);
  }));
