import assert from "node:assert/strict";
import { parse } from "smol-toml";
import { intoJson, intoToml } from "./entry.ts";

const ENTRY = { command: "/opt/deno", args: ["run", "bin.ts"], env: {} };
const WITH = { ...ENTRY, env: { DISPLAY: ":0" } };

Deno.test("an entry is put into an empty file, and a second time changes nothing", () => {
  const json = intoJson("", "mcpServers", "backstep", ENTRY);
  assert.deepEqual(JSON.parse(json), {
    mcpServers: { backstep: { command: "/opt/deno", args: ["run", "bin.ts"] } },
  });
  assert.equal(intoJson(json, "mcpServers", "backstep", ENTRY), json);
  const toml = intoToml("", "mcp_servers", "backstep", WITH);
  assert.deepEqual(JSON.parse(JSON.stringify(parse(toml))), { mcp_servers: { backstep: WITH } });
  assert.equal(intoToml(toml, "mcp_servers", "backstep", WITH), toml);
});

Deno.test("everything else in a JSON file stays, in its order and with its indent", () => {
  const before =
    '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"other": { "url": "http://x" }\n\t},\n\t"n": 1.5\n}\n';
  const after = intoJson(before, "mcpServers", "backstep", ENTRY, { type: "stdio" });
  const { mcpServers, ...rest } = JSON.parse(after);
  assert.deepEqual(rest, { theme: "dark", n: 1.5 });
  assert.deepEqual(mcpServers.other, { url: "http://x" });
  assert.equal(mcpServers.backstep.type, "stdio");
  assert.match(after, /^\{\n\t"theme"/);
});

Deno.test("what a person added to our entry stays; what we say of it is ours", () => {
  const before = JSON.stringify({
    mcpServers: {
      backstep: { command: "old", args: ["x"], env: { KEY: "secret" }, disabled: true, url: "http://x" },
    },
  });
  const { mcpServers } = JSON.parse(intoJson(before, "mcpServers", "backstep", WITH));
  assert.deepEqual(mcpServers.backstep, {
    disabled: true,
    command: "/opt/deno",
    args: ["run", "bin.ts"],
    env: { KEY: "secret", DISPLAY: ":0" },
  });
});

Deno.test("what could not be kept is refused: comments, long numbers, another form", () => {
  const into = (text: string) => () => intoJson(text, "mcpServers", "backstep", ENTRY);
  assert.throws(into('{\n  // mine\n  "a": 1\n}'), /comments would be lost/);
  assert.throws(into('{"id": 12345678901234567890}'), /numbers that are too long/);
  assert.throws(into("[]"), /no JSON object/);
  assert.throws(into('{"mcpServers": []}'), /no map of servers/);
  assert.doesNotThrow(into('{"text": "12345678901234567890 // no comment"}'));
  assert.throws(() => intoToml("a = [", "mcp_servers", "backstep", ENTRY), /cannot be read/);
  assert.throws(
    () => intoToml('mcp_servers = { other = { command = "x" } }\n', "mcp_servers", "backstep", ENTRY),
    /Cannot change the file/,
  );
});

Deno.test("a TOML file keeps its comments; our own table is replaced where it stands", () => {
  const others = '# mine\nmodel = "o"\n\n[mcp_servers.other]\ncommand = "x" # keep\n';
  const added = intoToml(others, "mcp_servers", "backstep", WITH);
  assert.ok(added.startsWith(others));
  const tail = '[profiles.a]\nmodel = "p"\n';
  const changed = intoToml(`${added}\n${tail}`, "mcp_servers", "backstep", { ...ENTRY, command: "/new" });
  assert.ok(changed.startsWith(others) && changed.endsWith(tail), changed);
  assert.deepEqual(JSON.parse(JSON.stringify(parse(changed))), {
    model: "o",
    mcp_servers: {
      other: { command: "x" },
      backstep: { command: "/new", args: ["run", "bin.ts"], env: { DISPLAY: ":0" } },
    },
    profiles: { a: { model: "p" } },
  });
});
