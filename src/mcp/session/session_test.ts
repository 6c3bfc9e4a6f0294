import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../../base/error.ts";
import { isMap } from "../../base/json.ts";
import type { Window } from "../../desktop/desktop.ts";
import { at, dig } from "../../engine/run/_trial.ts";
import { readJournal, runFolder } from "../../engine/journal/journal.ts";
import { listRuns } from "../../engine/journal/runs.ts";
import { OPEN_SECURITY } from "../../policy/security.ts";
import { type Fixture, fixture, PLAIN_CLIENT } from "./_host.ts";
import type { McpClient } from "../server/client.ts";
import type { ToolResult } from "../server/dispatch.ts";
import type { Admission } from "../server/host.ts";
import type { ResolveAmbiguity } from "../server/call.ts";

const APP = "sim.settings";
const NAME = 'textfield[name="Name"]';
type More = { readonly [key: string]: Json };
const set = (value: string, more: More = {}) => ({
  tool: "ax_set_value",
  args: { app: "Settings", query: NAME, value },
  ...more,
});
const click = (name: string, more: More = {}) => ({
  tool: "ax_click",
  args: { app: "Settings", query: `button[name="${name}"]` },
  ...more,
});
const value = { tool: "ax_get_value", args: { app: "Settings", query: NAME } };
/** Fails at once: a button takes no value. */
const fails = (more: More = {}) => ({
  tool: "ax_set_value",
  args: { app: "Settings", query: 'button[name="Reset"]', value: "x" },
  ...more,
});
const name = ({ desktop }: Pick<Fixture, "desktop">) => at(desktop.world(), APP, "name", "text");
const text = ({ content }: ToolResult, index = 0): string => {
  const one = content[index];
  return one?.type === "text" ? one.text : "";
};
const failure = (result: ToolResult): More => {
  assert.equal(result.isError, true, JSON.stringify(result));
  const reported: Json = JSON.parse(text(result, 1));
  const error = isMap(reported) ? reported["error"] : undefined;
  return isMap(error) ? error : {};
};

Deno.test("a client connects by name, acts, and undoes across calls; who only looks writes nothing", async () => {
  await fixture({}, async ({ session, call, tool, desktop, state }) => {
    const found = await tool("ax_connect", { app: "settings", alias: "form" });
    assert.deepEqual(found.structuredContent, {
      connected: true,
      app_name: "Settings",
      pid: 1001,
      bundle_id: APP,
      windows: 1,
      alias: "form",
    });
    assert.deepEqual((await tool("ax_undo")).structuredContent, { undone: 0, skipped: 0, actions: [] });
    assert.equal(existsSync(join(state, "runs")), false);
    for (const value of ["Grace", "Hopper"]) {
      await session.act("ax_set_value", { app: "form", query: NAME, value }, call());
    }
    assert.equal(name({ desktop }), "Hopper");
    assert.equal((await tool("ax_undo")).structuredContent?.["undone"], 1);
    assert.equal(name({ desktop }), "Grace");
    assert.deepEqual((await tool("ax_undo", { count: 1_000_000 })).structuredContent, {
      undone: 1,
      skipped: 0,
      actions: [{ tool: "ax_set_value", status: "undone" }],
    });
    assert.equal(name({ desktop }), "Ada");
    const info = (await tool("ax_session_info")).structuredContent;
    assert.deepEqual([info?.["connected_apps"], info?.["action_count"], info?.["undo_stack_depth"]], [
      ["form"],
      2,
      0,
    ]);
    await session.close();
    const [run] = listRuns(state);
    assert.deepEqual([run?.workflow, run?.status], ["MCP session test", "passed"]);
  });
});

Deno.test("ax_undo is a step of a workflow too, with the defaults that are published for steps", async () => {
  await fixture({}, async (one) => {
    await one.tool("ax_connect", { app: APP });
    const undo = { tool: "ax_undo", args: {} };
    for (const given of [{}, { retry: 0, wait_after_ms: 0, on_fail: "abort" }]) {
      const steps = [set("Grace"), { ...undo, ...given }];
      const { structuredContent } = await one.tool("ax_workflow", { steps });
      assert.equal(structuredContent?.["success"], true, JSON.stringify(structuredContent));
      assert.equal(name(one), "Ada");
    }
    const reported = failure(await one.tool("ax_workflow", { steps: [{ ...undo, retry: 1 }] }));
    assert.match(String(reported["message"]), /retry/);
  });
});

Deno.test("axterminator spec, section 4.8: what ax_undo leaves, since somebody else changed it, is in its answer", async () => {
  await fixture({}, async ({ session, call, tool, desktop }) => {
    await tool("ax_connect", { app: APP });
    await session.act("ax_set_value", set("Grace").args, call());
    desktop.person(APP, "name", { text: "theirs" });
    const result = await tool("ax_undo");
    assert.deepEqual([result.isError, result.structuredContent], [undefined, {
      undone: 0,
      skipped: 1,
      actions: [{ tool: "ax_set_value", verdict: "conflict" }],
    }]);
    assert.match(JSON.stringify(result.content), /could be undone: set textfield/);
    assert.equal(name({ desktop }), "theirs");
  });
});

Deno.test("ax_undo: a count below 1 is refused with what to give", async () => {
  await fixture({}, async ({ tool }) => {
    for (const count of [0, -3]) {
      const reported = failure(await tool("ax_undo", { count }));
      assert.deepEqual([reported["kind"], reported["count"]], ["InvalidValue", count]);
    }
  });
});

Deno.test("ax_workflow: a step that fails and says rollback has all before it rolled back and read back", async () => {
  await fixture({}, async (one) => {
    await one.tool("ax_connect", { app: APP });
    const result = await one.tool("ax_workflow", {
      steps: [set("Grace"), value, fails({ on_fail: "rollback" })],
    });
    const reported = failure(result);
    assert.deepEqual([reported["kind"], reported["step"], reported["rolled_back"]], [
      "WorkflowFailed",
      3,
      true,
    ]);
    assert.match(
      text(result),
      /^Error: Step 3\/3 failed: .*\n\nSuggestion: Everything that was done before was rolled back/,
    );
    const { results, ...rest } = result.structuredContent ?? {};
    assert.deepEqual({ ...rest, error: "" }, {
      success: false,
      steps_completed: 2,
      steps_total: 3,
      rolled_back: true,
      verdict: "restored",
      error: "",
    });
    const oks = Array.isArray(results) ? results.map((each) => [each.tool, each.ok]) : [];
    assert.deepEqual(oks, [["ax_set_value", true], ["ax_get_value", true], ["ax_set_value", false]]);
    assert.equal(name(one), "Ada");
    assert.deepEqual(one.reported.progress.filter(({ total }) => total !== undefined), [
      { message: `Step 1/3: ax_set_value '${NAME}'`, done: 1, total: 3 },
      { message: `Step 2/3: ax_get_value '${NAME}'`, done: 2, total: 3 },
      { message: `Step 3/3: ax_set_value 'button[name="Reset"]'`, done: 3, total: 3 },
    ]);
  });
});

Deno.test("ax_workflow: with a click among the steps it is not called rolled back, and the click is named", async () => {
  await fixture({}, async (one) => {
    await one.tool("ax_connect", { app: APP });
    const result = await one.tool("ax_workflow", {
      steps: [set("Grace"), click("Apply"), fails({ on_fail: "rollback" })],
    });
    const { rolled_back, verdict, not_rolled_back } = result.structuredContent ?? {};
    assert.deepEqual([rolled_back, verdict, not_rolled_back], [false, "drift", [
      'ax_click button "Apply" of Settings',
    ]]);
    assert.match(text(result), /Rolled back but for: ax_click button "Apply"/);
    assert.equal(name(one), "Ada", "what came before the click is rolled back");
    assert.equal(dig(one.desktop.world(), ["applications", APP, "state", "applied"]), 1);
  });
});

Deno.test("ax_workflow: abort, the default, leaves what was done and does not say otherwise", async () => {
  await fixture({}, async (one) => {
    await one.tool("ax_connect", { app: APP });
    const result = await one.tool("ax_workflow", { steps: [set("Grace"), fails(), set("never")] });
    assert.deepEqual([result.isError, result.structuredContent?.["rolled_back"], name(one)], [
      true,
      false,
      "Grace",
    ]);
    assert.match(text(result), /left as it is/);
    assert.equal((await one.tool("ax_undo")).structuredContent?.["undone"], 1);
    assert.equal(name(one), "Ada");
  });
});

Deno.test("ax_workflow: the hint in a step's error names tools, no commands", async () => {
  await fixture({}, async (one) => {
    await one.tool("ax_connect", { app: APP });
    const gone = { tool: "ax_click", args: { app: APP, query: "nothing" }, on_fail: "skip" };
    const results = JSON.stringify((await one.tool("ax_workflow", { steps: [gone] })).structuredContent);
    assert.match(results, /"hint":"Call ax_get_tree/);
    assert.doesNotMatch(results, /`backstep /);
  });
});

Deno.test("ax_workflow: what later steps name of earlier ones is filled in, once", async () => {
  await fixture({}, async (one) => {
    await one.tool("ax_connect", { app: APP });
    const result = await one.tool("ax_workflow", {
      steps: [set("{{env.HOME}}"), value, set("<{{step_2.value}}> {{step_9}} {{name}}")],
    });
    assert.equal(result.isError, true, "step 9 is not there");
    const passed = await one.tool("ax_workflow", {
      steps: [set("{{env.HOME}}"), value, set("<{{step_2.value}}> {{name}}")],
    });
    assert.equal(passed.structuredContent?.["success"], true, JSON.stringify(passed));
    assert.equal(name(one), "<{{env.HOME}}> {{name}}");
  });
});

Deno.test("ax_workflow: steps that could not be called by themselves are refused before the first is done", async () => {
  const refused: readonly [string, readonly Json[], RegExp][] = [
    [
      "another workflow",
      [set("Grace"), { tool: "ax_workflow", args: { steps: [] } }],
      /Step 2: .*cannot hold/,
    ],
    ["no tool", [set("Grace"), { tool: "ax_clik", args: {} }], /Step 2: there is no tool "ax_clik"/],
    [
      "no app",
      [set("Grace"), { tool: "ax_click", args: { query: "button" } }],
      /Step 2: ax_click: app: /,
    ],
    ["a misspelt argument", [
      set("Grace"),
      { tool: "ax_key_press", args: { app: "Settings", key: "a", modifier: ["cmd"] } },
    ], /Step 2: ax_key_press: modifier: unknown property: did you mean modifiers\?/],
    [
      "what is no step",
      [{ tool: "ax_connect", args: { app: "Settings" } }],
      /Step 1: ax_connect cannot be a step/,
    ],
    ["nothing", [], /1 to 200 steps/],
    ["an application that is not connected", [
      set("Grace"),
      { tool: "ax_click", args: { app: "Mail", query: "button" } },
    ], /not connected: "Mail"/],
  ];
  await fixture({}, async (one) => {
    await one.tool("ax_connect", { app: APP });
    for (const [what, steps, why] of refused) {
      const reported = failure(await one.tool("ax_workflow", { steps }));
      assert.match(String(reported["message"]), why, what);
    }
    assert.deepEqual([name(one), one.session.run], ["Ada", undefined], "no run began");
  });
});

Deno.test("ax_workflow: a call that is cancelled has its steps rolled back, whatever on_fail says", async () => {
  await fixture({}, async (one) => {
    await one.tool("ax_connect", { app: APP });
    const stop = new AbortController();
    const running = one.tool("ax_workflow", {
      steps: [set("Grace", { wait_after_ms: 60_000 }), set("never")],
    }, {
      signal: stop.signal,
    });
    await until(() => name(one) === "Grace");
    stop.abort();
    const result = await running;
    assert.deepEqual([result.isError, result.structuredContent?.["rolled_back"], name(one)], [
      true,
      true,
      "Ada",
    ]);
  });
});

Deno.test("a session that is closed in the middle of ax_workflow has its steps rolled back, and its other acts stay", async () => {
  await fixture({}, async (one) => {
    await one.tool("ax_connect", { app: APP });
    await one.session.act("ax_set_value", set("Grace").args, one.call());
    const running = one.tool("ax_workflow", {
      steps: [set("Hopper", { wait_after_ms: 60_000 }), set("never")],
    });
    await until(() => name(one) === "Hopper");
    await one.session.close();
    assert.equal((await running).isError, true);
    assert.equal(name(one), "Grace");
    assert.equal(listRuns(one.state)[0]?.status, "passed");
    assert.equal(one.host.sessions.size, 0);
    await assert.rejects(one.session.act("ax_set_value", set("late").args, one.call()), {
      code: "cancelled",
    });
  });
});

Deno.test("acts of several sessions are done one after another, in turns; ax_workflow holds the desktop to its end", async () => {
  await fixture({}, async (one) => {
    const other = one.host.open("other");
    for (const session of [one.session, other]) await one.tool("ax_connect", { app: APP }, { session });
    const order: string[] = [];
    const act = (who: typeof other, value: string) =>
      who.act("ax_set_value", set(value).args, one.call({ session: who })).then(() => void order.push(value));
    const flow = one.tool("ax_workflow", { steps: [set("w1"), set("w2"), set("w3")] }).then(() =>
      void order.push("workflow")
    );
    await Promise.all([
      flow,
      act(one.session, "a1"),
      act(one.session, "a2"),
      act(one.session, "a3"),
      act(other, "b1"),
      act(other, "b2"),
    ]);
    assert.deepEqual(order, ["workflow", "a1", "b1", "a2", "b2", "a3"]);
    assert.equal(
      (await one.tool("ax_undo", {}, { session: other })).structuredContent?.["skipped"],
      1,
      "a3 came after: it is left alone",
    );
    assert.equal(name(one), "a3");
  });
});

Deno.test("looks do not wait for acts", async () => {
  await fixture({}, async (one) => {
    await one.tool("ax_connect", { app: APP });
    const running = one.tool("ax_workflow", { steps: [set("Grace", { wait_after_ms: 60_000 })] });
    await until(() => name(one) === "Grace");
    const seen = await one.tool("ax_get_value", value.args);
    assert.equal(seen.structuredContent?.["value"], "Grace", JSON.stringify(seen));
    await assert.rejects(
      one.session.look({ operation: "set-value", input: {} }, one.call()),
      (error) => error instanceof Error,
    );
    await one.session.close();
    assert.equal((await running).isError, true);
  });
});

for (const mode of ["background", "focus"] as const) {
  Deno.test(`what another application's window hides is used all the same: ${mode}`, async () => {
    await fixture({ applications: [APP, "sim.calculator"], mode }, async (one) => {
      await one.tool("ax_connect", { app: APP });
      await one.session.act("ax_set_value", set("Grace").args, one.call());
      assert.equal(name(one), "Grace");
      assert.equal(
        front(await one.desktop.windows()),
        "sim.calculator",
        "nothing is raised for what needs no pointer",
      );
      const clicked = await one.tool("ax_click", {
        app: APP,
        query: NAME,
        click_type: "double",
        mode: "focus",
      });
      if (mode === "background") return assert.equal(failure(clicked)["kind"], "Unsupported");
      assert.equal(clicked.isError, undefined, JSON.stringify(clicked));
      assert.equal(front(await one.desktop.windows()), APP);
    });
  });
}
const front = (windows: readonly Window[]) => windows.at(-1)?.windowClass;

Deno.test("while a person is asked about an act, other sessions act; the person's session does not get ahead of itself", async () => {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const client: McpClient = {
    ...PLAIN_CLIENT,
    can: { ...PLAIN_CLIENT.can, form: true },
    elicit: async () => {
      asked.resolve();
      await answered.promise;
      return { action: "accept", content: {} };
    },
  };
  const admission: Admission = (call, _, args) => [{
    async admit() {
      if (args["value"] !== "asked") return;
      await call.client.elicit({ mode: "form", message: "?", requestedSchema: {} }, call.signal);
    },
  }];
  await fixture({ admission }, async (one) => {
    const other = one.host.open("other");
    for (const session of [one.session, other]) await one.tool("ax_connect", { app: APP }, { session });
    const order: string[] = [];
    const first = one.session.act("ax_set_value", set("asked").args, one.call({ client })).then(() =>
      order.push("asked")
    );
    const second = one.session.act("ax_set_value", set("own").args, one.call()).then(() => order.push("own"));
    await asked.promise;
    await other.act("ax_set_value", set("other").args, one.call({ session: other })).then(() =>
      order.push("other")
    );
    answered.resolve();
    await Promise.all([first, second]);
    assert.deepEqual([order, name(one)], [["other", "asked", "own"], "own"]);
    assert.equal((await one.tool("ax_undo", { count: 2 })).structuredContent?.["undone"], 2);
    assert.equal(name(one), "other", "what the other did meanwhile is how it was before");
  });
});

Deno.test("a call that waits for its turn can be cancelled, and does nothing then", async () => {
  await fixture({}, async (one) => {
    await one.tool("ax_connect", { app: APP });
    const running = one.tool("ax_workflow", { steps: [set("Grace", { wait_after_ms: 60_000 })] });
    await until(() => name(one) === "Grace");
    const stop = new AbortController();
    const waiting = one.session.act("ax_set_value", set("never").args, one.call({ signal: stop.signal }));
    stop.abort();
    await assert.rejects(waiting, { code: "cancelled" });
    await one.session.close();
    await running;
    assert.equal(name(one), "Ada");
  });
});

Deno.test("an application that has ended is said to have, and forgotten", async () => {
  await fixture({ applications: ["sim.calculator", APP] }, async (one) => {
    for (const app of [APP, "sim.calculator"]) await one.tool("ax_connect", { app });
    await one.host.desktop.launcher.quit(APP);
    for (const steps of [undefined, [value]]) {
      if (one.session.connections.find("Settings") === undefined) break;
      const reported = steps
        ? failure(await one.tool("ax_workflow", { steps }))
        : await one.session.act("ax_set_value", set("x").args, one.call()).catch((thrown) => thrown);
      assert.equal(reported.kind, "AppNotRunning");
    }
    assert.deepEqual(one.session.connections.list.map(({ name }) => name), ["Calculator"]);
    const reported = failure(await one.tool("ax_workflow", { steps: [set("x")] }));
    assert.deepEqual([reported["kind"], reported["connected"]], ["AppNotConnected", ["Calculator"]]);
    await one.host.desktop.launcher.launch(APP);
    await one.tool("ax_connect", { app: "Settings", alias: "again" });
    await one.host.desktop.launcher.quit(APP);
    await one.host.desktop.launcher.launch(APP);
    assert.equal((await one.tool("ax_connect", { app: "Settings" })).structuredContent?.["connected"], true);
    assert.deepEqual(one.session.connections.list.map(({ name }) => name), ["Calculator", "Settings"]);
    await one.host.desktop.launcher.quit(APP);
    const gone = failure(await one.tool("ax_connect", { app: "Settings" }));
    assert.equal(gone["kind"], "AppNotRunning");
    assert.match(JSON.stringify(gone["running"]), /Calculator/);
  });
});

Deno.test("ax_connect: what fits several is asked for, or told with those that fit", async () => {
  const applications = [{ id: "org.a.Notes", name: "Notes A", windows: [] }, {
    id: "org.b.Notes",
    name: "Notes B",
    windows: [],
  }];
  await fixture({ applications }, async (one) => {
    const reported = failure(await one.tool("ax_connect", { app: "notes" }));
    assert.equal(reported["kind"], "InvalidValue");
    assert.match(JSON.stringify(reported["candidates"]), /Notes A.*Notes B/);
    for (const app of ["Notes B", "org.b.notes", "1002"]) {
      assert.equal((await one.tool("ax_connect", { app })).structuredContent?.["pid"], 1002, app);
    }
    const taken = failure(await one.tool("ax_connect", { app: "Notes A", alias: "Notes B" }));
    assert.equal(taken["kind"], "InvalidValue");
  });
  const resolveAmbiguity: ResolveAmbiguity = (_, fits) => Promise.resolve(fits[1]);
  await fixture({ applications, resolveAmbiguity }, async (one) => {
    assert.equal((await one.tool("ax_connect", { app: "notes" })).structuredContent?.["app_name"], "Notes B");
  });
});

Deno.test("an application that the policy blocks can be neither connected nor used any more", async () => {
  let blocked = false;
  const security = { ...OPEN_SECURITY, blocked: () => blocked ? "it is denied" : undefined };
  await fixture({ security }, async (one) => {
    await one.tool("ax_connect", { app: APP });
    blocked = true;
    for (
      const result of [
        await one.tool("ax_connect", { app: APP }),
        await one.tool("ax_workflow", { steps: [set("x")] }),
      ]
    ) {
      const reported = failure(result);
      assert.deepEqual([reported["kind"], reported["message"]], [
        "SecurityBlocked",
        "App 'Settings' is blocked by security policy",
      ]);
    }
    assert.equal(name(one), "Ada");
  });
});

Deno.test("what a host lets through is asked at every act and look, with the tool it is for", async () => {
  const asked: string[] = [];
  const heard: string[] = [];
  await fixture({
    admission: (_, tool) => [{ admit: (act) => void asked.push(`${tool}: ${act.operation.name}`) }],
    audit: (_, tool) => ({ record: (_, { ok }) => void heard.push(`${tool} ${ok}`) }),
  }, async (one) => {
    await one.tool("ax_connect", { app: APP });
    await one.tool("ax_workflow", { steps: [set("Grace"), value] });
    await one.session.look(
      { operation: "value", input: { target: { selector: NAME, app: "1001" } } },
      one.call(),
    );
    assert.deepEqual(asked, ["ax_workflow: set", "ax_workflow: value", "value: value"]);
    assert.deepEqual(heard, ["ax_workflow true", "ax_workflow true", "value true"]);
  });
});

Deno.test("what is typed stands in no log and in no journal line that can be read", async () => {
  await fixture({}, async (one) => {
    await one.tool("ax_connect", { app: APP });
    await one.tool("ax_workflow", { steps: [set("s3cret words")] });
    const { run } = one.session;
    assert.ok(run);
    assert.doesNotMatch(JSON.stringify(readJournal(runFolder(one.state, run))), /s3cret/);
    assert.doesNotMatch(JSON.stringify([one.reported.log, one.reported.progress]), /s3cret/);
    assert.match(
      JSON.stringify(one.reported.log),
      /"logger":"axterminator.tools.workflow","data":\{"tool":"ax_workflow","duration_ms":[\d.]+,"ax_duration_ms":[\d.]+\}/,
    );
  });
});

/** Waits until it holds, at most 5 s. */
async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 5_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error("it does not come to hold");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
