import { deepEqual, equal, match } from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Policy } from "./policy.ts";
import { Settings } from "./settings.ts";

const VAULT = { name: "Vault", pid: 1 };

interface Fixture {
  readonly policy: Policy;
  readonly folder: string;
  /** Resolves at the next change, or fault. */
  next(): Promise<string>;
}

async function withPolicy(
  files: { readonly [name: string]: string },
  work: (fixture: Fixture) => Promise<void>,
  environment: { readonly [name: string]: string } = {},
) {
  const root = mkdtempSync(join(tmpdir(), "backstep-policy-"));
  const folder = join(root, "backstep");
  if (Object.keys(files).length > 0) mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const policy = new Policy(new Settings({ environment, folder }));
  const heard: string[] = [];
  let wake = () => {};
  const hear = (what: string) => {
    heard.push(what);
    wake();
  };
  policy.onChange(() => hear("changed"));
  policy.onFault((fault) => hear(fault.message));
  policy.follow();
  try {
    await work({
      policy,
      folder,
      async next() {
        if (heard.length === 0) {
          await new Promise<void>((resolve, reject) => {
            const deadline = setTimeout(() => reject(new Error("nothing was told within 20 s")), 20_000);
            wake = () => {
              clearTimeout(deadline);
              resolve();
            };
          });
        }
        return heard.shift() ?? "";
      },
    });
  } finally {
    policy.close();
    rmSync(root, { recursive: true });
  }
}

Deno.test("a policy file that is replaced by another takes effect, and who listens is told", async () => {
  await withPolicy({ "security.toml": "" }, async ({ policy, folder, next }) => {
    equal(policy.blocked(VAULT), undefined);
    writeFileSync(join(folder, ".new"), 'mode = "sandboxed"\n[apps]\ndenied = ["vault"]\n');
    renameSync(join(folder, ".new"), join(folder, "security.toml"));
    equal(await next(), "changed");
    equal(policy.mode, "sandboxed");
    equal(policy.blocked(VAULT), "it is denied");
    writeFileSync(join(folder, "security.toml"), 'mode = "safe"\n');
    equal(await next(), "changed");
    equal(policy.mode, "safe");
    equal(policy.restricts, false);
  });
});

Deno.test("a policy file that comes where there was none, with its folder, is found", async () => {
  await withPolicy({}, async ({ policy, folder, next }) => {
    mkdirSync(folder);
    writeFileSync(join(folder, "security.toml"), '[apps]\nallowed = ["Calculator"]\n');
    equal(await next(), "changed");
    equal(policy.blocked(VAULT), "it is not among those allowed");
  });
});

Deno.test("a faulty policy file is told with its place, once, and what was stays", async () => {
  await withPolicy({ "security.toml": 'mode = "safe"\n' }, async ({ policy, folder, next }) => {
    writeFileSync(join(folder, "security.toml"), 'mode = "sfae"\n');
    match(await next(), /security.toml: line 1, column 1: mode is "sfae", not one of normal, safe/);
    policy.reload();
    equal(policy.mode, "safe");
    writeFileSync(join(folder, "security.toml"), 'mode = "sandboxed"\n');
    equal(await next(), "changed");
    equal(policy.mode, "sandboxed");
  });
});

Deno.test("a policy file that disappears leaves what it said", async () => {
  await withPolicy({ "security.toml": '[apps]\ndenied = ["vault"]\n' }, async ({ policy, folder, next }) => {
    rmSync(join(folder, "security.toml"));
    match(await next(), /security.toml: it is gone/);
    equal(policy.blocked(VAULT), "it is denied");
  });
});

Deno.test("what the environment says stays, whatever a file comes to say", async () => {
  await withPolicy(
    { "security.toml": "" },
    async ({ policy, folder, next }) => {
      writeFileSync(join(folder, "security.toml"), 'mode = "normal"\n[rate_limits]\nrps = 7\n');
      equal(await next(), "changed");
      equal(policy.mode, "sandboxed");
      deepEqual(policy.limits.rps, 7);
    },
    { BACKSTEP_SECURITY_MODE: "sandboxed" },
  );
});

Deno.test("whether a person is asked can be turned off in normal mode only", async () => {
  await withPolicy({ "security.toml": "confirm_destructive = false\n" }, async ({ policy, folder, next }) => {
    equal(policy.confirmDestructive, false);
    writeFileSync(join(folder, "security.toml"), 'confirm_destructive = false\nmode = "safe"\n');
    equal(await next(), "changed");
    equal(policy.confirmDestructive, true);
  });
});
