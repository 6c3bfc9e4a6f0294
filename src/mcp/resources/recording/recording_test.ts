import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Json } from "../../../base/error.ts";
import { isMap } from "../../../base/json.ts";
import { guarded, type GuardedFixture, type GuardedOptions } from "../../security/_guarded.ts";
import { listResources, listTemplates, readResource, watchResource } from "../../server/find-resource.ts";
import { ProtocolError } from "../../server/wire.ts";
import { recording } from "./recording.ts";

const START = "axterminator://recording/start";
const STOP = "axterminator://recording/stop";
const STATUS = "axterminator://recording/status";

const LIMITS = "[rate_limits]\nrps = 1000\nrpm = 100000\n";
const agree = () => ({ action: "accept", content: { confirm: true } }) as const;

async function read({ host, call }: GuardedFixture, uri: string): Promise<{ readonly [key: string]: Json }> {
  const [first] = await readResource(host, uri, call());
  assert.ok(first !== undefined && "text" in first && first._meta?.note !== undefined);
  const value: Json = JSON.parse(first.text);
  assert.ok(isMap(value));
  return value;
}

async function refused(fixture: GuardedFixture, uri: string): Promise<ProtocolError> {
  try {
    await readResource(fixture.host, uri, fixture.call());
  } catch (thrown) {
    assert.ok(thrown instanceof ProtocolError, String(thrown));
    return thrown;
  }
  throw new Error(`${uri} was answered`);
}

function audited({ audit }: GuardedFixture): string[] {
  return readFileSync(audit, "utf8").trim().split("\n").map((line) => {
    const { tool, result, security_flags: flags } = JSON.parse(line);
    return [tool, result, ...flags].join(" ");
  });
}

Deno.test("a person is asked before a recording begins, and what came of it is written down", async () => {
  let answer: GuardedOptions["answer"] = agree;
  await guarded({ answer: (asked) => answer?.(asked) ?? { action: "cancel" } }, async (fixture) => {
    answer = () => ({ action: "accept", content: { confirm: false } });
    assert.match((await refused(fixture, START)).message, /the person said no/);
    answer = () => ({ action: "cancel" });
    assert.match((await refused(fixture, START)).message, /the person did not say yes/);
    assert.deepEqual((await read(fixture, STATUS))["recording"], false);
    answer = agree;
    const begun = read(fixture, START);
    assert.match((await refused(fixture, START)).message, /under way already/);
    assert.equal((await begun)["recording"], true);
    assert.equal(fixture.asked.length, 3);
    assert.deepEqual((await read(fixture, STOP))["steps"], []);
    assert.deepEqual(audited(fixture), [
      `${START} elicitation_declined`,
      `${START} elicitation_cancelled`,
      `${START} success`,
      `${STOP} success`,
    ]);
  });
});

Deno.test("where nobody can be asked it is refused, unless a setting says otherwise, and in safe mode always", async () => {
  await guarded({}, async (fixture) => {
    const error = await refused(fixture, START);
    assert.deepEqual([error.code, /record_unasked/.test(JSON.stringify(error.data))], [-32002, true]);
    fixture.write("record_unasked = true");
    assert.equal((await read(fixture, START))["recording"], true);
    await read(fixture, STOP);
    fixture.write('mode = "safe"\nrecord_unasked = true');
    assert.match((await refused(fixture, START)).message, /cannot ask/);
    assert.deepEqual(audited(fixture).slice(1), [
      `${START} success not_confirmed`,
      `${STOP} success`,
      `${START} confirmation_impossible`,
    ]);
    assert.ok(fixture.log.some(({ data }) => data["event"] === "recording_not_confirmed"));
  });
});

Deno.test("where the server only reads there are no recordings, and one that was under way is over", async () => {
  await guarded({ answer: agree }, async (fixture) => {
    const { host, call } = fixture;
    const listed = async () =>
      [
        ...(await listResources(host, call())).map(({ uri }) => uri),
        ...(await listTemplates(host, call())).map(({ uriTemplate }) => uriTemplate),
      ].filter((one) => one.includes("recording"));
    assert.equal((await listed()).length, 4);
    await read(fixture, START);
    fixture.write('mode = "sandboxed"');
    assert.deepEqual(await listed(), []);
    for (const uri of [START, STOP, STATUS, `${STOP}?save=a.yaml`]) {
      assert.match((await refused(fixture, uri)).message, /Resource not found/);
    }
    await assert.rejects(watchResource(host, STATUS, call(), () => {}), ProtocolError);
    fixture.write("");
    assert.match((await refused(fixture, STOP)).message, /nothing is recorded/);
  });
});

Deno.test("what is asked for otherwise is refused by name", async () => {
  await guarded({ answer: agree }, async (fixture) => {
    for (
      const uri of [
        `${STOP}?force=1`,
        `${START}?app=x`,
        "axterminator://recording",
        "axterminator://recording/pause",
      ]
    ) {
      assert.equal((await refused(fixture, uri)).code, -32002, uri);
    }
    await read(fixture, START);
    assert.match((await refused(fixture, `${STOP}?save=a.yaml`)).message, /offers no folder as a root/);
    assert.equal((await read(fixture, STATUS))["recording"], true, "it goes on");
  });
});

/** How many recordings of input are open on the desktop. */
function counted({ desktop }: GuardedFixture): { open: number } {
  const count = { open: 0 };
  const record = desktop.recordInput?.bind(desktop);
  assert.ok(record !== undefined);
  desktop.recordInput = async (call) => {
    const one = await record(call);
    count.open++;
    return {
      next: (wait) => one.next(wait),
      take: () => one.take(),
      async close() {
        await one.close();
        count.open--;
      },
    };
  };
  return count;
}

Deno.test("another session has a recording of its own, and each ends with its session", async () => {
  await guarded({ answer: agree, security: LIMITS }, async (fixture) => {
    const { host, call } = fixture;
    const inputs = counted(fixture);
    const other = host.open("other");
    const mine = call(), theirs = call({ session: other });
    const notices: string[] = [];
    const follow = await watchResource(host, STATUS, mine, () => void notices.push("changed"));
    await readResource(host, START, mine);
    await readResource(host, START, theirs);
    assert.equal(inputs.open, 2);
    await other.close();
    assert.equal(inputs.open, 1, "a session that is over records on");
    await assert.rejects(readResource(host, START, theirs), /is over/);
    assert.equal((await read(fixture, STATUS))["recording"], true);
    await read(fixture, STOP);
    assert.equal(inputs.open, 0, "a recording that is over goes on");
    await new Promise((resolve) => setTimeout(resolve, 150)); // that notices are put together is waited for
    await follow.close();
    assert.ok(notices.length >= 1);
    assert.equal(
      (await read(fixture, START))["recording"],
      true,
      "what was fetched gives way to the next one",
    );
  });
});

Deno.test("one that reaches a limit ends by itself, says so, and its steps wait to be fetched", async () => {
  await guarded({ answer: agree }, async (fixture) => {
    const provider = recording({ limits: { milliseconds: 20, steps: 500, characters: 1_000 } });
    const call = fixture.call();
    const json = async (uri: string): Promise<{ readonly [key: string]: Json }> => {
      const [first] = await provider.read(uri, call) ?? [];
      assert.ok(first !== undefined && "text" in first);
      return JSON.parse(first.text);
    };
    const finished = Promise.withResolvers<void>();
    const follow = await provider.watch?.(STATUS, call, async () => {
      if ((await json(STATUS))["reason"] !== undefined) finished.resolve();
    });
    await json(START);
    await finished.promise;
    assert.deepEqual([(await json(STATUS))["reason"], (await json(STATUS))["fetched"]], ["time", false]);
    await assert.rejects(provider.read(START, call), /waits to be fetched/);
    assert.equal((await json(STOP))["reason"], "time");
    assert.equal((await json(START))["recording"], true);
    await follow?.close();
  });
});
