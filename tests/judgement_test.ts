import { deepEqual, equal, match, ok } from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Deadline } from "../src/base/call.ts";
import type { Json } from "../src/base/error.ts";
import { isMap } from "../src/base/json.ts";
import { focus } from "../src/desktop/actions/focus.ts";
import type { Snapshot } from "../src/desktop/snapshot.ts";
import type { McpCall } from "../src/mcp/server/call.ts";
import type { Elicited, McpClient } from "../src/mcp/server/client.ts";
import { callTool } from "../src/mcp/server/dispatch.ts";
import { guard } from "../src/mcp/security/guard.ts";
import { makeHost } from "../src/mcp/make-host.ts";
import { AuditLog } from "../src/policy/audit-log.ts";
import { Policy } from "../src/policy/policy.ts";
import { Settings } from "../src/policy/settings.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";

const FIXTURE = fileURLToPath(new URL("fixtures/judgement/gtk3.py", import.meta.url));
const absent = ["/usr/bin/Xvfb", "/usr/lib/python3/dist-packages/gi"].filter((file) => !existsSync(file));
const app = "judged";

/** A person, by what they answer. */
type Person = () => Elicited | Promise<Elicited>;
const yes: Person = () => ({ action: "accept", content: { confirm: true, approve: true } });
const no: Person = () => ({ action: "decline" });

/** A client of a server over the fixture. */
interface Client {
  /** Undefined: it was done; else what was answered. */
  tool(name: string, args: { readonly [name: string]: Json }): Promise<string | undefined>;
  /** What the person was asked. */
  readonly asked: string[];
}

/** The fixture on a private desktop, with servers over it. */
class Fixture {
  readonly #session: Session;
  readonly #folder: string;
  readonly pid: number;
  /** How many characters of the account have been taken. */
  #taken = 0;
  readonly #closes: (() => Promise<void>)[] = [];

  private constructor(session: Session, folder: string, pid: number) {
    this.#session = session;
    this.#folder = folder;
    this.pid = pid;
  }

  static async open(work: (fixture: Fixture) => Promise<void>): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "bs-judged-"));
    const session = await openSession({ kind: "isolated", state: folder });
    const account = join(folder, "account");
    let fixture: Fixture | undefined;
    try {
      const { processId } = await session.launcher.launch(FIXTURE, { args: [account], timeout: 30_000 });
      fixture = new Fixture(session, folder, processId);
      await work(fixture);
    } finally {
      for (const close of fixture ? fixture.#closes : []) await close();
      await session.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** What was done to the application, by its own account, since the last call. */
  taken(): string[] {
    const account = join(this.#folder, "account");
    if (!existsSync(account)) return [];
    const written = readFileSync(account, "utf8");
    // What ends in no newline is being written. Emptying the file would lose what came since it was read.
    const end = written.lastIndexOf("\n") + 1;
    const lines = written.slice(this.#taken, end).split("\n").filter(Boolean);
    this.#taken = end;
    return lines;
  }

  /** Waits until the account says it, and forgets what was there. */
  async until(line: string): Promise<string[]> {
    const deadline = Deadline.after(10_000);
    const seen: string[] = [];
    const watch = this.#session.desktop.watch();
    try {
      for (;;) {
        seen.push(...this.taken());
        if (seen.includes(line)) return seen;
        ok(!deadline.passed, `"${line}" is not in the account: ${seen.join()}`);
        await watch.next(deadline.within(50).call());
        watch.take();
      }
    } finally {
      watch.close();
    }
  }

  /** Nothing more comes: an act that was let through would be done by now. */
  async quiet(): Promise<string[]> {
    const { desktop } = this.#session;
    // The application answers in order: what was pressed before has been done.
    for (let n = 0; n < 3; n++) await this.#snapshot();
    await desktop.windows();
    return this.taken();
  }

  async focus(name: string): Promise<void> {
    const snapshot = await this.#snapshot();
    await focus(this.#session.desktop, snapshot.element(rowOf(snapshot, name)), Deadline.after(10_000));
  }

  async place(name: string): Promise<{ x: number; y: number }> {
    const snapshot = await this.#snapshot();
    const rect = snapshot.rect(rowOf(snapshot, name));
    ok(rect, name);
    return { x: Math.round(rect.x + rect.width / 2), y: Math.round(rect.y + rect.height / 2) };
  }

  /** A click that nothing judges. */
  async press(place: { readonly x: number; readonly y: number }): Promise<void> {
    await this.#session.desktop.pointer({ do: "click", ...place, button: "left", count: 1 });
  }

  async away(): Promise<void> {
    await this.#session.desktop.pointer({ do: "move", x: 2, y: 2 });
  }

  async #snapshot(): Promise<Snapshot> {
    const { desktop } = this.#session;
    const application = (await desktop.applications()).find(({ pid }) => pid === this.pid);
    ok(application);
    return await desktop.snapshot(application, { fields: ["extents", "id"] });
  }

  /** The same server for each of its clients' sessions; `security` is its policy. */
  async client(person: Person | undefined, security = ""): Promise<Client> {
    const folder = mkdtempSync(join(this.#folder, "policy-"));
    writeFileSync(join(folder, "security.toml"), `${security}\n[rate_limits]\nrps = 1000\n`);
    const policy = new Policy(new Settings({ environment: { HOME: folder }, folder }));
    const log = new AuditLog(join(this.#folder, "audit.jsonl"), { maxBytes: 1_000_000 });
    const host = makeHost({
      ...guard({ session: this.#session, security: policy, audit: log }),
      state: folder,
      folder,
    });
    this.#closes.push(async () => {
      await host.close();
      policy.close();
      log.close();
    });
    const asked: string[] = [];
    const client: McpClient = {
      name: "test",
      version: "1",
      can: {
        form: person !== undefined,
        url: false,
        sampling: false,
        samplingTools: false,
        roots: false,
      },
      async elicit(request) {
        asked.push(request.message);
        return await person?.() ?? { action: "cancel" };
      },
      elicited: () => Promise.resolve(),
      sample: () => Promise.reject(new Error("the client cannot sample")),
      roots: () => Promise.resolve([]),
    };
    const session = host.open("test");
    const call: McpCall = {
      session,
      client,
      signal: AbortSignal.timeout(60_000),
      progress: () => {},
      log: () => {},
    };
    await callTool(host, "ax_connect", { app }, call);
    return {
      asked,
      async tool(name, args) {
        const result = await callTool(host, name, args, call);
        return result.isError ? JSON.stringify(result.content) : undefined;
      },
    };
  }

  /** The last line of the audit log. */
  get audited(): { readonly [name: string]: Json } {
    const lines = readFileSync(join(this.#folder, "audit.jsonl"), "utf8").trimEnd().split("\n");
    const line: Json = JSON.parse(lines.at(-1) ?? "{}");
    return isMap(line) ? line : {};
  }
}

function rowOf(snapshot: Snapshot, name: string): number {
  for (let row = 1; row < snapshot.size; row++) if (snapshot.name(row) === name) return row;
  throw new Error(`nothing is called ${name}`);
}

if (absent.length > 0) console.log(`the judgement is not tested: ${absent.join(" and ")} are not installed`);

Deno.test("what destroys is pressed at a person's word alone, and only what the word was for", {
  ignore: absent.length > 0,
}, async (t) => {
  await Fixture.open(async (fixture) => {
    await t.step("a yes is for the row that was shown: after the rows moved nothing is pressed", async () => {
      const moves = async () => {
        process.kill(fixture.pid, "SIGUSR1");
        await fixture.until("moved");
        return await yes();
      };
      const client = await fixture.client(moves);
      const second = { app, query: 'button[name="Delete"]:nth(2)' };
      const answer = await client.tool("ax_click", second);
      match(client.asked[0] ?? "", /'Delete' in judged\..*'Report B/);
      match(answer ?? "", /it is something else by now/);
      deepEqual(await fixture.quiet(), []);

      const twin = await fixture.client(yes);
      equal(await twin.tool("ax_click", { app, query: 'button[name="Delete"]:nth(3)' }), undefined);
      match(twin.asked[0] ?? "", /'Report B/);
      deepEqual(await fixture.until("pressed Delete of Report B"), ["pressed Delete of Report B"]);
    });

    await t.step("a label that changes every 7 ms hides nothing, 15 times of 15", async () => {
      const where = await fixture.place("Open report");
      process.kill(fixture.pid, "SIGUSR2");
      await fixture.until("changing");
      try {
        for (let n = 0; n < 15; n++) {
          const client = await fixture.client(
            n % 2 === 0 ? no : undefined,
            n % 2 === 0 ? "" : 'mode = "safe"',
          );
          await client.tool("ax_click_at", where);
          const taken = await fixture.quiet();
          ok(!taken.includes("pressed Delete report"), `${n}: ${taken.join()}`);
        }
        // What the same clicks do where nothing judges them: half of them find this label.
        let pressed: string[] = [];
        for (let n = 0; n < 40 && !pressed.includes("pressed Delete report"); n++) {
          await fixture.press(where);
          pressed = [...pressed, ...await fixture.quiet()];
        }
        ok(pressed.includes("pressed Delete report"), `40 clicks that nothing judged: ${pressed.join()}`);
      } finally {
        process.kill(fixture.pid, "SIGUSR2");
        await fixture.until("still");
      }
    });

    await t.step("what changes as the pointer comes is judged as it is then, and written down", async () => {
      await fixture.away();
      const at = await fixture.place("Show");
      const client = await fixture.client(no);
      match(await client.tool("ax_click_at", at) ?? "", /Cannot click 'Remove'|person said no/);
      deepEqual(await fixture.quiet(), []);
      await fixture.away();
      const twin = await fixture.client(undefined, "confirm_destructive = false");
      equal(await twin.tool("ax_click_at", at), undefined);
      deepEqual(await fixture.until("pressed Remove"), ["pressed Remove"]);
      const { target, security_flags: flags } = fixture.audited;
      ok(JSON.stringify(target).includes("Remove"), JSON.stringify(target));
      deepEqual(flags, ["destructive_keyword"]);
      await fixture.away();
    });

    await t.step("a key is what it resolves to, however it is spelt", async () => {
      await fixture.focus("Delete All Data");
      for (const key of ["spacebar", "numpadenter", "KP-Enter", "kpenter", "sp_ace", "re-turn", " "]) {
        const client = await fixture.client(no);
        match(await client.tool("ax_key_press", { app, key }) ?? "", /the person said no/, key);
        match(client.asked[0] ?? "", /^This will press 'Delete All Data' in judged\./, key);
        deepEqual(await fixture.quiet(), [], key);
        equal(await (await fixture.client(yes)).tool("ax_key_press", { app, key }), undefined, key);
        await fixture.until("pressed Delete All Data");
      }
      await fixture.focus("Harmless");
      const beside = await fixture.client(no);
      match(await beside.tool("ax_key_press", { app, key: "Tab space" }) ?? "", /the person said no/);
      deepEqual(await fixture.quiet(), []);
      equal(await (await fixture.client(yes)).tool("ax_key_press", { app, key: "Tab space" }), undefined);
      await fixture.until("pressed Delete All Data");
    });

    await t.step("a person's no holds for every way there, and is not asked for again", async () => {
      await fixture.focus("Delete All Data");
      const client = await fixture.client(no);
      const query = 'button[name="Delete All Data"]';
      match(await client.tool("ax_click", { app, query }) ?? "", /the person said no/);
      const ways = [
        ["ax_click_at", await fixture.place("Delete All Data")],
        ["ax_key_press", { app, key: "Return" }],
        ["ax_type", { app, text: " " }],
        ["ax_workflow", { steps: [{ tool: "ax_click", args: { app, query } }] }],
        ["ax_drag", { app, from_query: query, to_query: query }],
      ] as const;
      for (const [tool, args] of ways) {
        match(await client.tool(tool, args) ?? "", /the person said no/, tool);
        deepEqual(await fixture.quiet(), [], tool);
      }
      equal(client.asked.length, 1);
      for (const [tool, args] of ways.slice(0, 4)) {
        equal(await (await fixture.client(yes)).tool(tool, args), undefined, tool);
        await fixture.until("pressed Delete All Data");
        await fixture.focus("Delete All Data");
      }
    });

    await t.step("a box that is checked is judged by its words, whatever could be restored", async () => {
      for (
        const [tool, args] of [
          ["ax_click", { app, query: "Erase on exit" }],
          ["ax_set_value", { app, query: "Erase on exit", value: "true" }],
        ] as const
      ) {
        match(await (await fixture.client(no)).tool(tool, args) ?? "", /the person said no/);
        match(await (await fixture.client(undefined, 'mode = "safe"')).tool(tool, args) ?? "", /cannot ask/);
        deepEqual(await fixture.quiet(), []);
      }
      const twin = await fixture.client(yes);
      equal(await twin.tool("ax_click", { app, query: "Erase on exit" }), undefined);
      await fixture.until("toggled");
      match(
        await (await fixture.client(no)).tool("ax_set_value", {
          app,
          query: "Erase on exit",
          value: "false",
        }) ?? "",
        /said no/,
      );
      deepEqual(await fixture.quiet(), []);
    });

    await t.step("Return into a terminal is a script", async () => {
      const typed = { app, query: "Shell", text: "rm -rf data\n", mode: "focus" };
      const client = await fixture.client(no);
      match(await client.tool("ax_type", typed) ?? "", /Cannot run the script: the person said no/);
      match(client.asked[0] ?? "", /rm -rf data/);
      match(
        await (await fixture.client(undefined, 'mode = "safe"')).tool("ax_type", typed) ?? "",
        /blocked in safe mode/,
      );
      deepEqual(await fixture.quiet(), []);
      await (await fixture.client(yes)).tool("ax_type", typed);
      await fixture.until("ran rm -rf data");
      await fixture.focus("Shell");
      match(
        await (await fixture.client(no)).tool("ax_key_press", { app, key: "Return" }) ?? "",
        /Cannot run the script/,
      );
      deepEqual(await fixture.quiet(), []);
    });

    await t.step("Return in a field presses the default button of its dialog", async () => {
      const plain = await fixture.client(undefined);
      equal(await plain.tool("ax_click", { app, query: 'button[name="Question"]' }), undefined);
      await plain.tool("ax_assert", {
        app,
        query: "Answer",
        assertions: { exists: true },
        timeout_ms: 5_000,
      });
      await fixture.focus("Answer");
      const client = await fixture.client(no);
      match(await client.tool("ax_key_press", { app, key: "Return" }) ?? "", /the person said no/);
      match(client.asked[0] ?? "", /'Delete For Good'/);
      const typed = { app, query: "Answer", text: "x\n", mode: "focus" };
      match(await client.tool("ax_type", typed) ?? "", /the person said no/);
      deepEqual(await fixture.quiet(), []);
      equal(await (await fixture.client(yes)).tool("ax_key_press", { app, key: "Return" }), undefined);
      await fixture.until("answered -5");
    });

    await t.step("text of the application stays between its quotes", async () => {
      const client = await fixture.client(no);
      await client.tool("ax_click", { app, query: 'button[name*="Erase"]' });
      const [question = ""] = client.asked;
      match(question, /^This will click 'Say’ in Trusted\. It is safe: ’Erase' in judged\. This action may/);
      match(question, /What stands in quotes is the application's own text/);
    });

    await t.step("programs that are no entry of the catalogue are not started", async () => {
      const client = await fixture.client(yes);
      for (const bundleId of [FIXTURE, "/usr/bin/xterm", "sh"]) {
        match(
          await client.tool("launch_application", { bundleId }) ?? "",
          /no entry of the catalogue/,
          bundleId,
        );
      }
      const safe = await fixture.client(undefined, 'mode = "safe"');
      match(
        await safe.tool("launch_application", { bundleId: "gtk3-widget-factory" }) ?? "",
        /cannot ask|no entry/,
      );
    });
  });
});
