import { deepEqual, equal, match, ok } from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { BackstepError, type Json } from "../../base/error.ts";
import { describeApplication } from "../../desktop/simulated/describe.ts";
import { guarded, type GuardedFixture } from "../security/_guarded.ts";
import type { ToolResult } from "../server/dispatch.ts";
import { ToolFailure } from "../server/failure.ts";

function errorOf(result: ToolResult): { readonly [key: string]: Json } {
  ok(result.isError, JSON.stringify(result));
  const text = result.content[1];
  ok(text?.type === "text");
  const parsed: { readonly error: { readonly [key: string]: Json } } = JSON.parse(text.text);
  return parsed.error;
}

const two = ["test.one", "test.two"].map((id) => ({
  ...describeApplication(id, [{ kind: "button", key: "go", name: "Go" }]),
  name: id === "test.one" ? "Notes One" : "Notes Two",
}));

Deno.test("1: an ambiguous name is answered by a choice of the applications that it fits", async () => {
  const answer = () => ({ action: "accept", content: { app: "test.two" } }) as const;
  await guarded({ applications: two, answer }, async (fixture) => {
    const running = await fixture.desktop.applications();
    const pid = (name: string) => running.find((one) => one.name === name)?.pid;
    const { structuredContent } = await fixture.tool("ax_connect", { app: "Notes" });
    deepEqual(fixture.asked, [{
      mode: "form",
      message: "Multiple apps match 'Notes'. Which one?",
      requestedSchema: {
        type: "object",
        properties: {
          app: {
            type: "string",
            title: "Select application",
            oneOf: [
              { const: "test.one", title: `Notes One (PID ${pid("Notes One")})` },
              { const: "test.two", title: `Notes Two (PID ${pid("Notes Two")})` },
            ],
          },
        },
        required: ["app"],
      },
    }]);
    equal(structuredContent?.["app_name"], "Notes Two");
  });
});

Deno.test("1: declined, or asked of a client that cannot, the candidates are named and nothing is connected", async () => {
  for (const options of [{ answer: () => ({ action: "decline" }) as const }, {}]) {
    await guarded({ applications: two, ...options }, async (fixture) => {
      const error = errorOf(await fixture.tool("ax_connect", { app: "Notes" }));
      match(String(error["suggestion"]), /Notes One.*Notes Two/);
      equal(fixture.session.connections.list.length, 0);
    });
  }
});

const FORM_2 = {
  mode: "form",
  message: "Could not find 'button[name=\"Submit\"]' in Store. Can you describe it differently?",
  requestedSchema: {
    type: "object",
    properties: {
      description: { type: "string", title: "Alternative description" },
      use_visual: { type: "boolean", title: "Try AI vision search?", default: true },
    },
    required: ["description"],
  },
};
/** A call of `ax_click` that waited for its element in vain; looking for another one is tried for real. */
function missing(fixture: GuardedFixture, app = "Store"): Promise<unknown> {
  const args = { app, query: 'button[name="Submit"]' };
  const call = fixture.call();
  const { around } = fixture.host;
  ok(around);
  return around("ax_click", args, call, async (these) => {
    if (these["query"] === "the green thing" || these["query"] === args.query) {
      throw new BackstepError("not_found", "Cannot find it", { details: { selector: args.query } });
    }
    return { structured: (await fixture.session.act("ax_click", these, call)).output };
  });
}

async function failureOf(work: Promise<unknown>): Promise<ToolFailure> {
  const failure = await work.then(() => undefined, (thrown: unknown) => thrown);
  ok(failure instanceof ToolFailure, String(failure));
  return failure;
}

Deno.test("2: an element that an act did not find is looked for as the person describes it", async () => {
  const answer = () => ({ action: "accept", content: { description: 'button[name="Open"]' } }) as const;
  await guarded({ answer }, async (fixture) => {
    await fixture.tool("ax_connect", { app: "Store" });
    await missing(fixture);
    deepEqual(fixture.asked, [FORM_2]);
    deepEqual(fixture.pressed, ["open"]);
  });
});

Deno.test("2: declined it stays an error, and who only looks is not asked", async () => {
  await guarded({ answer: () => ({ action: "decline" }) }, async (fixture) => {
    await fixture.tool("ax_connect", { app: "Store" });
    equal((await failureOf(missing(fixture))).kind, "ElementNotFound");
    deepEqual(fixture.pressed, []);
    equal(fixture.asked.length, 1);
    await fixture.tool("ax_find", { app: "Store", query: 'button[name="Submit"]' });
    equal(fixture.asked.length, 1);
  });
});

Deno.test("2: what the person describes in words is for vision to find", async () => {
  const answer = () =>
    ({ action: "accept", content: { description: "the green thing", use_visual: true } }) as const;
  await guarded({ answer }, async (fixture) => {
    await fixture.tool("ax_connect", { app: "Store" });
    match((await failureOf(missing(fixture))).suggestion, /'the green thing'.*ax_find_visual/);
    deepEqual(fixture.pressed, []);
  });
});

Deno.test("4: where accessibility is off a person is offered instructions, and the answer stays false", async () => {
  for (
    const [action, says] of [["show_instructions", /Install at-spi2-core/], [
      "cancel",
      /at-spi2-core/,
    ]] as const
  ) {
    const answer = () => ({ action: "accept", content: { action } }) as const;
    await guarded({ answer }, async (fixture) => {
      await fixture.raw.close();
      const { structuredContent } = await fixture.tool("ax_is_accessible");
      equal(structuredContent?.["enabled"], false);
      match(String(structuredContent?.["suggestion"]), says);
      deepEqual(fixture.asked, [{
        mode: "form",
        message: "Accessibility permissions are not enabled. Would you like instructions?",
        requestedSchema: {
          type: "object",
          properties: {
            action: {
              type: "string",
              title: "Action",
              oneOf: [
                { const: "open_settings", title: "Open System Settings for me (requires focus)" },
                { const: "show_instructions", title: "Show manual instructions" },
                { const: "cancel", title: "Cancel" },
              ],
            },
          },
          required: ["action"],
        },
      }]);
    });
  }
});

/** Puts an `osascript` on PATH that writes down that it ran. */
async function withScripts(work: (ran: () => string) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), "backstep-osascript-"));
  const [program, mark] = [join(folder, "osascript"), join(folder, "ran")];
  writeFileSync(program, `#!/bin/sh\ncat > '${mark}'\necho done\n`);
  chmodSync(program, 0o755);
  const path = process.env["PATH"];
  process.env["PATH"] = `${folder}:${path}`;
  try {
    await work(() => existsSync(mark) ? readFileSync(mark, "utf8") : "");
  } finally {
    process.env["PATH"] = path;
    rmSync(folder, { recursive: true });
  }
}

const SCRIPT = 'tell application "Finder"\n\tdelete (every item of trash)\nend tell';

Deno.test("5: a script is shown whole before it runs, with a timeout that the person may shorten", async () => {
  await withScripts(async (ran) => {
    const answer = () => ({ action: "accept", content: { approve: true, timeout_seconds: 5 } }) as const;
    await guarded({ answer }, async (fixture) => {
      const done = await fixture.tool("ax_run_script", { script: SCRIPT });
      equal(done.isError, undefined, JSON.stringify(done));
      deepEqual(fixture.asked, [{
        mode: "form",
        message: `Review this AppleScript before execution:\n\n${SCRIPT}`,
        requestedSchema: {
          type: "object",
          properties: {
            approve: { type: "boolean", title: "Execute this script?", default: false },
            timeout_seconds: {
              type: "integer",
              title: "Timeout (seconds)",
              default: 10,
              minimum: 1,
              maximum: 60,
            },
          },
          required: ["approve"],
        },
      }]);
      equal(ran(), SCRIPT);
      ok(!readFileSync(fixture.audit, "utf8").includes("Finder"));
    });
  });
});

Deno.test("5: not approved, declined or cancelled, the script does not run, nested in a workflow neither", async () => {
  await withScripts(async (ran) => {
    for (
      const reply of [
        { action: "accept", content: { approve: false } },
        { action: "accept", content: { timeout_seconds: 5 } },
        { action: "decline" },
        { action: "cancel" },
      ] as const
    ) {
      await guarded({ answer: () => reply }, async (fixture) => {
        ok((await fixture.tool("ax_run_script", { script: SCRIPT })).isError);
        const steps = [{ tool: "ax_run_script", args: { script: SCRIPT } }];
        ok((await fixture.tool("ax_workflow", { steps })).isError);
        equal(fixture.asked.length, 2);
        equal(ran(), "");
      });
    }
  });
});

Deno.test("5: in safe mode no script runs; unreviewed in normal mode it is warned of; five a minute are the most", async () => {
  await withScripts(async (ran) => {
    await guarded({ security: 'mode = "safe"' }, async (fixture) => {
      equal(errorOf(await fixture.tool("ax_run_script", { script: SCRIPT }))["kind"], "SecurityBlocked");
      equal(ran(), "");
      fixture.write("");
      for (let n = 0; n < 4; n++) await fixture.tool("ax_run_script", { script: SCRIPT });
      equal(ran(), SCRIPT);
      ok(
        fixture.log.some(({ level, data }) => level === "warning" && data["event"] === "script_not_reviewed"),
      );
      const error = await fixture.tool("ax_run_script", { script: SCRIPT }).catch((thrown: unknown) =>
        thrown
      );
      ok(error instanceof Error && error.message === "Rate limit exceeded");
    });
  });
});

Deno.test("5: what would turn the text of a script around is written out", async () => {
  await withScripts(async () => {
    await guarded({ answer: () => ({ action: "decline" }) }, async (fixture) => {
      await fixture.tool("ax_run_script", { script: "a\u202Eb\u0007c" });
      match(fixture.asked[0]?.message ?? "", /a\\u\{202e\}b\\u\{7\}c$/);
    });
  });
});

Deno.test("7: a vision backend without its key sends a person to where keys are made", async () => {
  const before = process.env["BACKSTEP_VLM_BACKEND"];
  const key = process.env["ANTHROPIC_API_KEY"];
  process.env["BACKSTEP_VLM_BACKEND"] = "anthropic";
  delete process.env["ANTHROPIC_API_KEY"];
  try {
    for (const action of ["accept", "decline"] as const) {
      const answer = () => action === "accept" ? { action, content: {} } as const : { action } as const;
      await guarded({ answer }, async (fixture) => {
        await fixture.tool("ax_connect", { app: "Store" });
        const error = errorOf(
          await fixture.tool("ax_find_visual", { app: "Store", description: "the green button" }),
        );
        equal(error["kind"], "VlmUnavailable");
        const [request] = fixture.asked;
        ok(request?.mode === "url");
        equal(request.message, "Anthropic API key required for VLM visual search. Please add your key.");
        equal(request.url, "https://console.anthropic.com/settings/keys");
        match(request.elicitationId, /^vlm-auth-[0-9a-f-]{36}$/);
      });
    }
  } finally {
    if (before === undefined) delete process.env["BACKSTEP_VLM_BACKEND"];
    else process.env["BACKSTEP_VLM_BACKEND"] = before;
    if (key !== undefined) process.env["ANTHROPIC_API_KEY"] = key;
  }
});

const browser = describeApplication("test.browser", [
  { kind: "button", key: "reload", name: "Reload" },
]);
const asking = {
  ...browser,
  name: "Browser",
  windows: [...browser.windows, {
    key: "login",
    kind: "dialog" as const,
    title: "Sign in",
    open: true,
    children: [
      {
        kind: "label" as const,
        key: "says",
        name: "http://ada:secret@localhost:3000 asks for a name. 127.0.0.1",
      },
      { kind: "entry" as const, key: "user", name: "Username" },
      { kind: "password" as const, key: "password", name: "Password" },
    ],
  }],
};

Deno.test("9: where a web server asks for a name and a password, a person is sent there", async () => {
  const answer = () => ({ action: "accept", content: {} }) as const;
  await guarded({ applications: [asking], answer }, async (fixture) => {
    await fixture.tool("ax_connect", { app: "Browser" });
    const error = await failureOf(missing(fixture, "Browser"));
    const [request, ...more] = fixture.asked;
    equal(more.length, 0);
    ok(request?.mode === "url");
    equal(request.message, "The app requires authentication. Please log in via the browser.");
    equal(request.url, "http://localhost:3000/");
    match(request.elicitationId, /^http-auth-[0-9a-f-]{36}$/);
    match(error.suggestion, /look again/);
  });
});
