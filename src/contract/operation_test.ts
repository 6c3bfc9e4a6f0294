import assert from "node:assert/strict";
import { z } from "zod";
import { openSession } from "../session/open-session.ts";
import { READS } from "./effect.ts";
import { Gate, OPEN_PORTS } from "./gate.ts";
import { defineOperation, type OperationDeclaration, type Shown } from "./operation.ts";

interface Counted {
  readonly n: number;
}
type Given = Partial<OperationDeclaration<{ to: number }, Counted, undefined>>;

function counting(more: Given) {
  return defineOperation<string, { to: number }, Counted, undefined>({
    name: "count",
    title: "Count",
    description: "Counts.",
    input: z.strictObject({ to: z.int() }),
    output: z.strictObject({ n: z.int() }),
    hints: READS,
    resolve: () => Promise.resolve(undefined),
    effect: () => "read",
    act: (_context, { to }) => Promise.resolve({ n: to }),
    ...more,
  });
}

async function through<R>(more: Given, use: (gate: Gate) => R | Promise<R>): Promise<R> {
  const session = await openSession({ kind: "simulated" });
  try {
    return await use(new Gate({ operations: [counting(more)], session, folder: "/", ports: OPEN_PORTS }));
  } finally {
    await session.close();
  }
}

async function shownOf(more: Given, to: number): Promise<Shown> {
  return await through(
    more,
    async (gate) => (await gate.dispatch({ operation: "count", input: { to } })).shown,
  );
}

Deno.test("an output is shown by the view of its operation, which knows its type", async () => {
  const cli = {
    command: "count",
    positionals: [],
    options: [],
    toText: ({ n }: Counted) => `counted to ${n}`,
    toJson: ({ n }: Counted) => [n],
    found: ({ n }: Counted) => n > 0,
  };
  const some = await shownOf({ views: { cli } }, 3);
  assert.deepEqual([some.text(), some.json(), some.found], ["counted to 3", [3], true]);
  assert.equal((await shownOf({ views: { cli } }, 0)).found, false);
});

Deno.test("without a view of its own an output is shown as JSON, and counts as found", async () => {
  const shown = await shownOf({}, 2);
  assert.deepEqual([shown.text(), shown.json(), shown.found], ['{\n  "n": 2\n}', { n: 2 }, true]);
});

Deno.test("a gate tells the traits of an operation, and which one has a trait", async () => {
  await through({ traits: { waits: true } }, (gate) => {
    assert.deepEqual(gate.traitsOf("count"), { waits: true });
    assert.deepEqual(gate.traitsOf("of another version"), {});
    assert.equal(gate.operationWith("waits").name, "count");
    assert.throws(() => gate.operationWith("runsCode"), { code: "invalid" });
  });
});

Deno.test("whether an operation follows the focus is judged from its input", () => {
  const followsFocus = ({ to }: { to: number }) => to > 5;
  assert.equal(counting({ followsFocus }).parse({ to: 6 }).followsFocus, true);
  assert.equal(counting({ followsFocus }).parse({ to: 5 }).followsFocus, false);
  assert.equal(counting({}).parse({ to: 6 }).followsFocus, false);
});
