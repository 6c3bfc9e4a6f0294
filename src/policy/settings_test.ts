import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BackstepError } from "../base/error.ts";
import { Settings } from "./settings.ts";
import { type Setting, SETTINGS } from "./table.ts";

function inFolder(work: (folder: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), "backstep-settings-"));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function faultOf(work: () => unknown): BackstepError {
  let fault: unknown;
  throws(work, (thrown) => {
    fault = thrown;
    return true;
  });
  ok(fault instanceof BackstepError);
  return fault;
}

Deno.test("the published example of a configuration file is read to the letter", () => {
  inFolder((folder) => {
    writeFileSync(
      join(folder, "config.toml"),
      `# ~/.config/axterminator/config.toml
[server]
log_level = "warning"
security_mode = "safe"
confirm_destructive = false
[vlm]
backend = "anthropic"
rate_limit = 11
[http]
port = 8742
bind = "127.0.0.2"
[cache]
tree_ttl_ms = 501
screenshot_debounce_ms = 101
[security]
allowed_apps = ["Calculator", "Safari", "VSCode"]
denied_apps = ["Keychain Access", "System Settings"]
[rate_limits]
rps = 51
rpm = 1001
concurrency = 12
script_rpm = 6
`,
    );
    const settings = new Settings({ environment: {}, folder });
    equal(settings.get(SETTINGS.logLevel), "warning");
    equal(settings.get(SETTINGS.mode), "safe");
    equal(settings.get(SETTINGS.confirmDestructive), false);
    equal(settings.get(SETTINGS.vlmBackend), "anthropic");
    equal(settings.get(SETTINGS.vlmRpm), 11);
    equal(settings.get(SETTINGS.port), 8742);
    equal(settings.get(SETTINGS.bind), "127.0.0.2");
    equal(settings.get(SETTINGS.treeCacheMs), 501);
    equal(settings.get(SETTINGS.screenshotDebounceMs), 101);
    deepEqual(settings.get(SETTINGS.allowed), ["Calculator", "Safari", "VSCode"]);
    deepEqual(settings.get(SETTINGS.denied), ["Keychain Access", "System Settings"]);
    equal(settings.get(SETTINGS.rps), 51);
    equal(settings.get(SETTINGS.rpm), 1001);
    equal(settings.get(SETTINGS.concurrency), 12);
    equal(settings.get(SETTINGS.scriptRpm), 6);
  });
});

Deno.test("the published variables are taken and reported; ours go before them", () => {
  const environment = {
    HOME: "/nonexistent",
    AXTERMINATOR_HTTP_PORT: "9000",
    AXTERMINATOR_HTTP_BIND: "127.0.0.3",
    BACKSTEP_HTTP_BIND: "127.0.0.4",
    AXTERMINATOR_COLOUR: "blue",
    AXTERMINATOR_DENIED_APPS: "One, Two Words ,",
  };
  const settings = new Settings({ environment });
  equal(settings.get(SETTINGS.port), 9000);
  equal(settings.get(SETTINGS.bind), "127.0.0.4");
  deepEqual(settings.get(SETTINGS.denied), ["One", "Two Words"]);
  equal(settings.notes.length, 4);
  match(settings.notes.join("\n"), /AXTERMINATOR_HTTP_PORT is taken as BACKSTEP_HTTP_PORT/);
  match(settings.notes.join("\n"), /AXTERMINATOR_HTTP_BIND is passed over: BACKSTEP_HTTP_BIND is set/);
  match(settings.notes.join("\n"), /AXTERMINATOR_COLOUR is passed over: there is no such setting/);
});

Deno.test("flags override the environment, which overrides files, the policy before the configuration", () => {
  inFolder((folder) => {
    writeFileSync(
      join(folder, "config.toml"),
      '[server]\nsecurity_mode = "safe"\n[rate_limits]\nrps = 1\nrpm = 2\n',
    );
    writeFileSync(
      join(folder, "security.toml"),
      'mode = "sandboxed"\n[rate_limits]\nrps = 3\n[apps]\ndenied = ["A"]\n',
    );
    const environment = { BACKSTEP_CONCURRENCY: "4", BACKSTEP_RATE_LIMIT_RPS: "5" };
    const settings = new Settings({ environment, folder, flags: { "rate-limit-rps": "6" } });
    equal(settings.get(SETTINGS.mode), "sandboxed");
    equal(settings.get(SETTINGS.rps), 6);
    equal(settings.get(SETTINGS.rpm), 2);
    equal(settings.get(SETTINGS.concurrency), 4);
    const source = (setting: Setting<unknown>) => settings.source(setting);
    deepEqual(source(SETTINGS.rps), { from: "flag", name: "--rate-limit-rps" });
    deepEqual(source(SETTINGS.concurrency), { from: "environment", name: "BACKSTEP_CONCURRENCY" });
    deepEqual(source(SETTINGS.rpm), {
      from: "file",
      place: { file: join(folder, "config.toml"), line: 5, column: 1 },
    });
    deepEqual(source(SETTINGS.port), { from: "default" });
  });
});

Deno.test("every setting has a row with its source, and secrets are masked", () => {
  const settings = new Settings({
    environment: { BACKSTEP_HTTP_TOKEN: "hunter2hunter2", OPENAI_API_KEY: "sk-abc" },
    folder: "/nonexistent",
  });
  equal(settings.rows.length, Object.keys(SETTINGS).length);
  ok(!JSON.stringify(settings.rows).includes("hunter2"));
  ok(!JSON.stringify(settings.rows).includes("sk-abc"));
  const row = settings.rows.find(({ setting }) => setting === "HTTP token");
  deepEqual(row, { setting: "HTTP token", value: "********", source: "environment BACKSTEP_HTTP_TOKEN" });
});

Deno.test("each fault of a file names file, line, column, key, what was there and what is allowed", () => {
  const cases:
    readonly (readonly [toml: string, line: number, column: number, says: RegExp, hint?: RegExp])[] = [
      [
        '[server]\n\n  security_mode = "loose"\n',
        3,
        3,
        /server.security_mode is "loose", not one of normal, safe/,
      ],
      ["[http]\nport = 80801\n", 2, 1, /http.port is 80801, not a whole number from 0 to 65535/],
      ['[http]\nport = "80"\n', 2, 1, /http.port is "?80"?, not a whole number/],
      ["[htp]\nport = 1\n", 1, 1, /htp is no setting/, /http/],
      ["[http]\n# a comment = 1\nprot = 1\n", 3, 1, /http.prot is no setting/, /http.port/],
      ["http = 3\n", 1, 1, /http is a table/],
      [
        '[security]\nallowed_apps = [\n "a",\n 3 ]\n',
        2,
        1,
        /security.allowed_apps is .*, not a list of names/,
      ],
      [
        '[security]\nallowed_apps = ["""x\n[server]"""]\n[rate_limits]\nrps = 0\n',
        5,
        1,
        /rate_limits.rps is 0/,
      ],
      ["[http]\nport = \n", 2, 0, /Cannot use/],
      ["[http]\nport = 1\nport = 2\n", 3, 0, /Cannot use/],
      ["[http]\nbind = 1979-05-27\n", 2, 1, /http.bind is .*, not a text/],
    ];
  for (const [toml, line, column, says, hint] of cases) {
    inFolder((folder) => {
      const file = join(folder, "config.toml");
      writeFileSync(file, toml);
      const fault = faultOf(() => new Settings({ environment: {}, folder }));
      equal(fault.code, "usage");
      match(fault.message, says);
      ok(fault.message.startsWith(`Cannot use ${file}: line ${line}, column `), fault.message);
      if (column > 0) deepEqual(fault.place, { file, line, column });
      if (hint) match(fault.hint ?? "", hint);
    });
  }
});

Deno.test("a value of a flag or a variable that cannot be names it and what is allowed", () => {
  const folder = "/nonexistent";
  const variable = faultOf(() => new Settings({ environment: { BACKSTEP_CONCURRENCY: "-1" }, folder }));
  match(variable.message, /BACKSTEP_CONCURRENCY: "-1" is not a whole number from 1/);
  const flag = faultOf(() => new Settings({ environment: {}, flags: { "security-mode": "off" }, folder }));
  match(flag.message, /--security-mode: "off" is not one of normal, safe, sandboxed/);
});

Deno.test("a misspelt variable that was to guard something stops the start", () => {
  for (const name of ["BACKSTEP_SECURTY_MODE", "AXTERMINATOR_DENIED_APP"]) {
    const fault = faultOf(() => new Settings({ environment: { [name]: "safe" }, folder: "/nonexistent" }));
    match(fault.message, /there is no such setting/);
    match(fault.hint ?? "", /SECURITY_MODE|DENIED_APPS/);
  }
});

Deno.test("secrets are not read from files", () => {
  inFolder((folder) => {
    writeFileSync(join(folder, "config.toml"), '[http]\ntoken = "x"\n');
    match(faultOf(() => new Settings({ environment: {}, folder })).message, /http.token is no setting/);
  });
});

Deno.test("a settings file that everybody may write to is refused", () => {
  inFolder((folder) => {
    const file = join(folder, "security.toml");
    writeFileSync(file, "");
    chmodSync(file, 0o646);
    match(faultOf(() => new Settings({ environment: {}, folder })).message, /everybody may write to it/);
  });
});

Deno.test("the published folder is read where ours is not there, and passed over where it is", () => {
  inFolder((config) => {
    mkdirSync(join(config, "axterminator"));
    writeFileSync(join(config, "axterminator", "security.toml"), '[apps]\ndenied = ["1Password"]\n');
    const environment = { XDG_CONFIG_HOME: config };
    const published = new Settings({ environment });
    deepEqual(published.get(SETTINGS.denied), ["1Password"]);
    match(published.notes.join(), /published folder/);
    mkdirSync(join(config, "backstep"));
    writeFileSync(join(config, "backstep", "config.toml"), "");
    const own = new Settings({ environment });
    deepEqual(own.get(SETTINGS.denied), []);
    match(own.notes.join(), /passed over/);
  });
});

Deno.test("who reads only the environment finds there what flags and files say", () => {
  inFolder((folder) => {
    writeFileSync(join(folder, "config.toml"), '[http]\nport = 9001\nallowed_hosts = ["a", "b"]\n');
    const settings = new Settings({
      environment: { PATH: "/bin", BACKSTEP_HTTP_TOKEN: "t" },
      flags: { "vlm-backend": "ollama" },
      folder,
    });
    deepEqual(settings.environment, {
      PATH: "/bin",
      BACKSTEP_HTTP_TOKEN: "t",
      BACKSTEP_HTTP_PORT: "9001",
      BACKSTEP_HTTP_ALLOWED_HOSTS: "a, b",
      BACKSTEP_VLM_BACKEND: "ollama",
    });
  });
});
