import { deepEqual, equal, ok } from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { worldCell, worldSection } from "../../../scripts/matrix/page.ts";
import { readRecord } from "../../../scripts/matrix/record.ts";
import { type Json, toBackstepError } from "../../base/error.ts";
import { SECURITY_MODES } from "../../policy/security.ts";
import { wrapped } from "../../../scripts/words/wrap.ts";
import type { NiriStandIn } from "../../wm/_niri.ts";
import { withNiri } from "../../wm/_with-niri.ts";
import { guarded, type GuardedFixture, type GuardedOptions } from "./_guarded.ts";
import { callTool, type ToolResult } from "../server/dispatch.ts";
import { listResources, readResource } from "../server/find-resource.ts";
import type { McpSession } from "../server/call.ts";
import { ProtocolError } from "../server/wire.ts";

type Args = { readonly [name: string]: Json };

const DELETE = 'button[name="Delete All Data"]';
const ENTRY = 'textfield[name="Delete reason"]';
const app = "Store";

/** A call of every tool, on what destroys where there is such a thing. */
const CALLS: { readonly [tool: string]: Args } = {
  ax_is_accessible: {},
  ax_connect: { app },
  ax_list_apps: {},
  ax_find: { app, query: "button" },
  ax_find_visual: { app, description: "Delete" },
  ax_get_tree: { app },
  ax_get_attributes: { app, query: DELETE },
  ax_click: { app, query: DELETE },
  ax_click_at: { x: 0, y: 0 },
  ax_type: { app, query: ENTRY, text: "x" },
  ax_set_value: { app, query: ENTRY, value: "y" },
  ax_scroll: { app, query: "list", direction: "down" },
  ax_drag: { app, from_query: ENTRY, to_query: DELETE },
  ax_key_press: { app, key: "F5" },
  ax_screenshot: { app },
  ax_get_value: { app, query: ENTRY },
  ax_list_windows: { app },
  ax_wait_idle: { app, timeout_ms: 2_000 },
  ax_workflow: { steps: [{ tool: "ax_click", args: { app, query: DELETE } }] },
  ax_assert: { app, query: DELETE, assertions: { exists: true }, timeout_ms: 100 },
  ax_visual_diff: { app, baseline: "data:image/png;base64,AAAA", timeout_ms: 0 },
  ax_a11y_audit: { app },
  ax_undo: {},
  ax_clipboard: { action: "write", text: "z" },
  ax_session_info: {},
  ax_run_script: { script: "x" },
  launch_application: { bundleId: "test.store" },
  quit_application: { bundleId: "test.store" },
  list_applications: {},
  wm_focus_window: { window_id: 40 },
  wm_move_window: { window_id: 7, x: -1400 },
  wm_close_window: { window_id: 40 },
  wm_switch_workspace: { workspace: "mail" },
  wm_move_window_to_workspace: { window_id: 7, workspace: "mail" },
  macos_interface_explorer: { scope: "application", bundleId: "test.store" },
};
const ROUTES = ["call", "task", "workflow"] as const;
type Route = (typeof ROUTES)[number];
/** What only a person's word lets happen: with a client that says no, the cell says "asks". */
type Cell = "runs" | "asks" | "refused" | "not offered" | "fails" | "none";

const PAGE = new URL("../../../docs/reference/mcp-security-matrix.md", import.meta.url);

async function cellOf(fixture: GuardedFixture, tool: string, args: Args, route: Route): Promise<Cell> {
  // A session of its own: what was said no to by another tool is refused without a question.
  const session = fixture.host.open(`${tool} ${route}`);
  try {
    await callTool(fixture.host, "ax_connect", { app }, fixture.call({ session }));
    return await cellIn(fixture, session, tool, args, route);
  } finally {
    await session.close();
  }
}

async function cellIn(
  fixture: GuardedFixture,
  session: McpSession,
  tool: string,
  args: Args,
  route: Route,
): Promise<Cell> {
  const before = fixture.asked.length;
  let result: ToolResult;
  try {
    const call = fixture.call(route === "task" ? { task: true, session } : { session });
    result = route === "workflow"
      ? await callTool(fixture.host, "ax_workflow", { steps: [{ tool, args }] }, call)
      : await callTool(fixture.host, tool, args, call);
  } catch (thrown) {
    if (!(thrown instanceof ProtocolError)) throw thrown;
    ok(thrown.code === -32602, thrown.message);
    return "not offered";
  }
  const asked = fixture.asked.length > before;
  if (!result.isError) return "runs";
  const text = JSON.stringify(result.content);
  if (asked && /the person said no/.test(text)) return "asks";
  if (/there is no tool|cannot hold another|cannot be a step/.test(text)) return "none";
  return /security policy|only looks at|blocked in safe mode|\\?"policy/.test(text) ? "refused" : "fails";
}

/** Everything that was done to the desktop by us. */
const actions = (fixture: GuardedFixture) =>
  fixture.desktop.log.entries.filter(({ by, changes }) => by === "caller" && changes.length > 0).length;

/** A point inside of an element of the store. */
async function placeOf({ desktop }: GuardedFixture, name: string): Promise<{ x: number; y: number }> {
  const application = (await desktop.applications()).find((one) => one.name === app);
  ok(application);
  const snapshot = await desktop.snapshot(application);
  const row = Array.from({ length: snapshot.size }, (_, n) => n).find((n) => snapshot.name(n) === name);
  const rect = snapshot.rect(row ?? 0);
  ok(rect);
  return { x: rect.x + 3, y: rect.y + 3 };
}

/** No model is asked, and no text is read from pictures: that takes its time. */
async function withoutVision(work: () => Promise<void>) {
  const [name, key] = ["BACKSTEP_VLM_BACKEND", "ANTHROPIC_API_KEY"] as const;
  const before = { [name]: process.env[name], [key]: process.env[key] };
  process.env[name] = "anthropic";
  delete process.env[key];
  try {
    await work();
  } finally {
    for (const [variable, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[variable];
      else process.env[variable] = value;
    }
  }
}

async function withScripts(work: (ran: () => boolean) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), "backstep-osascript-"));
  const mark = join(folder, "ran");
  writeFileSync(join(folder, "osascript"), `#!/bin/sh\ntouch '${mark}'\n`);
  chmodSync(join(folder, "osascript"), 0o755);
  const path = process.env["PATH"];
  process.env["PATH"] = `${folder}:${path}`;
  try {
    await work(() => existsSync(mark));
  } finally {
    process.env["PATH"] = path;
    rmSync(folder, { recursive: true });
  }
}

/** A guarded host on a desktop that has a window manager too. */
async function onNiri(
  options: GuardedOptions,
  work: (fixture: GuardedFixture, niri: NiriStandIn) => Promise<void>,
) {
  await withNiri(({ wm, niri }) =>
    guarded({ ...options, windowManager: () => Promise.resolve(wm) }, (fixture) => work(fixture, niri))
  );
}

/** Every resource that has an address of its own, in any mode. */
async function resourceCells(): Promise<Map<string, Cell[]>> {
  const cells = new Map<string, Cell[]>();
  // Where everything is offered, all their addresses are known.
  for (const mode of SECURITY_MODES) {
    await guarded({ security: `mode = "${mode}"\n${LIMITS}`, answer }, async (fixture) => {
      const offered = (await listResources(fixture.host, fixture.call())).map(({ uri }) => uri);
      for (const uri of offered) if (!cells.has(uri)) cells.set(uri, []);
      for (const [uri, row] of cells) row.push(await resourceCell(fixture, uri, offered.includes(uri)));
    });
  }
  return cells;
}

async function resourceCell(fixture: GuardedFixture, uri: string, offered: boolean): Promise<Cell> {
  const before = fixture.asked.length;
  try {
    await readResource(fixture.host, uri, fixture.call());
    ok(offered, `${uri} is answered, and not listed`);
    return "runs";
  } catch (thrown) {
    ok(thrown instanceof ProtocolError, String(thrown));
    if (!offered) return "not offered";
    if (fixture.asked.length > before && /the person said no/.test(thrown.message)) return "asks";
    return thrown.code === -32002 ? "refused" : "fails";
  }
}

const answer = () => ({ action: "decline" }) as const;
const LIMITS = "[rate_limits]\nrps = 1000\nrpm = 100000\nscript_rpm = 1000\nvlm_rpm = 1000\n";

Deno.test("every tool, in every mode, through every route: what may happen is what the page says", async () => {
  const rows = new Map<string, Cell[]>();
  const world = new Map<string, string>();
  const record = readRecord();
  await withoutVision(() =>
    withScripts(async (ran) => {
      for (const mode of SECURITY_MODES) {
        for (const route of ROUTES) {
          const options = { security: `mode = "${mode}"\n${LIMITS}`, answer };
          await onNiri(options, async (fixture, niri) => {
            await fixture.tool("ax_connect", { app });
            const before = actions(fixture);
            const place = await placeOf(fixture, "Delete All Data");
            const names = fixture.host.tools.map(({ definition: { name } }) => name)
              // What it ends is there for the others.
              .toSorted((a, b) => Number(a === "quit_application") - Number(b === "quit_application"));
            deepEqual(names.filter((name) => !(name in CALLS)), [], "the matrix knows every tool");
            for (const { definition: { name, annotations } } of fixture.host.tools) {
              world.set(name, worldCell({ name, looks: annotations?.readOnlyHint === true }, record));
            }
            for (const name of names) {
              const args = name === "ax_click_at" ? { ...CALLS[name], ...place } : CALLS[name] ?? {};
              const cell = await cellOf(fixture, name, args, route);
              rows.set(name, [...rows.get(name) ?? [], cell]);
            }
            deepEqual(fixture.pressed, [], `${mode}, ${route}: what destroys was done without a word`);
            ok(!ran(), "a script ran without a word");
            deepEqual(niri.state.windows.map(({ id }) => id).toSorted(), [40, 7], "a window was closed");
            if (mode === "sandboxed") {
              equal(actions(fixture), before, `${route}: something was done in sandboxed mode`);
              deepEqual(niri.actions, []);
            }
          });
        }
      }
    })
  );
  const resources = await resourceCells();
  const head = SECURITY_MODES.flatMap((mode) => ROUTES.map((route) => `${mode}: ${route}`));
  const page = wrapped(`# Every tool in every mode through every route

Made by \`src/mcp/security/matrix_test.ts\`, which calls every tool on a simulated desktop whose person says no to everything that is asked, and fails
where this page is not what it found (\`BACKSTEP_WRITE=1\` writes it anew). *call* is \`tools/call\`, *task* the same as a task, *workflow* a step of
\`ax_workflow\`.

- **runs**: it does what it is for. **fails**: it is let through, and fails for a reason of its own on this desktop.
- **asks**: a person is asked, and said no: nothing was done. **refused**: the policy says no. **not offered**: it is not in \`tools/list\`, and a call
  of it is an error of the protocol. **none**: no such step exists.

- **world**: cells on real applications in which nothing was lost, and whose twin shows that something could be (below).

| tool | ${head.join(" | ")} | world |
|---|${head.map(() => "---").join("|")}|---|
${[...rows].map(([name, cells]) => `| \`${name}\` | ${cells.join(" | ")} | ${world.get(name)} |`).join("\n")}

Of resources, each that \`resources/list\` has in any mode, read by \`resources/read\`:

| resource | ${SECURITY_MODES.join(" | ")} |
|---|${SECURITY_MODES.map(() => "---").join("|")}|
${[...resources].map(([uri, cells]) => `| \`${uri}\` | ${cells.join(" | ")} |`).join("\n")}

${worldSection(record)}`);
  if (process.env["BACKSTEP_WRITE"]) writeFileSync(PAGE, page);
  equal(readFileSync(PAGE, "utf8"), page);
});

Deno.test("of an application that is denied, no tool and no resource tells or does anything, in any mode", async () => {
  const SECRETS = ["Delete All Data", "Delete reason", "Remove the account"];
  for (const mode of SECURITY_MODES) {
    for (const route of ROUTES) {
      await guarded({ security: `mode = "${mode}"\n${LIMITS}`, answer }, async (fixture) => {
        await fixture.tool("ax_connect", { app });
        fixture.write(`mode = "${mode}"\n[apps]\ndenied = ["test.store"]\n${LIMITS}`);
        const before = actions(fixture);
        const reported: string[] = [];
        const { ax_clipboard: _, ax_run_script: __, ...about } = CALLS;
        for (const [name, args] of Object.entries(about)) {
          const call = fixture.call(route === "task" ? { task: true } : {});
          const asked = route === "workflow"
            ? callTool(fixture.host, "ax_workflow", { steps: [{ tool: name, args }] }, call)
            : callTool(fixture.host, name, args, call);
          reported.push(
            JSON.stringify(await asked.catch((thrown: unknown) => toBackstepError(thrown).message)),
          );
        }
        for (
          const uri of [
            "axterminator://apps",
            "axterminator://app/Store/tree",
            "axterminator://app/Store/state",
            "axterminator://app/Store/screenshot",
            "axterminator://app/Store/window/0/tree",
            "macos://applications/test.store/windows",
            "macos://ui/Store",
          ]
        ) {
          const read = readResource(fixture.host, uri, fixture.call());
          reported.push(
            JSON.stringify(await read.catch((thrown: unknown) => toBackstepError(thrown).message)),
          );
        }
        for (const text of reported) {
          ok(!SECRETS.some((secret) => text.includes(secret)), text.slice(0, 2_000));
        }
        equal(actions(fixture), before, `${mode}, ${route}`);
        // The bare screen is nobody's.
        deepEqual(fixture.asked.filter(({ message }) => !message.includes("no window lies there")), []);
      });
    }
  }
});

Deno.test("sandboxed, the clipboard can neither be read nor written, by a resource neither", async () => {
  await guarded({ security: 'mode = "sandboxed"' }, async (fixture) => {
    await fixture.desktop.writeClipboard("a secret");
    const read = readResource(fixture.host, "axterminator://clipboard", fixture.call());
    const reported = JSON.stringify(await read.catch((thrown: unknown) => toBackstepError(thrown).message));
    ok(!reported.includes("a secret"), reported);
  });
});
