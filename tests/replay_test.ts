import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ROOT, withPlace } from "./cli/program.ts";
import type { Place } from "./cli/program.ts";

const APPLICATION = join(ROOT, "tests/fixtures/replay/order.py");
const TOKEN = "lantern-4711-quay";

/** A workflow that fills the form in and sends it. */
function orderFile(account: string, ...flags: string[]): string {
  const words = [APPLICATION, account, ...flags];
  return `name: Order
app: order.py
session: isolated
timeout: 60s
secrets: [ORDER_TOKEN]
before:
  - launch: ${JSON.stringify({ app: "/usr/bin/python3", args: words })}
steps:
  - set: { target: 'textfield[name="Customer"]', value: Ada }
  - set: { target: 'spinbutton[name="Quantity"]', value: 3 }
  - click: 'checkbox[name="Express"]'
  - set: { target: 'passwordfield[name="Token"]', value: '{{secrets.ORDER_TOKEN}}' }
  - click: 'button[name="Send"]'
  - assert: { target: 'label[name="Sent to Ada"]', exists: true, timeout: 8s }
`;
}

const Differences = z.object({
  run: z.object({ status: z.string(), exit: z.number() }),
  drift: z.object({
    edited: z.boolean(),
    compared: z.number(),
    drift: z.array(z.object({
      path: z.string(),
      name: z.string(),
      kind: z.string(),
      property: z.string(),
      recorded: z.unknown(),
      found: z.unknown(),
      bound: z.number().optional(),
    })),
  }).optional(),
  saved: z.string().optional(),
});

const OPTIONS = { env: { ORDER_TOKEN: TOKEN }, timeout: 120_000 };

async function replayed(place: Place, file: string, ...more: string[]) {
  const finished = await place.run(["replay", file, "--format", "json", ...more], OPTIONS);
  assert.equal(finished.code, 0, finished.err + finished.out);
  assert.ok(!finished.out.includes(TOKEN));
  const answer = Differences.parse(JSON.parse(finished.out));
  assert.equal(answer.run.status, "passed");
  return answer;
}

/** The application's own account. */
function accountIn(path: string): { what: string; [key: string]: unknown }[] {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line) => z.looseObject({ what: z.string() }).parse(JSON.parse(line)));
}

Deno.test("a replay of an unchanged GTK 3 form has no drift; a changed one is named exactly, and its own account agrees", () =>
  withPlace(async (place) => {
    const account = join(place.work, "account.jsonl");
    const file = place.file("order.yaml", orderFile(account));
    const without = await place.run(["replay", file], OPTIONS);
    assert.equal(without.code, 2);
    assert.match(without.err, /there is no recording order\.yaml\.recording\.json/);
    assert.ok(!existsSync(account), "nothing was launched");

    const first = await replayed(place, file, "--save");
    assert.equal(first.drift, undefined);
    const kept = join(place.work, "order.yaml.recording.json");
    assert.equal(first.saved, kept);
    const text = readFileSync(kept, "utf8");
    assert.ok(!text.includes(TOKEN), "the secret is in the recording");
    assert.match(text, /"value": "Ada"/, "what the field held afterwards is in the recording");

    const same = await replayed(place, file);
    assert.deepEqual(same.drift?.drift, []);
    assert.equal(same.drift?.compared, 7);
    assert.equal(same.drift?.edited, false);

    place.file("order.yaml", orderFile(account, "--moved", "--slow", "--full"));
    const changed = await replayed(place, file);
    const found = changed.drift?.drift.map(({ path, kind, property }) => `${path} ${kind} ${property}`);
    const moved = ["1", "2", "3", "4", "5", "6"].map((path) => `${path} elsewhere place`);
    assert.deepEqual(found, [
      ...moved.slice(0, 3),
      // It was checked already: the same click left it unchecked.
      "3 different states",
      "3 different value",
      ...moved.slice(3, 5),
      "6 slower duration_ms",
      "6 elsewhere place",
      "6 elsewhere tree",
    ]);
    assert.equal(changed.drift?.edited, true);
    const value = changed.drift?.drift.find(({ property }) => property === "value");
    assert.deepEqual([value?.recorded, value?.found], [true, false], "as the click left it");
    const slower = changed.drift?.drift.find(({ kind }) => kind === "slower");
    assert.ok(Number(slower?.found) > 2_000 && Number(slower?.found) > (slower?.bound ?? Infinity));
    const tree = changed.drift?.drift.find(({ property }) => property === "tree");
    assert.match(String(tree?.found), /> frame > label$|> panel.* > label$/);

    const lines = accountIn(account);
    assert.deepEqual(lines.map(({ what }) => what), [
      ...Array.from({ length: 3 }, () => ["shown", "pressed", "sent"]).flat(),
    ]);
    const sent = lines.filter(({ what }) => what === "sent");
    assert.deepEqual(sent.map(({ customer, quantity, moved }) => [customer, quantity, moved]), [
      ["Ada", 3, false],
      ["Ada", 3, false],
      ["Ada", 3, true],
    ]);
    const pressed = lines.filter(({ what }) => what === "pressed");
    assert.deepEqual(pressed.map(({ token }) => token), [TOKEN.length, TOKEN.length, TOKEN.length]);
    assert.deepEqual(place.traces(), []);
  }));

Deno.test("a replay compares with the evidence of an earlier run, by its id", () =>
  withPlace(async (place) => {
    const account = join(place.work, "account.jsonl");
    const file = place.file("order.yaml", orderFile(account));
    const bare = await place.run(["run", file, "--format", "json"], OPTIONS);
    const unseen = await place.run([
      "replay",
      file,
      "--against",
      z.object({ run: z.string() })
        .parse(JSON.parse(bare.out)).run,
    ], OPTIONS);
    assert.equal(unseen.code, 2);
    assert.match(unseen.err, /it kept no evidence/);
    const ran = await place.run(["run", file, "--evidence", "on", "--format", "json"], OPTIONS);
    assert.equal(ran.code, 0, ran.err);
    const { run } = z.object({ run: z.string() }).parse(JSON.parse(ran.out));
    const same = await replayed(place, file, "--against", run);
    assert.deepEqual(same.drift?.drift, []);
    assert.deepEqual([same.drift?.compared, same.drift?.edited], [7, false]);

    place.file("order.yaml", orderFile(account, "--moved", "--slow", "--full"));
    const changed = await replayed(place, file, "--against", run);
    const found = changed.drift?.drift.map(({ path, kind, property }) => `${path} ${kind} ${property}`);
    // It was checked already: the same click left it unchecked. Places are not told.
    assert.deepEqual(found, ["3 different states", "6 slower duration_ms"]);
    assert.equal(changed.drift?.edited, true);
    const twice = await place.run(["replay", file, "--against", run, "--save"], OPTIONS);
    assert.equal(twice.code, 2);
    const nobody = await place.run(["replay", file, "--against", "20261120-233000-c3f9a1"], OPTIONS);
    assert.match(nobody.err, /there is no such run/);
    assert.deepEqual(accountIn(account).filter(({ what }) => what === "sent").length, 4);
  }));
