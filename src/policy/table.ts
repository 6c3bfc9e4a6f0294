import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { choice, file, type Kind, names, secret, text, truth, whole } from "./kinds.ts";
import { SECURITY_MODES } from "./security.ts";

/** The files that settings are read from. */
export const SETTINGS_FILES = ["config.toml", "security.toml"] as const;
export type SettingsFile = (typeof SETTINGS_FILES)[number];

/** The variables of a process. */
export type Environment = { readonly [name: string]: string | undefined };

/** One setting: where it may be given, what it takes, and what it is without anybody's word. */
export interface Setting<T> {
  /** As tables and messages name it. */
  readonly name: string;
  readonly kind: Kind<T>;
  readonly default: T;
  /** The default where it depends on the environment. */
  readonly work?: (environment: Environment) => T;
  /** How the default reads in the reference, where not as it is. */
  readonly shownDefault?: string;
  readonly description: string;
  /** Its keys in files, the one that counts first: "config.toml" and a dotted path. */
  readonly keys?: readonly (readonly [file: SettingsFile, path: string])[];
  /** Variables after `BACKSTEP_` and the published `AXTERMINATOR_`. */
  readonly variable?: string;
  /** Variables of others, by their whole names, the one that counts first. */
  readonly foreign?: readonly string[];
  /** Option of `backstep mcp serve`, without dashes. */
  readonly flag?: string;
}

/** What a setting takes is said by its kind, not by its default. */
const setting = <T>(declared: Omit<Setting<T>, "default"> & { readonly default: NoInfer<T> }): Setting<T> =>
  declared;
const MOST = 1_000_000;

/** Severities as RFC 5424 orders them. */
const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;

/** Every setting of the server. The reference page is made of this table. */
export const SETTINGS = {
  logLevel: setting({
    name: "log level",
    kind: choice(LEVELS),
    default: "info",
    description: "The least severe log messages that a client gets, unless it sets another level.",
    keys: [["config.toml", "server.log_level"]],
    variable: "LOG_LEVEL",
    flag: "log-level",
  }),
  mode: setting({
    name: "security mode",
    kind: choice(SECURITY_MODES),
    default: "normal",
    description:
      "`normal`: everything; `safe`: no scripts, and destructive actions need a person's consent; " +
      "`sandboxed`: only reads.",
    keys: [["security.toml", "mode"], ["config.toml", "server.security_mode"]],
    variable: "SECURITY_MODE",
    flag: "security-mode",
  }),
  confirmDestructive: setting({
    name: "confirm destructive",
    kind: truth,
    default: true,
    description: "Ask a person before an action on an element whose name says that it is destructive. " +
      "Can be turned off in `normal` mode only.",
    keys: [["security.toml", "confirm_destructive"], ["config.toml", "server.confirm_destructive"]],
    variable: "CONFIRM_DESTRUCTIVE",
    flag: "confirm-destructive",
  }),
  launchPrograms: setting({
    name: "launch of programs",
    kind: truth,
    default: false,
    description:
      "Let clients launch programs that have no entry in the catalogue of applications, by path or name.",
    keys: [["security.toml", "launch_programs"], ["config.toml", "security.launch_programs"]],
    variable: "LAUNCH_PROGRAMS",
    flag: "launch-programs",
  }),
  recordUnasked: setting({
    name: "recording without asking",
    kind: truth,
    default: false,
    description: "Let a client that cannot ask a person record what a person does. In `normal` mode only.",
    keys: [["security.toml", "record_unasked"], ["config.toml", "security.record_unasked"]],
    variable: "RECORD_UNASKED",
    flag: "record-unasked",
  }),
  allowed: setting({
    name: "allowed applications",
    kind: names,
    default: [],
    description: "If the list is not empty, only these can be seen and used.",
    keys: [["security.toml", "apps.allowed"], ["config.toml", "security.allowed_apps"]],
    variable: "ALLOWED_APPS",
    flag: "allowed-apps",
  }),
  denied: setting({
    name: "denied applications",
    kind: names,
    default: [],
    description: "These can be neither seen nor used, even if they are allowed.",
    keys: [["security.toml", "apps.denied"], ["config.toml", "security.denied_apps"]],
    variable: "DENIED_APPS",
    flag: "denied-apps",
  }),
  auditLog: setting({
    name: "audit log",
    kind: file,
    default: "",
    work: (environment) =>
      join(userFolder(environment, "XDG_DATA_HOME", ".local/share"), "backstep/audit.jsonl"),
    shownDefault: "`$XDG_DATA_HOME/backstep/audit.jsonl`",
    description: "The file that records every action as one line of JSON.",
    keys: [["security.toml", "audit.file"], ["config.toml", "server.audit_log"]],
    variable: "AUDIT_LOG",
    flag: "audit-log",
  }),
  auditBytes: setting({
    name: "audit log size",
    kind: whole(65_536, 1_073_741_824),
    default: 10_485_760,
    description: "The size in bytes at which a new audit log is started; five old ones are kept.",
    keys: [["security.toml", "audit.max_bytes"], ["config.toml", "server.audit_max_bytes"]],
    variable: "AUDIT_MAX_BYTES",
  }),
  rps: setting({
    name: "calls per second",
    kind: whole(1, MOST),
    default: 50,
    description: "Tool calls, resource reads and prompts of one session in any second.",
    keys: [["security.toml", "rate_limits.rps"], ["config.toml", "rate_limits.rps"]],
    variable: "RATE_LIMIT_RPS",
    flag: "rate-limit-rps",
  }),
  rpm: setting({
    name: "calls per minute",
    kind: whole(1, MOST),
    default: 1_000,
    description: "Tool calls, resource reads and prompts of one session in any minute.",
    keys: [["security.toml", "rate_limits.rpm"], ["config.toml", "rate_limits.rpm"]],
    variable: "RATE_LIMIT_RPM",
    flag: "rate-limit-rpm",
  }),
  concurrency: setting({
    name: "calls at once",
    kind: whole(1, MOST),
    default: 10,
    description: "Tool calls, resource reads and prompts of one session that run at the same time.",
    keys: [["security.toml", "rate_limits.concurrency"], ["config.toml", "rate_limits.concurrency"]],
    variable: "CONCURRENCY",
    flag: "concurrency",
  }),
  vlmRpm: setting({
    name: "vision calls per minute",
    kind: whole(1, MOST),
    default: 10,
    description: "Questions to a vision model in any minute, for all sessions together.",
    keys: [["security.toml", "rate_limits.vlm_rpm"], ["config.toml", "vlm.rate_limit"]],
    variable: "VLM_RATE_LIMIT",
  }),
  scriptRpm: setting({
    name: "scripts per minute",
    kind: whole(1, MOST),
    default: 5,
    description: "Calls of `ax_run_script` in any minute, for all sessions together.",
    keys: [["security.toml", "rate_limits.script_rpm"], ["config.toml", "rate_limits.script_rpm"]],
    variable: "SCRIPT_RATE_LIMIT",
  }),
  vlmBackend: setting({
    name: "vision backend",
    kind: choice(["auto", "auto-detect", "anthropic", "openai", "mlx", "gemini", "ollama"]),
    default: "auto",
    description:
      "The backend that examines pictures. `auto` (or `auto-detect`) uses the client's model, or a " +
      "model whose key is set, or OCR.",
    keys: [["config.toml", "vlm.backend"]],
    variable: "VLM_BACKEND",
    flag: "vlm-backend",
  }),
  vlmModel: setting({
    name: "vision model",
    kind: text,
    default: "",
    shownDefault: "the backend's",
    description: "The model of that backend.",
    keys: [["config.toml", "vlm.model"]],
    variable: "VLM_MODEL",
  }),
  anthropicKey: setting({
    name: "Anthropic key",
    kind: secret,
    default: "",
    shownDefault: "(none)",
    description: "Key of the vision backend `anthropic`. Read from the environment only.",
    foreign: ["ANTHROPIC_API_KEY"],
  }),
  openaiKey: setting({
    name: "OpenAI key",
    kind: secret,
    default: "",
    shownDefault: "(none)",
    description: "Key of the vision backend `openai`. Read from the environment only.",
    foreign: ["OPENAI_API_KEY"],
  }),
  geminiKey: setting({
    name: "Gemini key",
    kind: secret,
    default: "",
    shownDefault: "(none)",
    description: "Key of the vision backend `gemini`. Read from the environment only.",
    foreign: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
  }),
  port: setting({
    name: "HTTP port",
    kind: whole(0, 65_535),
    default: 8_741,
    description: "The port for `--http` and `--sse`; 0 means a free one.",
    keys: [["config.toml", "http.port"]],
    variable: "HTTP_PORT",
    flag: "port",
  }),
  bind: setting({
    name: "HTTP address",
    kind: text,
    default: "127.0.0.1",
    description: "The address for HTTP; all except loopback need a token or OAuth.",
    keys: [["config.toml", "http.bind"]],
    variable: "HTTP_BIND",
    flag: "bind",
  }),
  token: setting({
    name: "HTTP token",
    kind: secret,
    default: "",
    shownDefault: "(none)",
    description: "Bearer token that HTTP clients must send. Read from the environment only.",
    variable: "HTTP_TOKEN",
  }),
  allowedHosts: setting({
    name: "HTTP hosts",
    kind: names,
    default: [],
    description: "Further host names of the HTTP server; requests to other names are refused.",
    keys: [["config.toml", "http.allowed_hosts"]],
    variable: "HTTP_ALLOWED_HOSTS",
  }),
  allowedOrigins: setting({
    name: "HTTP origins",
    kind: names,
    default: [],
    description: "Origins of web pages that may call the HTTP server, in addition to its own.",
    keys: [["config.toml", "http.allowed_origins"]],
    variable: "HTTP_ALLOWED_ORIGINS",
  }),
  issuer: setting({
    name: "OAuth issuer",
    kind: text,
    default: "",
    shownDefault: "(none)",
    description: "The authorization server whose access tokens HTTP clients must send.",
    keys: [["config.toml", "http.oauth_issuer"]],
    variable: "HTTP_OAUTH_ISSUER",
  }),
  jwksUri: setting({
    name: "OAuth keys",
    kind: text,
    default: "",
    shownDefault: "as the issuer's metadata says",
    description: "The address of the issuer's keys.",
    keys: [["config.toml", "http.oauth_jwks_uri"]],
    variable: "HTTP_OAUTH_JWKS_URI",
  }),
  tokenTypes: setting({
    name: "OAuth token types",
    kind: names,
    default: ["at+jwt"],
    description:
      "The JOSE `typ` of access tokens. Add `JWT` only for an issuer that signs access tokens so, and " +
      "uses this audience only for them.",
    keys: [["config.toml", "http.oauth_token_types"]],
    variable: "HTTP_OAUTH_TOKEN_TYPES",
  }),
  resource: setting({
    name: "OAuth resource",
    kind: text,
    default: "",
    shownDefault: "the server's own address",
    description: "The resource for which access tokens must be issued.",
    keys: [["config.toml", "http.resource"]],
    variable: "HTTP_RESOURCE",
  }),
  jsonAnswers: setting({
    name: "HTTP answers as JSON",
    kind: truth,
    default: false,
    description: "Replies over HTTP are JSON instead of event streams. There is then no progress.",
    keys: [["config.toml", "http.json"]],
    variable: "HTTP_JSON",
  }),
  httpSessions: setting({
    name: "HTTP sessions",
    kind: whole(1, 10_000),
    default: 100,
    description: "The number of sessions over HTTP at a time.",
    keys: [["config.toml", "http.sessions"]],
    variable: "HTTP_SESSIONS",
  }),
  httpIdle: setting({
    name: "HTTP idle time",
    kind: whole(1, 86_400),
    default: 1_800,
    description: "Seconds after which an unused session over HTTP ends.",
    keys: [["config.toml", "http.idle_seconds"]],
    variable: "HTTP_IDLE_SECONDS",
  }),
  treeCacheMs: setting({
    name: "tree cache",
    kind: whole(0, 60_000),
    default: 500,
    description: "Milliseconds for which a tree that was read may be returned again.",
    keys: [["config.toml", "cache.tree_ttl_ms"]],
    variable: "TREE_CACHE_MS",
  }),
  screenshotDebounceMs: setting({
    name: "picture cache",
    kind: whole(0, 60_000),
    default: 100,
    description: "Milliseconds for which a screenshot may be returned again.",
    keys: [["config.toml", "cache.screenshot_debounce_ms"]],
    variable: "SCREENSHOT_DEBOUNCE_MS",
  }),
};

/** A folder of the XDG base directory specification: absolute, else what stands for it in the home folder. */
export function userFolder(environment: Environment, variable: string, otherwise: string): string {
  const given = environment[variable];
  return given !== undefined && isAbsolute(given) ? given : join(environment["HOME"] || homedir(), otherwise);
}
