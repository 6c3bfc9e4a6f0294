import { deepEqual, equal, match, ok } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { moduleAt, toRun } from "../../base/_child.ts";

const BIN = fileURLToPath(moduleAt("../../../bin.ts", import.meta.url));

interface Answer {
  readonly ok: boolean;
  readonly settings: readonly { readonly setting: string; readonly value: string; readonly source: string }[];
  readonly notes: readonly string[];
  readonly findings: readonly { readonly name: string; readonly ok: boolean; readonly says: string }[];
}

async function doctor(
  config: string,
  more: { readonly [name: string]: string } = {},
  options: readonly string[] = [],
): Promise<{ code: number; answer: Answer }> {
  const { PATH = "" } = process.env;
  const env = {
    PATH,
    HOME: config,
    XDG_CONFIG_HOME: config,
    XDG_DATA_HOME: config,
    DENO_DIR: denoDir(),
    ...more,
  };
  const args = toRun(BIN, "mcp", "doctor", "--session", "simulated", "--format", "json", ...options);
  const child = spawn(process.execPath, args, { env, cwd: config, stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.on("data", (chunk) => out += String(chunk));
  const [code] = await once(child, "close");
  return { code: Number(code), answer: JSON.parse(out) };
}

/** Where Deno keeps what it has fetched: HOME is another one in these tests. */
function denoDir(): string {
  return process.env["DENO_DIR"] ?? join(process.env["HOME"] ?? "/", ".cache/deno");
}

async function withConfig(work: (config: string, folder: string) => Promise<void>) {
  const config = mkdtempSync(join(tmpdir(), "backstep-doctor-"));
  const folder = join(config, "backstep");
  mkdirSync(folder);
  try {
    await work(config, folder);
  } finally {
    rmSync(config, { recursive: true });
  }
}

Deno.test("a folder of settings that is named and not there is a fault, or a policy would be missing unnoticed", async () => {
  await withConfig(async (config) => {
    const named = join(config, "mistyped");
    const { code, answer } = await doctor(config, {}, ["--config", named]);
    equal(code, 1);
    const fault = answer.findings.find(({ ok }) => !ok);
    equal(fault?.says, `Cannot use --config ${named}: it is no folder`);
  });
});

Deno.test("the doctor tells every setting with its source, and exits 0 where nothing would stop the server", async () => {
  await withConfig(async (config, folder) => {
    writeFileSync(join(folder, "security.toml"), '[apps]\ndenied = ["Vault"]\n');
    const { code, answer } = await doctor(config, {
      BACKSTEP_HTTP_PORT: "0",
      BACKSTEP_HTTP_TOKEN: "hunter2hunter2hunter2",
      AXTERMINATOR_CONCURRENCY: "3",
    });
    equal(code, 0, JSON.stringify(answer.findings));
    const row = (name: string) => answer.settings.find(({ setting }) => setting === name);
    deepEqual(row("denied applications"), {
      setting: "denied applications",
      value: "Vault",
      source: `${join(folder, "security.toml")}:2`,
    });
    equal(row("HTTP token")?.value, "********");
    equal(row("calls at once")?.source, "environment AXTERMINATOR_CONCURRENCY");
    match(answer.notes.join(), /AXTERMINATOR_CONCURRENCY is taken as BACKSTEP_CONCURRENCY/);
    ok(!JSON.stringify(answer).includes("hunter2"));
  });
});

Deno.test("the doctor names a client's file that cannot be read, and goes on", async () => {
  await withConfig(async (config) => {
    const file = join(config, ".cursor", "mcp.json");
    mkdirSync(file, { recursive: true });
    const { code, answer } = await doctor(config, { BACKSTEP_HTTP_PORT: "0" });
    equal(code, 0, JSON.stringify(answer.findings));
    match(answer.findings.find((one) => !one.ok)?.says ?? "", new RegExp(`Cannot read ${file}`));
  });
});

Deno.test("the doctor exits 1 where a file is faulty, with its place", async () => {
  await withConfig(async (config, folder) => {
    writeFileSync(join(folder, "config.toml"), "[http]\nprot = 1\n");
    const { code, answer } = await doctor(config);
    equal(code, 1);
    match(answer.findings[0]?.says ?? "", /config.toml: line 2, column 1: http.prot is no setting/);
  });
});

Deno.test("the doctor exits 1 where others could reach the server unasked, where its port is taken, where the audit log is needed and cannot be written", async () => {
  await withConfig(async (config, folder) => {
    const taken = createServer().listen(0, "127.0.0.1");
    try {
      await once(taken, "listening");
      const address = taken.address();
      ok(typeof address === "object" && address !== null);
      const cases = [
        [{ BACKSTEP_HTTP_BIND: "0.0.0.0", BACKSTEP_HTTP_PORT: "0" }, "HTTP access"],
        [{ BACKSTEP_HTTP_TOKEN: "short", BACKSTEP_HTTP_PORT: "0" }, "HTTP access"],
        [{
          BACKSTEP_HTTP_TOKEN: "0123456789abcdef",
          BACKSTEP_HTTP_OAUTH_ISSUER: "https://a.example",
          BACKSTEP_HTTP_PORT: "0",
        }, "HTTP access"],
        [{ BACKSTEP_HTTP_OAUTH_ISSUER: "http://a.example", BACKSTEP_HTTP_PORT: "0" }, "HTTP access"],
        [{ BACKSTEP_HTTP_PORT: String(address.port) }, "HTTP port"],
        [
          { BACKSTEP_SECURITY_MODE: "safe", BACKSTEP_AUDIT_LOG: folder, BACKSTEP_HTTP_PORT: "0" },
          "audit log",
        ],
      ] as const;
      for (const [environment, name] of cases) {
        const { code, answer } = await doctor(config, environment);
        equal(code, 1, name);
        equal(answer.findings.find((one) => one.name === name)?.ok, false, name);
      }
    } finally {
      taken.close();
    }
  });
});
