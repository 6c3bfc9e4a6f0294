import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PLAIN_CLIENT } from "./_bench.ts";
import type { McpClient, Root } from "./client.ts";
import { OpenFolders } from "./roots.ts";

function withRoots(roots: readonly Root[]): McpClient & { asked: number } {
  return {
    ...PLAIN_CLIENT,
    can: { ...PLAIN_CLIENT.can, roots: true },
    asked: 0,
    roots() {
      this.asked++;
      return Promise.resolve(roots);
    },
  };
}

Deno.test("workflows, baselines and configuration are found in the client's folders, whatever else it names", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "backstep-roots-")));
  try {
    for (const part of ["workflows", "baselines", ".backstep"]) mkdirSync(join(folder, part));
    for (
      const file of ["workflows/b.yaml", "workflows/a.yml", "workflows/notes.txt", ".backstep/config.toml"]
    ) {
      writeFileSync(join(folder, file), "");
    }
    symlinkSync(folder, `${folder}-link`);
    const client = withRoots([
      { uri: String(pathToFileURL(`${folder}-link`)) },
      { uri: String(pathToFileURL(folder)) },
      { uri: "https://example.org/" },
      { uri: "file:///no/such/folder" },
      { uri: "file://elsewhere/share" },
      { uri: "nonsense" },
    ]);
    const folders = new OpenFolders();
    const { signal } = new AbortController();
    const expected = [{
      path: folder,
      workflows: [join(folder, "workflows/a.yml"), join(folder, "workflows/b.yaml")],
      baselines: join(folder, "baselines"),
      configuration: join(folder, ".backstep/config.toml"),
    }];
    assert.deepEqual(await folders.list(client, signal), expected);
    assert.deepEqual(await folders.list(client, signal), expected);
    assert.equal(client.asked, 1);
    folders.changed();
    await folders.list(client, signal);
    assert.equal(client.asked, 2);
    assert.deepEqual(await folders.list(PLAIN_CLIENT, signal), []);
  } finally {
    rmSync(`${folder}-link`);
    rmSync(folder, { recursive: true });
  }
});
