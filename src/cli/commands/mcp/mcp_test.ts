import assert from "node:assert/strict";
import { BackstepError } from "../../../base/error.ts";
import { readArguments } from "../../arguments.ts";
import { PLAIN } from "../../../report/style.ts";
import type { Io } from "../../io.ts";
import { mcp } from "../mcp.ts";
import { toolsetsOf } from "./serve-options.ts";

const silent: Io = {
  format: "quiet",
  style: PLAIN,
  terminal: false,
  live: false,
  columns: 80,
  text() {},
  exact() {},
  json() {},
  raw() {},
  note() {},
  aside() {},
  error() {},
};

async function refusal(...words: string[]): Promise<string> {
  try {
    await mcp.run(readArguments(mcp, words), silent);
  } catch (error) {
    assert.ok(error instanceof BackstepError && error.code === "usage", String(error));
    return `${error.message}. ${error.hint}`;
  }
  throw new Error(`${words.join(" ")} is taken`);
}

Deno.test("what mcp serve and mcp install cannot be is said before anything is opened or written", async () => {
  assert.match(await refusal("sreve"), /"sreve" is no verb of it. Did you mean serve\?/);
  assert.match(await refusal("serve", "--client", "zed"), /--client is for install/);
  assert.match(await refusal("install", "--http"), /--http is for serve/);
  assert.match(await refusal("serve", "9000"), /"9000" is one argument too many/);
  assert.match(await refusal("serve", "--port", "9000"), /--port is for --http/);
  assert.match(await refusal("serve", "--http", "9000", "--port", "9001"), /"9000" is one argument too many/);
  assert.match(await refusal("serve", "--stdio", "--http"), /--stdio is for one client/);
  assert.match(
    await refusal("serve", "--toolsets", "find,observ"),
    /no group of tools "observ". Did you mean observe\?/,
  );
  assert.match(await refusal("serve", "--toolsets", " , "), /--toolsets names no group/);
  assert.match(await refusal("install"), /--client is missing. It is one of claude-desktop/);
  assert.match(await refusal("install", "--client", "cursr"), /Did you mean cursor\?/);
  assert.match(
    await refusal("install", "--client", "windsurf", "--scope", "project"),
    /no settings of its own for a folder/,
  );
  assert.match(await refusal("install", "--client", "zed", "--name", "a b"), /--name is letters/);
});

Deno.test("groups of tools are read with their commas", () => {
  assert.equal(toolsetsOf(undefined), undefined);
  assert.deepEqual(toolsetsOf("find, observe,"), ["find", "observe"]);
});
