import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toBackstepError } from "../../base/error.ts";
import { bytesOf, settings, trial } from "../run/_trial.ts";
import { PastRun } from "../journal/past-run.ts";
import { Encryption } from "../journal/encryption.ts";
import { readSecretFile } from "./secret-file.ts";
import { secretsAgain } from "./secrets.ts";

/** A file with a mode, for as long as it is used. */
function withFile(content: string | Uint8Array, mode: number, use: (path: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "backstep-secret-"));
  const path = join(folder, "token");
  try {
    writeFileSync(path, content);
    chmodSync(path, mode);
    use(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function refusal(path: string): string {
  try {
    readSecretFile("TOKEN", path);
  } catch (thrown) {
    const { code, message, hint } = toBackstepError(thrown);
    return `${code}: ${message} ${hint}`;
  }
  return "";
}

Deno.test("a secret is the content of a file that only its owner may read, without the line break at its end", () => {
  withFile("s3cret\n", 0o600, (path) => assert.equal(readSecretFile("TOKEN", path), "s3cret"));
  withFile("two\nlines\r\n", 0o400, (path) => assert.equal(readSecretFile("TOKEN", path), "two\nlines"));
  withFile(" Grüße ", 0o600, (path) => assert.equal(readSecretFile("TOKEN", path), " Grüße "));
});

Deno.test("a file that others may read, or that may be run, is refused, and what is in it is not told", () => {
  for (const mode of [0o644, 0o640, 0o604, 0o700, 0o660]) {
    withFile("s3cret", mode, (path) => {
      const reported = refusal(path);
      assert.match(
        reported,
        /^usage: Cannot read the secret TOKEN from .*: its mode is 0\d{3}, not 0600 or 0400/,
      );
      assert.match(reported, /chmod 600/);
      assert.doesNotMatch(reported, /s3cret/);
    });
  }
});

Deno.test("a file that is not there, empty, too large, no text, or a folder, is refused by name", () => {
  withFile("", 0o600, (path) => {
    assert.match(refusal(path), /it is empty/);
    assert.match(refusal(`${path}.not`), /it cannot be opened/);
    mkdirSync(`${path}.d`, { mode: 0o700 });
    assert.match(refusal(`${path}.d`), /it is no file/);
  });
  withFile("x".repeat(70_000), 0o600, (path) => assert.match(refusal(path), /70000 bytes/));
  withFile(new Uint8Array([0xff, 0xfe]), 0o600, (path) => assert.match(refusal(path), /no text/));
});

Deno.test("who takes a run over reads its files again, and what cannot be read comes from the environment", () => {
  const env = (name: string) => `${name} of the environment`;
  withFile("s3cret", 0o600, (path) => {
    const { secret } = secretsAgain({ TOKEN: path, GONE: `${path}.not` }, { env, secret: env });
    assert.deepEqual(["TOKEN", "GONE", "PIN"].map(secret), [
      "s3cret",
      "GONE of the environment",
      "PIN of the environment",
    ]);
  });
});

Deno.test("a run whose secrets come from a file can be taken over: its journal says which, encrypted", async () => {
  const yaml = settings(
    "  - clipboard: { action: write, text: '{{secrets.TOKEN}}' }",
    "secrets: { TOKEN: { file: /token } }",
  );
  await trial(yaml, { environment: { TOKEN: "s3cret" } }, ({ result, state, folder }) => {
    assert.equal(result.status, "passed");
    assert.deepEqual(new PastRun(folder, Encryption.open(state, result.run)).given.secretFiles, {
      TOKEN: "/token",
    });
    assert.doesNotMatch(bytesOf(folder), /s3cret|\/token/);
  });
});
