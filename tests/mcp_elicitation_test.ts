import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { isList, isMap } from "../src/base/json.ts";
import { readPng } from "../src/checks/visual/read-png.ts";
import type { CreateMessageRequest, ElicitRequest } from "../src/mcp/sdk/sdk.ts";
import { Leases } from "../src/session/lease.ts";
import { type Guest, withGuests } from "./mcp/_guest.ts";
import { ROOT, within, withState } from "./mcp/_stdio.ts";

const PYTHON = "/usr/bin/python3";
const NEEDED = ["/usr/bin/Xvfb", PYTHON, "/usr/lib/python3/dist-packages/gi", "/usr/bin/chromium"];
const absent = NEEDED.filter((file) => !existsSync(file));

/** pkexec is not installed where tests run: a stand-in in its words, until a person has authenticated. */
const PKEXEC = `#!/bin/sh
[ -e "$(dirname "$0")/authenticated" ] && exec "$@"
echo "Error executing command as another user: Not authorized" >&2
echo "This incident has been reported." >&2
exit 127
`;

if (absent.length > 0) console.log(`elicitation is not tested: ${absent.join(" and ")} are not installed`);

Deno.test("elicitation and sampling, each for its real cause, on a private desktop", {
  ignore: absent.length > 0,
}, async (t) => {
  await withState((state) =>
    withPage(async (page) => {
      const place = prepare(state, page);
      await withGuests(state, { args: ["--session", "isolated"], env: place.env }, async (guest) => {
        const [whole, asking, plain] = [
          await guest({ asks: true, samples: true }),
          await guest({ asks: true }),
          await guest({}),
        ];
        const step = async (name: string, act: () => Promise<void>) => {
          // What comes later stands on what was before.
          assert.ok(await t.step(name, act), name);
        };
        await step("1: which of two processes of one program", async () => {
          place.chosen = await ambiguous(whole, plain, [asking, plain]);
        });
        await step("2: an element that is called otherwise", () => missing(whole, place));
        await step("3: what destroys", () => destroys(whole, plain, place));
        await step(
          "sampling: a picture, its description, locators by tools, a plan",
          () => samples(whole, place),
        );
        await step("5: a script", () => scripts(whole, plain));
        await step("6: what polkit refuses", () => polkit(whole, place));
        await step("7: a key that is missing", () => keyMissing(asking));
        await step("9: a page that wants a name and a password", () => login(whole, page));
        await step("4: accessibility that has gone", () => accessibilityOff(whole, place));
      });
    })
  );
});

interface Place {
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
  /** The process that the person chose. */
  chosen: number;
  /** What was done to its window, by its own account. */
  actions(): string[];
}

/** Puts programs on PATH, and entries of applications where the desktop looks for them. */
function prepare(state: string, page: string): Place {
  const [bin, applications] = [join(state, "bin"), join(state, "share/applications")];
  for (const folder of [bin, applications, join(state, "config/backstep")]) {
    mkdirSync(folder, { recursive: true });
  }
  const program = (name: string, text: string) => {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  };
  program("osascript", "#!/bin/sh\nexec /bin/sh -s\n");
  program("pkexec", PKEXEC);
  const entry = (id: string, name: string, exec: string) =>
    writeFileSync(
      join(applications, `${id}.desktop`),
      `[Desktop Entry]\nType=Application\nName=${name}\nExec=${exec}\n`,
    );
  const window = `${PYTHON} ${join(ROOT, "tests/fixtures/asked.py")} ${state}`;
  entry("test.notes", "Notes", `${window} Notes --twice`);
  entry("test.keeper", "Keeper", `pkexec ${window} Keeper`);
  entry("test.page", "Page", `chromium ${page}`);
  const account = join(state, "account");
  return {
    state,
    env: {
      PATH: `${bin}:${process.env["PATH"]}`,
      XDG_DATA_DIRS: `${join(state, "share")}:/usr/local/share:/usr/share`,
      XDG_CONFIG_HOME: join(state, "config"),
      AXTERMINATOR_VLM_BACKEND: "anthropic",
      ANTHROPIC_API_KEY: "",
    },
    chosen: 0,
    actions() {
      const lines = existsSync(account) ? readFileSync(account, "utf8").trimEnd().split("\n") : [];
      // An action of the other process stays as it is, and fits nothing.
      return lines.map((line) => line.replace(`${this.chosen} `, ""));
    },
  };
}

/** A page on this machine that wants a name and a password, as RFC 7617 has it. */
async function withPage(test: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => {
    response.writeHead(401, { "www-authenticate": 'Basic realm="Ledger"' }).end("Not without a name");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  try {
    assert.ok(typeof address === "object" && address !== null);
    await test(`http://127.0.0.1:${address.port}/`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The only question that was put, as a form. */
function form(guest: Guest): Exclude<ElicitRequest["params"], { mode: "url" }> {
  const [only, ...more] = guest.questions();
  assert.equal(more.length, 0);
  assert.ok(only !== undefined && "requestedSchema" in only, JSON.stringify(only));
  return only;
}

/** Answers the process that was chosen. */
async function ambiguous(whole: Guest, plain: Guest, others: readonly Guest[]): Promise<number> {
  await whole.client.subscribeResource({ uri: "axterminator://apps" });
  await whole.tool("launch_application", { bundleId: "test.notes" });
  const pids = async () => {
    const { apps } = (await whole.tool("ax_list_apps")).reported;
    return (isList(apps) ? apps : []).flatMap((one) =>
      isMap(one) && one["name"] === "Notes" ? [one["pid"]] : []
    );
  };
  await whole.until("two processes", async () => (await pids()).length === 2);
  const running = await pids();

  whole.person = () => ({ action: "decline" });
  const declined = await whole.fails("ax_connect", { app: "Notes" });
  const { message, requestedSchema: { properties, required } } = form(whole);
  assert.equal(message, "Multiple apps match 'Notes'. Which one?");
  assert.deepEqual(required, ["app"]);
  assert.deepEqual(
    properties["app"] && "oneOf" in properties["app"] && properties["app"].oneOf.map((one) => ({ ...one })),
    running.map((pid) => ({ const: String(pid), title: `Notes (PID ${pid})` })),
  );
  for (const { text } of [declined, await plain.fails("ax_connect", { app: "Notes" })]) {
    for (const pid of running) assert.ok(text.includes(`${pid} (Notes)`), text);
  }
  const chosen = Number(running[1]);
  whole.person = () => ({ action: "accept", content: { app: String(chosen) } });
  assert.equal((await whole.tool("ax_connect", { app: "Notes" })).reported["pid"], chosen);
  whole.questions();
  for (const one of others) await one.tool("ax_connect", { app: String(chosen) });
  return chosen;
}

async function missing(whole: Guest, place: Place): Promise<void> {
  whole.person = () => ({ action: "accept", content: { description: "Keep" } });
  await whole.tool("ax_click", { app: "Notes", query: 'button[name="Preserve"]' });
  const { message: first } = form(whole);
  assert.equal(
    first,
    "Could not find 'button[name=\"Preserve\"]' in Notes. Can you describe it differently?",
  );
  await done(whole, place, "keep");

  // Not in the tree, and not seen under the first name either.
  whole.model = sees("the square of magenta");
  whole.person = () => ({
    action: "accept",
    content: { description: "the square of magenta", use_visual: true },
  });
  whole.questions();
  const { reported } = await whole.tool("ax_find_visual", { app: "Notes", description: "the violet circle" });
  const { message, requestedSchema } = form(whole);
  assert.equal(message, "Could not find 'the violet circle' in Notes. Can you describe it differently?");
  assert.deepEqual(Object.keys(requestedSchema.properties), ["description", "use_visual"]);
  assert.deepEqual([reported["found"], reported["vlm_backend"]], [true, "sampling"]);
  assert.equal(whole.sampled.splice(0).length, 2);
  whole.person = () => ({ action: "decline" });
  const unseen = { app: "Notes", description: "the violet circle" };
  assert.equal((await whole.tool("ax_find_visual", unseen)).reported["found"], false);
  whole.person = () => ({ action: "accept", content: { description: "Keep", use_visual: false } });
  const unlooked = await whole.tool("ax_find_visual", unseen);
  assert.equal(unlooked.reported["found"], false);
  assert.match(unlooked.text, /describes it as 'Keep': look for that with ax_find\./);
  assert.equal(whole.questions().length, 2);
}

/** What the window says was done last, and the account that it keeps. */
async function done(guest: Guest, place: Place, act: string): Promise<void> {
  const before = place.actions().length;
  const { reported } = await guest.tool("ax_assert", {
    app: "Notes",
    query: `label[name="did ${act}"]`,
    assertions: { exists: true },
    timeout_ms: 20_000,
  });
  assert.equal(reported["passed"], true, `${act}: ${place.actions().join()} after ${before}`);
  assert.equal(place.actions().at(-1), act);
}

/** A model that sees one thing in pictures: where they are of pure magenta. */
function sees(thing: string): Guest["model"] {
  return async ({ messages }) => {
    const content = messages.flatMap((one) => one.content);
    const picture = content.find((one) => one.type === "image");
    const words = content.flatMap((one) => one.type === "text" ? [one.text] : []).join();
    assert.ok(picture?.type === "image");
    const place = await magentaIn(picture.data);
    const answer = words.includes(thing) && place
      ? { found: true, ...place, confidence: 0.9 }
      : { found: false };
    return {
      model: "scripted",
      role: "assistant",
      stopReason: "endTurn",
      content: { type: "text", text: JSON.stringify(answer) },
    };
  };
}

async function magentaIn(base64: string) {
  const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  const { width, height, rgba } = await readPng(bytes, "the picture");
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let at = 0; at < width * height; at++) {
    if (rgba[4 * at] !== 255 || rgba[4 * at + 1] !== 0 || rgba[4 * at + 2] !== 255) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, top, right, bottom] = [
      Math.min(left, x),
      Math.min(top, y),
      Math.max(right, x),
      Math.max(bottom, y),
    ];
  }
  return right < 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

async function destroys(whole: Guest, plain: Guest, place: Place): Promise<void> {
  const remove = { app: "Notes", query: "Delete all notes" };
  const before = place.actions().length;
  for (
    const said of [
      { action: "decline" },
      { action: "cancel" },
      { action: "accept", content: { confirm: false } },
    ] as const
  ) {
    whole.person = () => ({ ...said });
    assert.equal(
      (await whole.fails("ax_click", remove)).reported["kind"],
      "ConfirmationRequired",
      JSON.stringify(said),
    );
    const { message, requestedSchema } = form(whole);
    assert.ok(
      message.startsWith("This will click 'Delete all notes' in Notes. This action may be irreversible."),
      message,
    );
    assert.deepEqual(requestedSchema.required, ["confirm"]);
  }
  // Whatever was done before this would be in the account before it.
  await whole.tool("ax_click", { app: "Notes", query: "Keep" });
  await done(whole, place, "keep");
  assert.deepEqual(place.actions().slice(before), ["keep"]);
  whole.person = () => ({ action: "accept", content: { confirm: true } });
  await whole.tool("ax_click", remove);
  form(whole);
  await done(whole, place, "delete");

  const unasked = "warning axterminator.security destructive_act_not_confirmed";
  const gone = { app: "Notes", query: "Remove account" };
  await plain.tool("ax_click", gone);
  assert.ok(plain.logged.includes(unasked), plain.logged.join());
  await done(whole, place, "remove");
  assert.deepEqual(place.actions().slice(before), ["keep", "delete", "remove"]);

  await inMode(place, plain, "safe");
  const refused = await plain.fails("ax_click", gone);
  assert.equal(refused.reported["kind"], "ConfirmationRequired");
  assert.match(refused.text, /a person has to confirm it, and the client cannot ask/);
  await whole.tool("ax_click", { app: "Notes", query: "Keep" });
  await done(whole, place, "keep");
  assert.deepEqual(place.actions().slice(before + 3), ["keep"]);
  await inMode(place, plain, "normal");
}

/** The person who runs the server changes its mode in the file that it watches. */
async function inMode({ state }: Place, guest: Guest, mode: string): Promise<void> {
  const file = join(state, "config/backstep/security.toml");
  const before = guest.changes;
  writeFileSync(`${file}.new`, `mode = "${mode}"\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  await guest.until(`the mode ${mode}`, () => guest.changes > before);
}

async function scripts(whole: Guest, plain: Guest): Promise<void> {
  // The click on the square, whose effect is unknown, was asked for.
  whole.questions();
  const script = "echo it ran";
  whole.person = () => ({ action: "decline" });
  assert.equal((await whole.fails("ax_run_script", { script })).reported["kind"], "ConfirmationRequired");
  const { message, requestedSchema } = form(whole);
  assert.equal(message, `Review this AppleScript before execution:\n\n${script}`);
  assert.deepEqual(Object.keys(requestedSchema.properties), ["approve", "timeout_seconds"]);
  whole.person = () => ({ action: "accept", content: { approve: true, timeout_seconds: 5 } });
  assert.match((await whole.tool("ax_run_script", { script })).text, /it ran/);
  whole.person = () => ({ action: "accept", content: { approve: true, timeout_seconds: 1 } });
  assert.equal(
    (await whole.fails("ax_run_script", { script: "exec sleep 30" })).reported["kind"],
    "ScriptTimeout",
  );
  whole.questions();
  assert.match((await plain.tool("ax_run_script", { script })).text, /it ran/);
  assert.ok(plain.logged.includes("warning axterminator.security script_not_reviewed"), plain.logged.join());
}

async function polkit(whole: Guest, place: Place): Promise<void> {
  const keeper = { bundleId: "test.keeper" };
  whole.person = () => ({ action: "accept", content: { proceed: false } });
  const declined = await whole.fails("launch_application", keeper);
  assert.match(declined.text, /Error executing command as another user: Not authorized/);
  assert.equal(
    form(whole).message,
    "This operation requires administrator privileges to modify system settings.",
  );
  whole.person = () => {
    writeFileSync(join(place.state, "bin/authenticated"), "");
    return { action: "accept", content: { proceed: true } };
  };
  await whole.tool("launch_application", keeper);
  form(whole);
  assert.equal((await whole.tool("ax_connect", { app: "Keeper" })).reported["windows"], 1);
}

async function keyMissing(asking: Guest): Promise<void> {
  const look = { app: "Notes", description: "the square" };
  asking.person = () => ({ action: "accept" });
  const { reported } = await asking.fails("ax_find_visual", look);
  assert.equal(reported["kind"], "VlmUnavailable");
  assert.match(String(reported["suggestion"]), /The person was shown where to get a key/);
  const [asked, ...more] = asking.questions();
  assert.equal(more.length, 0);
  assert.ok(asked?.mode === "url");
  assert.equal(asked.url, "https://console.anthropic.com/settings/keys");
  assert.match(asked.message, /^Anthropic API key required/);
  await asking.until("the end of the question", () => asking.completed.includes(asked.elicitationId));
}

async function samples(whole: Guest, place: Place): Promise<void> {
  whole.sampled.splice(0);
  whole.model = sees("the magenta square");
  const { reported } = await whole.tool("ax_find_visual", {
    app: "Notes",
    description: "the magenta square",
  });
  assert.deepEqual([reported["found"], reported["vlm_backend"], reported["confidence"]], [
    true,
    "sampling",
    0.9,
  ]);
  const [x = 0, y = 0] = isList(reported["center"]) ? reported["center"].map(Number) : [];
  await whole.tool("ax_click_at", { x, y });
  await done(whole, place, "square");

  const says = (text: string) => ({
    model: "scripted",
    role: "assistant" as const,
    stopReason: "endTurn",
    content: { type: "text" as const, text },
  });
  whole.model = async ({ messages }) => {
    const picture = messages.flatMap((one) => one.content).find((one) => one.type === "image");
    assert.ok(picture?.type === "image");
    return says((await magentaIn(picture.data)) ? "A square of magenta." : "Nothing.");
  };
  const seen = await whole.tool("ax_screenshot", { app: "Notes", interpret: true });
  assert.match(seen.text, /A square of magenta\./);

  const asked: CreateMessageRequest["params"][] = [];
  whole.model = (params) => {
    asked.push(params);
    const use = (id: string, name: string, input: Record<string, string>) => ({
      model: "scripted",
      role: "assistant" as const,
      stopReason: "toolUse",
      content: [{ type: "tool_use" as const, id, name, input }],
    });
    const query = 'button[name="Keep"]';
    return Promise.resolve(
      asked.length === 1
        ? use("a", "describe_element", { query })
        : asked.length === 2
        ? use("b", "suggest_locator", { query, reason: "It says so." })
        : says("Use that."),
    );
  };
  const { messages } = await whole.client.getPrompt({
    name: "debug-ui",
    arguments: { app_name: "Notes", element_description: "the button to preserve", query_tried: "Preserve" },
  });
  assert.deepEqual(asked[0]?.tools?.map(({ name }) => name), ["describe_element", "suggest_locator"]);
  const results = asked.at(-1)?.messages.flatMap((one) => one.content).flatMap((one) =>
    one.type === "tool_result" ? [JSON.stringify(one.content)] : []
  );
  assert.match(results?.[0] ?? "", /Keep/, "what the tool saw of the real window");
  assert.match(results?.[1] ?? "", /count\\":1/);
  assert.match(JSON.stringify(messages), /which finds 1: .*It says so/);

  whole.model = ({ messages: [first] }) => {
    assert.match(JSON.stringify(first?.content), /Keep/, "the outline of the real window goes along");
    return Promise.resolve(says("ax_click Keep"));
  };
  const plan = await whole.client.getPrompt({
    name: "automate-workflow",
    arguments: { workflow: "Keep the notes", apps: "Notes", dry_run: "true" },
  });
  assert.match(JSON.stringify(plan.messages), /would begin with:.*ax_click Keep/);
}

async function login(whole: Guest, page: string): Promise<void> {
  await whole.tool("launch_application", { bundleId: "test.page" });
  await whole.tool("ax_connect", { app: "chromium", alias: "browser" });
  const asks = await whole.tool("ax_assert", {
    app: "browser",
    query: "AXSecureTextField",
    assertions: { exists: true },
    timeout_ms: 30_000,
  });
  assert.equal(asks.reported["passed"], true, asks.text);
  whole.person = () => ({ action: "accept" });
  const { reported } = await whole.fails("ax_click", { app: "browser", query: "Open the ledger" });
  const [asked, ...more] = whole.questions();
  assert.equal(more.length, 0);
  assert.ok(asked?.mode === "url", JSON.stringify(asked));
  assert.deepEqual([asked.url, reported["login"]], [page, page]);
  assert.match(asked.message, /requires authentication/);
  await whole.until("the end of the question", () => whole.completed.includes(asked.elicitationId));
}

async function accessibilityOff(whole: Guest, { state }: Place): Promise<void> {
  assert.equal((await whole.tool("ax_is_accessible")).reported["enabled"], true);
  const [lease, ...more] = new Leases(state).all();
  assert.equal(more.length, 0);
  const bus = lease?.parts.find(({ name }) => name === "accessibility");
  assert.ok(bus);
  const path = /^unix:path=([^,]+)/.exec(lease?.accessibilityBus ?? "")?.[1];
  assert.ok(path, lease?.accessibilityBus);
  // Whoever is connected to it hears of its end.
  const socket = connect(path);
  await once(socket, "connect");
  const gone = once(socket, "close");
  socket.resume();
  process.kill(bus.pid, "SIGTERM");
  await within(20_000, "end of the accessibility bus", gone);

  const saying = {
    show_instructions: /^The person asked for instructions.*Install at-spi2-core/,
    // Whatever settings this machine has.
    open_settings: /^No settings program was found to open|was (opened|started)/,
    // In whose words depends on whether the desktop has noticed by itself yet.
    cancel: /^(?!The person|No settings).*Install and start at-spi2-core/,
  };
  for (const [action, says] of Object.entries(saying)) {
    whole.person = () => ({ action: "accept", content: { action } });
    const { reported } = await whole.tool("ax_is_accessible");
    assert.equal(reported["enabled"], false);
    assert.match(String(reported["suggestion"]), says);
    const { message, requestedSchema: { properties: { action: asked } } } = form(whole);
    assert.equal(message, "Accessibility permissions are not enabled. Would you like instructions?");
    assert.deepEqual(
      asked && "oneOf" in asked && asked.oneOf.map((one) => one.const).toSorted(),
      Object.keys(saying).toSorted(),
    );
  }
}
