import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseWorkflow } from "./parse.ts";
import { secretValues } from "./secret-values.ts";

const parse = (yaml: string, file: string, files: Readonly<Record<string, string>> = {}) =>
  parseWorkflow(yaml, {
    file,
    operations: [],
    load: (name) => ({ file: name, key: name, folder: ".", bytes: files[name] ?? "" }),
  });
const DECLARED = `name: n
secrets:
  PIN: { prompt: "PIN of the card" }
  TOKEN: { file: token }
  KEY: { env: OTHER_KEY }
  PLAIN: { env: PLAIN }
steps: []
`;

Deno.test("secrets come from the environment, from a file beside the workflow, and from a person, who is asked last", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backstep-secrets-"));
  try {
    writeFileSync(join(folder, "token"), "from a file\n", { mode: 0o600 });
    const asked: string[] = [];
    const secret = await secretValues(parse(DECLARED, join(folder, "n.yaml")), {
      env: (name) => {
        asked.push(name);
        return `${name} of the environment`;
      },
      ask(name, words) {
        asked.push(`${name}: ${words}`);
        return Promise.resolve("typed");
      },
    });
    assert.deepEqual(["PIN", "TOKEN", "KEY", "PLAIN", "HOME"].map(secret), [
      "typed",
      "from a file",
      "OTHER_KEY of the environment",
      "PLAIN of the environment",
      undefined,
    ]);
    assert.deepEqual(asked, ["OTHER_KEY", "PLAIN", "PIN: PIN of the card"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

Deno.test("a secret that is not set, or that nobody is there to type, is refused by name", async () => {
  const env = () => undefined;
  await assert.rejects(secretValues(parse("name: n\nsecrets: [T]\nsteps: []", "n.yaml"), { env }), {
    code: "usage",
    message: "Cannot run n.yaml: the secret T is not set",
  });
  const prompted = parse("name: n\nsecrets: { T: { prompt: Token } }\nsteps: []", "n.yaml");
  await assert.rejects(secretValues(prompted, { env }), {
    code: "usage",
    message: "Cannot run n.yaml: the secret T is asked for, and there is no terminal",
  });
  await assert.rejects(secretValues(prompted, { env, ask: () => Promise.resolve("") }), /nothing was typed/);
});

Deno.test("the secrets of a file that is run are read too; one name from two places is refused", async () => {
  const inner = "name: inner\nsecrets: { T: { env: INNER } }\nsteps: []";
  const outer = (secrets: string) =>
    parse(`name: n\n${secrets}\nsteps: [ { run: inner.yaml } ]`, "n.yaml", {
      "inner.yaml": inner,
    });
  const secret = await secretValues(outer(""), { env: (name) => name });
  assert.equal(secret("T"), "INNER");
  await assert.rejects(secretValues(outer("secrets: [T]"), { env: (name) => name }), /comes from elsewhere/);
});

Deno.test("where secrets come from is read as it was declared", () => {
  assert.deepEqual(parse(DECLARED, "n.yaml").secretSources, {
    PIN: { prompt: "PIN of the card" },
    TOKEN: { file: "token" },
    KEY: { env: "OTHER_KEY" },
  });
});
