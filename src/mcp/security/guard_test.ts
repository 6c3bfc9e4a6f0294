import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import type { Json } from "../../base/error.ts";
import { isMap } from "../../base/json.ts";
import { guarded, type GuardedFixture } from "./_guarded.ts";
import { callTool, type ToolResult } from "../server/dispatch.ts";
import { getPrompt } from "../server/find-prompt.ts";
import { readResource } from "../server/find-resource.ts";
import { listTools } from "../server/listed.ts";
import { ProtocolError } from "../server/wire.ts";

/** The error of a result, as programs read it. */
function errorOf(result: ToolResult): { readonly [key: string]: Json } {
  ok(result.isError, JSON.stringify(result));
  const text = result.content[1];
  ok(text?.type === "text");
  const parsed: { readonly error: { readonly [key: string]: Json } } = JSON.parse(text.text);
  return parsed.error;
}

const connect = (fixture: GuardedFixture, app = "Store") => fixture.tool("ax_connect", { app });
const click = (fixture: GuardedFixture, name: string) =>
  fixture.tool("ax_click", { app: "Store", query: `button[name="${name}"]` });
const linesOf = (fixture: GuardedFixture): { readonly [key: string]: Json }[] =>
  existsSync(fixture.audit)
    ? readFileSync(fixture.audit, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line))
    : [];
const alerts = (fixture: GuardedFixture) => fixture.log.filter(({ level }) => level === "alert");

const DELETE = {
  mode: "form",
  message: "This will click 'Delete All Data' in Store. This action may be irreversible.\n" +
    "What stands in quotes is the application's own text.",
  requestedSchema: {
    type: "object",
    properties: { confirm: { type: "boolean", title: "Confirm destructive action", default: false } },
    required: ["confirm"],
  },
};

Deno.test("an act on an element that destroys happens after a person agreed, as the specification words it", async () => {
  await guarded({ answer: () => ({ action: "accept", content: { confirm: true } }) }, async (fixture) => {
    await connect(fixture);
    await click(fixture, "Delete All Data");
    deepEqual(fixture.asked, [DELETE]);
    deepEqual(fixture.pressed, ["delete"]);
    const [line] = linesOf(fixture);
    deepEqual(line?.["security_flags"], ["destructive_keyword"]);
    equal(line?.["result"], "success");
  });
});

Deno.test("declined, cancelled or accepted without the tick, the act does not happen and is written down", async () => {
  const answers = [
    [{ action: "decline" }, "elicitation_declined"],
    [{ action: "cancel" }, "elicitation_cancelled"],
    [{ action: "accept", content: { confirm: false } }, "elicitation_declined"],
    [{ action: "accept", content: {} }, "elicitation_declined"],
  ] as const;
  for (const [answer, result] of answers) {
    await guarded({ answer: () => answer }, async (fixture) => {
      await connect(fixture);
      equal(errorOf(await click(fixture, "Delete All Data"))["kind"], "ConfirmationRequired");
      deepEqual(fixture.pressed, []);
      const [line] = linesOf(fixture);
      equal(line?.["result"], result);
      deepEqual(line?.["target"], {
        app: "Store",
        role: "AXButton",
        title: "Delete All Data",
        ...(isMap(line?.["target"]) ? { position: line["target"]["position"] } : {}),
      });
    });
  }
});

Deno.test("the words are looked for in what the element is called, not in what it was asked for by", async () => {
  await guarded({ answer: () => ({ action: "decline" }) }, async (fixture) => {
    await connect(fixture);
    // By its place among the buttons: no word of the query tells.
    ok((await fixture.tool("ax_click", { app: "Store", query: "button:nth(2)" })).isError);
    ok(
      (await fixture.tool("ax_click", { app: "Store", query: 'button[name="Icon"]' })).isError,
      "by its description",
    );
    equal(fixture.asked.length, 2);
    await click(fixture, "Undelete");
    await click(fixture, "Open");
    await fixture.tool("ax_set_value", {
      app: "Store",
      query: 'textfield[name="Delete reason"]',
      value: "x",
    });
    equal(fixture.asked.length, 2);
    deepEqual(fixture.pressed, ["undelete", "open"]);
  });
});

Deno.test("without a client that can ask, an act that destroys is refused in safe mode and warned of in normal mode", async () => {
  await guarded({ security: 'mode = "safe"' }, async (fixture) => {
    await connect(fixture);
    const error = errorOf(await click(fixture, "Delete All Data"));
    match(String(error["message"]), /a person has to confirm it, and the client cannot ask/);
    deepEqual(fixture.pressed, []);
    fixture.write('mode = "normal"');
    await click(fixture, "Delete All Data");
    deepEqual(fixture.pressed, ["delete"]);
    const warning = fixture.log.find(({ level, logger }) =>
      level === "warning" && logger === "axterminator.security"
    );
    equal(warning?.data["event"], "destructive_act_not_confirmed");
  });
});

Deno.test("asking can be turned off in normal mode, and not in safe mode", async () => {
  const answer = () => ({ action: "decline" }) as const;
  await guarded({ answer, security: "confirm_destructive = false" }, async (fixture) => {
    await connect(fixture);
    await click(fixture, "Delete All Data");
    equal(fixture.asked.length, 0);
    deepEqual(fixture.pressed, ["delete"]);
    fixture.write('confirm_destructive = false\nmode = "safe"');
    ok((await click(fixture, "Delete All Data")).isError);
    equal(fixture.asked.length, 1);
    deepEqual(fixture.pressed, ["delete"]);
  });
});

const clicksOn = (...names: string[]) =>
  names.map((name) => ({ tool: "ax_click", args: { app: "Store", query: `button[name="${name}"]` } }));

Deno.test("what a workflow is known to destroy is asked for before its first step, and a no leaves nothing half done", async () => {
  await guarded({ answer: () => ({ action: "decline" }) }, async (fixture) => {
    await connect(fixture);
    const steps = clicksOn("Open", "Delete All Data", "Undelete");
    ok((await fixture.tool("ax_workflow", { steps })).isError);
    deepEqual(fixture.asked, [DELETE]);
    deepEqual(fixture.pressed, []);
    const args = { app: "Store", query: 'button[name="Delete All Data"]' };
    ok((await callTool(fixture.host, "ax_click", args, fixture.call({ task: true }))).isError);
    deepEqual(fixture.pressed, []);
  });
  const yes = () => ({ action: "accept", content: { confirm: true } }) as const;
  await guarded({ answer: yes }, async (fixture) => {
    await connect(fixture);
    const { isError } = await fixture.tool("ax_workflow", { steps: clicksOn("Open", "Delete All Data") });
    ok(!isError);
    deepEqual([fixture.asked, fixture.pressed], [[DELETE], ["open", "delete"]]);
  });
});

Deno.test("a step whose target only comes with an earlier one is asked for when it comes, and a no stops the workflow", async () => {
  await guarded({ answer: () => ({ action: "decline" }) }, async (fixture) => {
    await connect(fixture);
    const [open] = clicksOn("Open");
    const steps = [
      { tool: "ax_find", args: { app: "Store", query: "Delete All Data" } },
      open ?? null,
      { tool: "ax_click", args: { app: "Store", query: 'button[name="{{step_1.title}}"]' } },
    ];
    ok((await fixture.tool("ax_workflow", { steps })).isError);
    deepEqual(fixture.asked, [DELETE]);
    deepEqual(fixture.pressed, ["open"]);
  });
});

Deno.test("Return on a button that destroys is asked for", async () => {
  await guarded({ answer: () => ({ action: "decline" }) }, async (fixture) => {
    await connect(fixture);
    const application = (await fixture.desktop.applications()).find(({ name }) => name === "Store");
    ok(application);
    const window = (await fixture.desktop.windows()).find(({ windowClass }) => windowClass === "test.store");
    await fixture.desktop.window(window?.id ?? 0, { do: "activate" });
    const snapshot = await fixture.desktop.snapshot(application);
    const row = Array.from({ length: snapshot.size }, (_, n) => n).find((n) =>
      snapshot.name(n) === "Delete All Data"
    );
    await fixture.desktop.act(snapshot.element(row ?? 0), { do: "focus" });
    ok((await fixture.tool("ax_key_press", { app: "Store", key: "Return" })).isError);
    match(fixture.asked[0]?.message ?? "", /press 'Delete All Data' in Store/);
    deepEqual(fixture.pressed, []);
  });
});

Deno.test("a drag that ends on what destroys is asked for, also by places of the screen", async () => {
  await guarded({ answer: () => ({ action: "decline" }) }, async (fixture) => {
    await connect(fixture);
    const application = (await fixture.desktop.applications()).find(({ name }) => name === "Store");
    ok(application);
    const window = (await fixture.desktop.windows()).find(({ windowClass }) => windowClass === "test.store");
    await fixture.desktop.window(window?.id ?? 0, { do: "activate" });
    const snapshot = await fixture.desktop.snapshot(application);
    const row = Array.from({ length: snapshot.size }, (_, n) => n).find((n) =>
      snapshot.name(n) === "Delete All Data"
    );
    const rect = snapshot.rect(row ?? 0);
    ok(rect);
    const [x, y] = [rect.x + 3, rect.y + 3];
    ok(
      (await fixture.tool("ax_drag", { app: "Store", from_x: x, from_y: y, to_x: x + 1, to_y: y + 1 }))
        .isError,
    );
    match(fixture.asked[0]?.message ?? "", /'Delete All Data' in Store/);
  });
});

Deno.test("a person's word is for what they were shown: what lies there by now is not clicked", async () => {
  const desktops: GuardedFixture[] = [];
  const moves = async () => {
    const [fixture] = desktops;
    const window = (await fixture?.desktop.windows())?.find(({ windowClass }) =>
      windowClass === "test.store"
    );
    ok(fixture && window);
    await fixture.desktop.window(window.id, { do: "place", x: window.rect.x, y: window.rect.y + 36 });
    return { action: "accept", content: { confirm: true } } as const;
  };
  await guarded({ answer: moves }, async (fixture) => {
    desktops.push(fixture);
    await connect(fixture);
    const application = (await fixture.desktop.applications()).find(({ name }) => name === "Store");
    ok(application);
    const snapshot = await fixture.desktop.snapshot(application);
    const row = Array.from({ length: snapshot.size }, (_, n) => n).find((n) => snapshot.name(n) === "Icon");
    const rect = snapshot.rect(row ?? 0);
    ok(rect);
    const result = await fixture.tool("ax_click_at", { x: rect.x + 5, y: rect.y + 5 });
    match(fixture.asked[0]?.message ?? "", /'Icon' in Store/);
    ok(result.isError);
    match(JSON.stringify(result.content), /it is something else by now/);
    deepEqual(fixture.pressed, []);
    match(readFileSync(fixture.audit, "utf8"), /changed_meanwhile/);
  });
});

Deno.test("who names an application that is blocked is told so, an alert is logged, and it counts as a call", async () => {
  const now = 0;
  await guarded(
    { security: '[apps]\ndenied = ["Store"]\n[rate_limits]\nrps = 4', now: () => now },
    async (fixture) => {
      for (const app of ["Store", "test.store"]) {
        const error = errorOf(await connect(fixture, app));
        equal(error["kind"], "SecurityBlocked");
        equal(error["message"], `App '${app}' is blocked by security policy`);
      }
      deepEqual(alerts(fixture).map(({ logger, data }) => [logger, data["event"]]), [
        ["axterminator.security", "app_blocked"],
        ["axterminator.security", "app_blocked"],
      ]);
      await rejects(connect(fixture, "Settings"), { code: -32000, message: "Rate limit exceeded" });
    },
  );
});

Deno.test("an application that becomes denied while a client is connected can be neither seen nor touched", async () => {
  await guarded({}, async (fixture) => {
    await connect(fixture);
    fixture.write('[apps]\ndenied = ["Store"]');
    for (
      const [tool, args] of [
        ["ax_click", { app: "Store", query: "button" }],
        ["ax_set_value", { app: "Store", query: "textfield", value: "x" }],
        ["ax_key_press", { app: "Store", key: "Tab" }],
        ["ax_workflow", { steps: [{ tool: "ax_click", args: { app: "Store", query: "button" } }] }],
      ] as const
    ) {
      const error = errorOf(await fixture.tool(tool, args));
      equal(error["kind"], "SecurityBlocked", `${tool}: ${JSON.stringify(error)}`);
    }
    deepEqual(fixture.pressed, []);
  });
});

Deno.test("one call too many is refused with a hint that holds", async () => {
  let now = 0;
  await guarded({ security: "[rate_limits]\nrps = 3\nrpm = 5", now: () => now }, async (fixture) => {
    const refused = async (): Promise<ProtocolError> => {
      try {
        await fixture.tool("ax_is_accessible");
      } catch (thrown) {
        ok(thrown instanceof ProtocolError);
        return thrown;
      }
      throw new Error("it was let through");
    };
    for (let n = 0; n < 3; n++) await fixture.tool("ax_is_accessible");
    const first = await refused();
    deepEqual([first.code, first.message, first.data], [-32000, "Rate limit exceeded", {
      limit: "second",
      max: 3,
      retry_after_ms: 1_000,
    }]);
    deepEqual(alerts(fixture).map(({ data }) => data["event"]), ["rate_limit_exceeded"]);
    now = 1_000;
    await fixture.tool("ax_is_accessible");
    await fixture.tool("ax_is_accessible");
    const minute = await refused();
    deepEqual(minute.data, { limit: "minute", max: 5, retry_after_ms: 59_000 });
    now = 60_000;
    await fixture.tool("ax_is_accessible");
  });
});

Deno.test("reading resources and getting prompts counts with the calls of tools, and the hint holds", async () => {
  let now = 0;
  await guarded({ security: "[rate_limits]\nrps = 3\nrpm = 8", now: () => now }, async (fixture) => {
    const { host, call } = fixture;
    const ways: readonly [what: string, ask: () => Promise<unknown>][] = [
      ["ax_is_accessible", () => fixture.tool("ax_is_accessible")],
      ["resources/read", () => readResource(host, "axterminator://system/status", call())],
      ["prompts/get", () => getPrompt(host, "test-app", { app_name: "Store" }, call())],
    ];
    for (const [, ask] of ways) await ask();
    for (const [what, ask] of ways) {
      await rejects(ask, (thrown: unknown) => {
        ok(thrown instanceof ProtocolError, what);
        deepEqual(
          [thrown.code, thrown.data],
          [-32000, { limit: "second", max: 3, retry_after_ms: 1_000 }],
          what,
        );
        return true;
      });
    }
    deepEqual(alerts(fixture).map(({ data }) => data["tool"]), ways.map(([what]) => what));
    now = 999;
    for (const [what, ask] of ways) await rejects(ask, { code: -32000 }, what);
    now = 1_000;
    for (const [, ask] of ways) await ask();
    now = 2_000;
    // What stands nowhere counts too: nobody looks for addresses faster than that.
    await rejects(() => readResource(host, "axterminator://nothing", call()), { code: -32002 });
    await ways[1]?.[1]();
    await rejects(() => readResource(host, "axterminator://nothing", call()), (thrown: unknown) => {
      ok(thrown instanceof ProtocolError);
      deepEqual(thrown.data, { limit: "minute", max: 8, retry_after_ms: 58_000 });
      return true;
    });
    now = 60_000;
    await ways[2]?.[1]();
  });
});

Deno.test("at the limit of calls at once the hint is an estimate and says so, and one that ends makes room", async () => {
  await guarded({ security: "[rate_limits]\nconcurrency = 1" }, async ({ host, call }) => {
    const first = readResource(host, "axterminator://system/status", call());
    const at = call();
    await rejects(() => readResource(host, "axterminator://system/status", at), (thrown: unknown) => {
      ok(thrown instanceof ProtocolError);
      deepEqual([thrown.code, thrown.data], [-32000, {
        limit: "concurrency",
        max: 1,
        retry_after_ms: 100,
        retry_after_is: "an estimate",
        waits_for: "one of the running calls to end",
      }]);
      return true;
    });
    await first;
    await readResource(host, "axterminator://system/status", at);
  });
});

Deno.test("steps of a workflow that look with a vision model count as calls of it", async () => {
  await guarded({ security: "[rate_limits]\nvlm_rpm = 1\n" }, async (fixture) => {
    await connect(fixture);
    // Nothing is looked at: the picture that is given is none.
    const step = {
      tool: "ax_find_visual",
      args: { app: "Store", description: "Open", screenshot: "AAAA" },
      on_fail: "skip",
    };
    const { structuredContent } = await fixture.tool("ax_workflow", { steps: [step, step, step] });
    const results = structuredContent?.["results"];
    ok(Array.isArray(results));
    deepEqual(results.map((one) => JSON.stringify(one).includes('"limit":"vision"')), [false, true, true]);
  });
});

Deno.test("sandboxed, only what looks is offered, and an act that is called all the same does not happen", async () => {
  await guarded({ security: 'mode = "sandboxed"' }, async (fixture) => {
    await connect(fixture);
    const offered = listTools(fixture.host).map(({ name }) => name);
    ok(
      !offered.includes("ax_click") && !offered.includes("ax_workflow") && !offered.includes("ax_clipboard"),
    );
    await rejects(click(fixture, "Open"), { code: -32602 });
    // Past the list: a task or a workflow that was let in before the mode changed.
    const args = { app: "Store", query: 'button[name="Open"]' };
    await rejects(fixture.session.act("ax_click", args, fixture.call()), { code: "policy" });
    deepEqual(fixture.pressed, []);
    equal(linesOf(fixture)[0]?.["result"], "blocked");
  });
});

Deno.test("typed and set text, scripts, the clipboard and steps of workflows are not in the audit log", async () => {
  await guarded({}, async (fixture) => {
    await connect(fixture);
    const secret = "hunter2-hunter2";
    await fixture.tool("ax_set_value", {
      app: "Store",
      query: 'textfield[name="Delete reason"]',
      value: secret,
    });
    await fixture.tool("ax_type", { app: "Store", query: 'textfield[name="Delete reason"]', text: secret });
    await fixture.tool("ax_set_value", { app: "Store", query: 'passwordfield[name="Pin"]', value: secret });
    await fixture.tool("ax_clipboard", { action: "write", text: secret });
    await fixture.tool("ax_workflow", {
      steps: [{
        tool: "ax_set_value",
        args: { app: "Store", query: 'textfield[name="Delete reason"]', value: secret },
      }],
    });
    await fixture.tool("ax_find", { app: "Store", query: `textfield[value="${secret}"]` }).catch(() => {});
    await fixture.tool("ax_click", { app: "Store", query: `textfield[value="${secret}"]` });
    const text = readFileSync(fixture.audit, "utf8");
    ok(linesOf(fixture).length >= 5, text);
    ok(!text.includes(secret), text);
    equal(statSync(fixture.audit).mode & 0o777, 0o600);
    const entries = fixture.log.filter(({ logger }) => logger === "axterminator.audit");
    ok(!JSON.stringify(entries).includes(secret));
    deepEqual(entries.map(({ level }) => level), entries.map(() => "notice"));
    equal(entries.length, linesOf(fixture).length);
    deepEqual(Object.keys(linesOf(fixture)[0] ?? {}), [
      "timestamp",
      "session_id",
      "tool",
      "args",
      "target",
      "result",
      "security_flags",
    ]);
  });
});

Deno.test("in safe mode what cannot be written down does not happen; in normal mode it is an alert", async () => {
  await guarded({ security: 'mode = "safe"', audit: "/dev/full" }, async (fixture) => {
    await connect(fixture);
    const error = errorOf(await click(fixture, "Open"));
    match(String(error["message"]), /the audit log cannot be written/);
    deepEqual(fixture.pressed, []);
    fixture.write("");
    await click(fixture, "Open");
    deepEqual(fixture.pressed, ["open"]);
    ok(alerts(fixture).some(({ data }) => data["event"] === "audit_log_failed"));
  });
});
