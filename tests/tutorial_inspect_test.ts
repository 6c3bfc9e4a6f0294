import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { missingFor } from "../scripts/action-names/stage.ts";
import { openNative } from "../src/session/open-native.ts";
import { Browser } from "./_browser.ts";
import { isInstalled } from "./_installed.ts";
import { commandUnderTest } from "./_under-test.ts";

const missing = missingFor("gtk3") ?? (isInstalled("/usr/bin/chromium") ? undefined : "chromium");
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(ROOT, "docs/tutorial/a-test-in-the-page.md"), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, "g"))].map(([, text = ""]) => text);
const DENO_DIR = process.env["DENO_DIR"] ?? join(process.env["HOME"] ?? "", ".cache", "deno");

/** A command as the page has it, in the folder and on the desktop of its reader. */
function typed(line: string, cwd: string, env: Readonly<Record<string, string>>) {
  const [, ...args] = line.trim().split(" ");
  const [program, ...before] = commandUnderTest(["run", "-q", "-A", "--no-check", join(ROOT, "bin.ts")]);
  const child = spawn(program, [...before, ...args], {
    cwd,
    env: { ...process.env, ...env, PWD: cwd, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const address = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part) => {
      text += part;
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/#[\w-]+/.exec(text) ?? [];
      if (found !== undefined) address.resolve(found);
    });
  }
  const finished = once(child, "close").then(() => ({ code: child.exitCode, text }));
  void finished.then(() => address.reject(new Error(`it ended: ${text}`)));
  address.promise.catch(() => {}); // of a command that prints none, nobody asks
  return { child, address: address.promise, finished };
}

Deno.test({
  name: "docs/tutorial/a-test-in-the-page.md: each step, in an empty folder and a real browser",
  ignore: missing !== undefined,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "bs-tutorial-page-"));
  const session = await openNative({ kind: "isolated", state: join(folder, "state") });
  try {
    const work = join(folder, "work");
    mkdirSync(work);
    const [program = ""] = blocks("python");
    const [, inspect = "", test = ""] = blocks("sh");
    const [recorded = "", whole = ""] = blocks("yaml");
    writeFileSync(join(work, "guests.py"), program);
    const environment = { ...session.environment, BACKSTEP_STATE: join(folder, "own"), DENO_DIR };
    const application = spawn("/usr/bin/python3", ["guests.py"], {
      cwd: work,
      env: { ...process.env, ...environment },
      stdio: "ignore",
    });
    const command = typed(inspect, work, environment);
    try {
      await using browser = await Browser.start();
      await browser.do("open", "one", await command.address);
      await browser.do("until", "one", `inspector.state.rows.some((row) => row.name === "Add")`);
      const line = async (role: string, name: string) => {
        await browser.do("click", "one", `.line:has(.role:text-is("${role}")):has(.name:text-is("${name}"))`);
        await browser.do("click", "one", "#tab-element");
        await browser.do(
          "until",
          "one",
          `inspector.state.facts?.what.includes("${name}") && inspector.state.possible`,
        );
      };
      await browser.do("fill", "one", "#selector", "button");
      await browser.do("until", "one", "inspector.state.matches?.count === 1");
      await browser.do("click", "one", "#tab-recorder");
      await browser.do("click", "one", ".rec");
      await browser.do("until", "one", "inspector.state.record.recording");
      await line("textfield", "Name");
      await browser.do("fill", "one", '[aria-label="set: value"]', "Ada");
      await browser.do("click", "one", '.operations button:text-is("set")');
      await browser.do("until", "one", "inspector.state.record.steps.length === 1");
      await line("button", "Add");
      await browser.do("click", "one", '.operations button:text-is("click")');
      await browser.do("until", "one", "inspector.state.record.steps.length === 2");
      await browser.do("click", "one", "#tab-recorder");
      await browser.do("click", "one", 'button:has-text("Assert…")');
      await browser.do(
        "until",
        "one",
        `inspector.state.rows.find((row) => row.name === "Ada is coming")?.width > 0`,
      );
      await browser.do("press-at", "one", "Ada is coming");
      await browser.do("click", "one", '.assertions button:text-is("it exists")');
      await browser.do("until", "one", "inspector.state.record.steps.length === 3");
      assert.equal(await browser.do("evaluate", "one", "inspector.state.record.text"), recorded);
      await browser.do("fill", "one", "#file", whole);
      await browser.do("until", "one", "inspector.state.record.edited");
      assert.deepEqual(await browser.do("evaluate", "one", "inspector.state.record.problems"), []);
      await browser.do("click", "one", '.right button:has-text("Save")');
      await browser.do("until", "one", "inspector.state.record.saved");
    } finally {
      command.child.kill("SIGINT");
      await command.finished;
      application.kill();
    }
    assert.equal(readFileSync(join(work, "guests.yaml"), "utf8"), whole);
    const { code, text } = await typed(test, work, environment).finished;
    assert.equal(code, 0, text);
    assert.match(text, /2 passed/);
  } finally {
    await session.close();
    rmSync(folder, { recursive: true });
  }
});
