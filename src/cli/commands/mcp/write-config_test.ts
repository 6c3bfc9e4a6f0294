import assert from "node:assert/strict";
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLIENT_NAMES } from "./client-names.ts";
import { CLIENTS } from "./clients.ts";
import { difference, readConfig, replaceConfig } from "./write-config.ts";

function inFolder(test: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "backstep-install-"));
  try {
    test(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

Deno.test("a new file is made with its folders, for nobody else to read", () => {
  inFolder((folder) => {
    const file = join(folder, "a", "b.json");
    assert.equal(readConfig(file), "");
    assert.equal(replaceConfig(file, "", "{}\n"), undefined);
    assert.deepEqual([readConfig(file), statSync(file).mode & 0o777], ["{}\n", 0o600]);
  });
});

Deno.test("a file that was there keeps its rights and its link, and is kept as it was", () => {
  inFolder((folder) => {
    const real = join(folder, "real.json"), link = join(folder, "link.json");
    writeFileSync(real, "old", { mode: 0o640 });
    symlinkSync(real, link);
    const backup = replaceConfig(link, "old", "new") ?? "";
    assert.equal(readFileSync(backup, "utf8"), "old");
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.deepEqual([readFileSync(real, "utf8"), statSync(real).mode & 0o777], ["new", 0o640]);
  });
});

Deno.test("what cannot be read, is no UTF-8 or is a link to nothing is refused with its name", () => {
  inFolder((folder) => {
    const latin = join(folder, "latin.json"), link = join(folder, "link.json");
    writeFileSync(latin, Uint8Array.of(0x22, 0xe9, 0x22));
    symlinkSync(join(folder, "nowhere"), link);
    assert.throws(() => readConfig(latin), {
      code: "refused",
      message: `Cannot change ${latin}: it is not UTF-8`,
    });
    for (const file of [link, folder]) {
      assert.throws(() => readConfig(file), { code: "io", message: new RegExp(`^Cannot read ${file}: `) });
    }
  });
});

Deno.test("a mark of byte order stays where it was", () => {
  inFolder((folder) => {
    const file = join(folder, "a.json");
    writeFileSync(file, "\uFEFF{}\r\n");
    assert.equal(readConfig(file), "\uFEFF{}\r\n");
  });
});

Deno.test("a file that somebody else changed meanwhile is left alone", () => {
  inFolder((folder) => {
    const file = join(folder, "a.json");
    writeFileSync(file, "theirs");
    assert.throws(() => replaceConfig(file, "as we read it", "ours"), /changed it meanwhile/);
    assert.equal(readFileSync(file, "utf8"), "theirs");
    assert.deepEqual(readdirSync(folder).filter((name) => name.endsWith(".new")), []);
  });
});

Deno.test("a difference shows what goes and what comes, with two lines around", () => {
  assert.deepEqual(difference("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nX\nY\ne\nf\n"), [
    "  b",
    "  c",
    "- d",
    "+ X",
    "+ Y",
    "  e",
    "  f",
  ]);
  assert.deepEqual(difference("", "a\n"), ["+ a"]);
});

Deno.test("every client has a file where it says that it usually has one", () => {
  const homes = { home: "/home/a", project: "/work", platform: "linux", env: {} };
  const files = CLIENT_NAMES.map((name) => CLIENTS[name][CLIENTS[name].usually]?.(homes) ?? "");
  assert.deepEqual(files, [
    "/home/a/.config/Claude/claude_desktop_config.json",
    "/work/.mcp.json",
    "/home/a/.cursor/mcp.json",
    "/work/.vscode/mcp.json",
    "/home/a/.codeium/windsurf/mcp_config.json",
    "/home/a/.config/zed/settings.json",
    "/home/a/.gemini/settings.json",
    "/home/a/.codex/config.toml",
    "/home/a/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    "/home/a/.continue/mcpServers/backstep.json",
  ]);
  const mac = CLIENTS["claude-desktop"].user?.({ ...homes, platform: "darwin" });
  assert.equal(mac, "/home/a/Library/Application Support/Claude/claude_desktop_config.json");
});
