import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BackstepError } from "../../base/error.ts";
import { fixture, PLAIN_CLIENT } from "../session/_host.ts";
import type { McpClient, Root } from "./client.ts";
import { getPrompt } from "./find-prompt.ts";
import { readResource } from "./find-resource.ts";
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

Deno.test("paths that tools are given are confined to the client's folder", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "backstep-roots-")));
  try {
    const client = withRoots([{ uri: String(pathToFileURL(folder)) }]);
    await fixture({}, async ({ session, call }) => {
      const shot = (path: string) =>
        session.look({ operation: "screenshot", input: { path } }, call({ client }));
      await shot("here.png");
      assert.deepEqual(readdirSync(folder), ["here.png"]);
      await assert.rejects(shot("../there.png"), /outside|below/);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("a client whose folders cannot be had is served in the server's own, and told why", async () => {
  const client: McpClient = {
    ...withRoots([]),
    roots: () => Promise.reject(new Error("nobody answers")),
  };
  await fixture({}, async ({ session, call, reported }) => {
    await session.look({ operation: "list-applications", input: {} }, call({ client }));
    assert.deepEqual(reported.log.map(({ level, logger }) => [level, logger]), [[
      "warning",
      "axterminator.roots",
    ]]);
  });
});

Deno.test("a call that is cancelled while the client is asked for its folders takes no other call with it", async () => {
  let asked = 0;
  const client: McpClient = {
    ...withRoots([]),
    roots: (signal) =>
      asked++ > 0 ? Promise.resolve([]) : new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new BackstepError("cancelled", "Cannot ask")));
      }),
  };
  const folders = new OpenFolders();
  const first = new AbortController();
  const both = [folders.list(client, first.signal), folders.list(client, new AbortController().signal)];
  first.abort();
  const [cut, other] = await Promise.allSettled(both);
  assert.deepEqual([cut?.status, other], ["rejected", { status: "fulfilled", value: [] }]);
});

Deno.test("what lies in the client's folders is told in the status, and its workflows where one is wanted", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "backstep-roots-")));
  try {
    mkdirSync(join(folder, "workflows"));
    writeFileSync(join(folder, "workflows", "export.yaml"), "");
    const client = withRoots([{ uri: String(pathToFileURL(folder)) }]);
    await fixture({}, async ({ host, call }) => {
      const [status] = await readResource(host, "axterminator://system/status", call({ client }));
      assert.ok(status && "text" in status);
      const reported: { readonly folders?: unknown } = JSON.parse(status.text);
      assert.deepEqual(reported.folders, [{
        path: folder,
        workflows: 1,
        baselines: false,
        configuration: false,
      }]);
      const { messages } = await getPrompt(
        host,
        "automate-workflow",
        { workflow: "export" },
        call({ client }),
      );
      assert.match(JSON.stringify(messages), /export\.yaml/);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
