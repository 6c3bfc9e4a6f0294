import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import process from "node:process";
import { defined } from "../../base/defined.ts";
import { AuditLog } from "../../policy/audit-log.ts";
import type { SettingRow, Settings } from "../../policy/settings.ts";
import { SETTINGS } from "../../policy/table.ts";
import type { DesktopSettings } from "../../session/settings/settings.ts";
import { table } from "../../report/layout.ts";
import { harmless } from "../../report/style.ts";
import type { Arguments } from "../command.ts";
import { attempt, failed, type Finding, findingLines } from "../findings.ts";
import type { Io } from "../io.ts";
import { settingsOf as desktopSettingsOf } from "../desktop-options.ts";
import { interrupts } from "../signals.ts";
import { CLIENTS } from "./mcp/clients.ts";
import { settingsOf } from "./mcp/configure.ts";
import { readConfig } from "./mcp/write-config.ts";

const COMMAND = { name: "mcp doctor" };

/** Milliseconds that the desktop has for an answer. */
const ANSWER = 5_000;

/** `backstep mcp doctor`: what is configured and from where, and what would stop the server. Exit 1 where something would. */
export async function doctor(args: Arguments, io: Io): Promise<number> {
  const asked = interrupts(() => {});
  try {
    const { settings, finding } = configured(args);
    const findings = [
      finding,
      ...(settings ? await lookAround(args, settings, asked.stop) : []),
      ...clients(),
    ];
    const rows = settings?.rows ?? [];
    io.json({
      ok: findings.every((one) => one.ok || !one.needed),
      settings: rows.map((row) => ({ ...row })),
      notes: settings?.notes ?? [],
      findings,
    });
    io.text([
      ...findingLines(findings, io.style),
      ...(settings?.notes ?? []).map((note) => `  ${harmless(note)}`),
      ...settingLines(rows, io),
      "",
    ].join("\n"));
    return findings.every((one) => one.ok || !one.needed) ? 0 : 1;
  } finally {
    asked.release();
  }
}

function configured(args: Arguments): { settings?: Settings; finding: Finding } {
  const name = "configuration";
  try {
    const settings = settingsOf(args);
    const { files, folder } = settings;
    const says = files.length === 0 ? `no files in ${folder}: defaults and environment` : files.join(", ");
    return { settings, finding: { name, ok: true, needed: true, says } };
  } catch (thrown) {
    return { finding: failed(name, true, thrown) };
  }
}

async function lookAround(args: Arguments, settings: Settings, signal: AbortSignal): Promise<Finding[]> {
  const session = args.string("session") ?? "attach";
  return [
    security(settings),
    await attempt("audit log", settings.get(SETTINGS.mode) === "safe", () => auditLog(settings)),
    await attempt(
      `desktop (--session ${session})`,
      true,
      () => desktop(session, desktopSettingsOf(COMMAND, args), signal),
    ),
    await attempt("vision", false, () => vision(settings)),
    await attempt("HTTP access", true, () => exposure(args, settings)),
    await attempt(
      "HTTP port",
      settings.source(SETTINGS.port).from !== "default",
      () => portFree(settings.get(SETTINGS.bind), settings.get(SETTINGS.port)),
    ),
  ];
}

function security(settings: Settings): Finding {
  const [allowed, denied] = [settings.get(SETTINGS.allowed), settings.get(SETTINGS.denied)];
  const lists = [
    ...(allowed.length > 0 ? [`only ${allowed.join(", ")}`] : []),
    ...(denied.length > 0 ? [`never ${denied.join(", ")}`] : []),
  ];
  const says = `mode ${settings.get(SETTINGS.mode)}; applications: ${lists.join("; ") || "all"}`;
  return { name: "security", ok: true, needed: true, says };
}

function auditLog(settings: Settings): string {
  const path = settings.get(SETTINGS.auditLog);
  const log = new AuditLog(path, { maxBytes: settings.get(SETTINGS.auditBytes) });
  try {
    log.check();
  } finally {
    log.close();
  }
  return `${path} can be written`;
}

async function desktop(
  kind: string,
  settings: DesktopSettings | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (kind === "simulated") return "a desktop in memory";
  if (kind === "isolated") {
    const { programOf } = await import("../../session/programs.ts");
    for (const part of ["xvfb", "bus", "accessibility", "openbox"] as const) {
      programOf(part, process.env["PATH"] ?? "");
    }
    return "a private desktop can be started; `backstep check` starts one";
  }
  const { openSession } = await import("../../session/open-session.ts");
  const session = await openSession({ kind: "attach", ...defined({ settings }) }, {
    timeout: ANSWER,
    signal,
  });
  try {
    const running = await session.desktop.applications({ timeout: ANSWER, signal });
    return `${session.label}; accessibility answers: ${running.length} applications`;
  } finally {
    await session.close();
  }
}

async function vision(settings: Settings): Promise<string> {
  const { chosenBackend, isSetUp } = await import("../../vision/models.ts");
  const env = (name: string) => settings.environment[name];
  const backend = chosenBackend(env);
  if (backend === undefined) {
    return "the client's model where it offers one, else texts are read on this machine";
  }
  const ready = isSetUp(backend, env);
  return `${backend}${
    ready ? "" : " (not set up: its key or address is missing)"
  }, where the client offers no model`;
}

/** Who may call over HTTP; throws what would keep such a server from starting. */
async function exposure(args: Arguments, settings: Settings): Promise<string> {
  const { httpSettings } = await import("./mcp/serve-http.ts");
  const { bind, token, oauth: issued } = httpSettings(args, settings);
  if (token !== undefined) {
    const { sharedToken } = await import("../../mcp/transport/auth/shared-token.ts");
    sharedToken(token);
    return `${bind}: with the bearer token`;
  }
  if (issued === undefined) return `${bind}: whoever is on this machine`;
  const { oauth } = await import("../../mcp/transport/auth/oauth.ts");
  await oauth({ resource: "http://127.0.0.1/mcp", ...issued });
  return `${bind}: with a token of ${issued.issuer}`;
}

async function portFree(bind: string, port: number): Promise<string> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host: bind, port, exclusive: true }, resolve);
    });
  } finally {
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
  return port === 0 ? "any that is free" : `${port} is free`;
}

/** Clients whose configuration is there, and whether it names this server. */
function clients(): Finding[] {
  const homes = { home: homedir(), project: process.cwd(), platform: process.platform, env: process.env };
  return Object.values(CLIENTS).flatMap(({ title, user, project }): Finding[] => {
    const files = [user?.(homes), project?.(homes)].filter((file) => file !== undefined && existsSync(file));
    return files.flatMap((file) => {
      if (file === undefined) return [];
      let text: string;
      try {
        text = readConfig(file);
      } catch (thrown) {
        return [failed(title, false, thrown)];
      }
      const has = text.includes("backstep");
      return [{
        name: title,
        ok: has,
        needed: false,
        says: `${file} ${has ? "names Backstep" : "does not name Backstep"}`,
        ...(has ? {} : { fix: "backstep mcp install --client … adds it" }),
      }];
    });
  });
}

function settingLines(rows: readonly SettingRow[], { style }: Io): string[] {
  if (rows.length === 0) return [];
  return [
    "",
    style.bold("Settings"),
    ...table(rows.map(({ setting, value, source }) => [`  ${setting}`, harmless(value), harmless(source)])),
  ];
}
