import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Deadline, pause } from "../src/base/call.ts";
import type { Desktop } from "../src/desktop/desktop.ts";
import { clipboardOf as clipboardResource } from "../src/mcp/resources/axterminator/clipboard.ts";
import { clipboardOf as clipboardParticipant } from "../src/participants/clipboard.ts";
import { blockedBy, restricts } from "../src/policy/lists.ts";
import { guardSession } from "../src/policy/guarded-session.ts";
import type { AppIdentity, SecurityMode } from "../src/policy/security.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";

const FIXTURE = fileURLToPath(new URL("./fixtures/denied.py", import.meta.url));
const PYTHON = "/usr/bin/python3";
const CALL = { timeout: 15_000 };
const REFUSED = { code: "policy" };

/** A policy that the tests change. */
class Lists {
  readonly mode: SecurityMode = "normal";
  allowed: string[] = [];
  denied: string[] = [];

  get restricts(): boolean {
    return restricts(this);
  }

  blocked(app: AppIdentity): string | undefined {
    return blockedBy(this, app);
  }
}

/** An application that is told what to do, and keeps account of what is done to it. */
class App {
  readonly #folder: string;
  readonly name: string;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.name = name;
  }

  static async start(session: Session, folder: string, name: string, ...options: string[]): Promise<App> {
    const app = new App(folder, name);
    const script = join(folder, name);
    copyFileSync(FIXTURE, script);
    execFileSync("mkfifo", [`${script}.orders`]);
    if (options.length === 0) await session.launcher.launch(PYTHON, { ...CALL, args: [script, folder] });
    else await app.#startUnseen(session, script, options);
    await app.until("ready");
    return app;
  }

  /** A launch waits for an application on the accessibility bus, in vain here: the program runs all the same. */
  async #startUnseen(session: Session, script: string, options: string[]): Promise<void> {
    const args = [script, this.#folder, ...options];
    await rejects(session.launcher.launch(PYTHON, { timeout: 3_000, args }));
  }

  get lines(): string[] {
    const path = join(this.#folder, `${this.name}.account`);
    return existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
  }

  async until(line: string, times = 1): Promise<void> {
    const deadline = Deadline.after(15_000);
    while (this.lines.filter((one) => one === line).length < times) {
      ok(!deadline.passed, `${this.name} never wrote ${line}: ${this.lines.join(", ")}`);
      await pause(10);
    }
  }

  async order(line: string): Promise<void> {
    const done = `done ${line.split(" ")[0]}`;
    const before = this.lines.filter((one) => one === done).length;
    appendFileSync(join(this.#folder, `${this.name}.orders`), `${line}\n`);
    await this.until(done, before + 1);
  }

  /** What was done to it. */
  get suffered(): string[] {
    return this.lines.filter((line) => /^(key|button|text|chosen)/.test(line));
  }
}

interface Fixture {
  readonly raw: Session;
  readonly desktop: Desktop;
  readonly lists: Lists;
  readonly folder: string;
}

async function withDesktop(work: (fixture: Fixture) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bs-denied-"));
  const raw = await openSession({ kind: "isolated" });
  const lists = new Lists();
  try {
    await work({ raw, lists, folder, desktop: guardSession(raw, lists).desktop });
  } finally {
    await raw.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function activate(raw: Session, title: string): Promise<void> {
  const deadline = Deadline.after(10_000);
  for (;;) {
    const window = (await raw.desktop.windows(CALL)).find((one) => one.title === title);
    if (window?.active) return;
    ok(!deadline.passed, `${title} does not come to the front`);
    if (window) await raw.desktop.window(window.id, { do: "activate" }, CALL);
    await pause(50);
  }
}

/** Every way to what is on the clipboard. */
function clipboardWays(desktop: Desktop): [string, () => Promise<unknown>][] {
  return [
    ["text", () => desktop.readClipboard(CALL)],
    [
      "all of it",
      () => desktop.wholeClipboard?.keep({ most: 1_000, all: 1_000 }, CALL) ?? Promise.resolve("none"),
    ],
    ["resource", () => clipboardResource(desktop, Deadline.after(5_000))],
    ["participant", () => clipboardParticipant().capture(desktop, CALL)],
  ];
}

async function clipboardIsRefused(desktop: Desktop, what: string): Promise<void> {
  for (const [way, read] of clipboardWays(desktop)) await rejects(read(), REFUSED, `${what}: ${way}`);
}

async function clipboardTells(desktop: Desktop, text: string): Promise<void> {
  for (const [way, read] of clipboardWays(desktop)) {
    const reported = await read();
    const bytes = JSON.stringify(
      reported,
      (_, value) => value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
    );
    ok(bytes.includes(text), `${way}: ${bytes}`);
  }
}

Deno.test("the clipboard belongs to the process that owns it, whether its window is hidden, it has none, or it is gone", async () => {
  await withDesktop(async ({ raw, desktop, lists, folder }) => {
    const friend = await App.start(raw, folder, "friend.py");
    const vault = await App.start(raw, folder, "vault.py");
    const ghost = await App.start(raw, folder, "ghost.py", "--windowless");
    await vault.order("hide");

    await vault.order("clip hidden-secret");
    await clipboardTells(desktop, "hidden-secret");
    lists.denied = ["vault.py"];
    await clipboardIsRefused(desktop, "a hidden window");
    lists.denied = ["ghost.py"];
    await clipboardTells(desktop, "hidden-secret");

    await ghost.order("clip windowless-secret");
    await clipboardIsRefused(desktop, "no window");
    lists.denied = ["vault.py"];
    await clipboardTells(desktop, "windowless-secret");
    lists.denied = [];
    lists.allowed = ["friend.py"];
    await clipboardIsRefused(desktop, "not among those allowed");

    lists.allowed = [];
    lists.denied = ["somebody-else"];
    await clipboardTells(desktop, "windowless-secret");
    await ghost.order("fork");
    await clipboardIsRefused(desktop, "who connected is gone, and nobody knows the owner");
    lists.denied = [];
    await clipboardTells(desktop, "windowless-secret");
    lists.allowed = ["friend.py"];

    await friend.order("clip of-a-friend");
    await clipboardTells(desktop, "of-a-friend");
    lists.allowed = [];
    lists.denied = ["vault.py"];
    await desktop.writeClipboard("our own", CALL);
    await clipboardTells(desktop, "our own");
    equal(await desktop.readClipboard(CALL), "our own");

    const other = await openSession({ kind: "attach", id: raw.id ?? "", mode: "focus" });
    await other.desktop.writeClipboard("of a session", CALL).finally(() => other.close());
    await clipboardIsRefused(desktop, "what a session left that has ended may be anybody's");
    lists.denied = [];
    await clipboardTells(desktop, "of a session");
  });
});

Deno.test("keys are refused while an application that is denied has grabbed the keyboard or has the focus, and reach it where it is allowed", async () => {
  await withDesktop(async ({ raw, desktop, lists, folder }) => {
    const friend = await App.start(raw, folder, "friend.py");
    const vault = await App.start(raw, folder, "vault.py");
    await vault.order("hide");
    await vault.order("popup 600 400 80 60");
    await activate(raw, "friend.py");

    lists.denied = ["vault.py"];
    await desktop.typeText("a", CALL);
    await friend.until("text a");
    for (const order of ["grab", "focus"]) {
      await vault.order(order);
      await activate(raw, "friend.py");
      if (order === "focus") await vault.order("focus");
      await rejects(desktop.typeText("secret", CALL), REFUSED, order);
      await rejects(desktop.pressKeys(["Return"], CALL), REFUSED, order);
      deepEqual(vault.suffered, [], "nothing reached it");
      if (order === "grab") await vault.order("ungrab");
    }
    lists.denied = [];
    await vault.order("grab");
    await desktop.pressKeys(["z"], CALL);
    await vault.until("key z");
    await vault.order("ungrab");
    deepEqual(friend.suffered, ["key a", "text a"]);
  });
});

Deno.test("an open menu of an allowed application takes keys, as long as nobody who is denied could have grabbed the keyboard", async () => {
  await withDesktop(async ({ raw, desktop, lists, folder }) => {
    const friend = await App.start(raw, folder, "friend.py");
    await activate(raw, "friend.py");
    lists.denied = ["vault.py"];
    await friend.order("menu");
    await desktop.pressKeys(["Down"], CALL);
    await desktop.pressKeys(["Return"], CALL);
    await friend.until("chosen Second");

    lists.denied = [];
    lists.allowed = ["friend.py"];
    await friend.order("menu");
    await desktop.pressKeys(["Return"], CALL);
    await friend.until("chosen First");

    const vault = await App.start(raw, folder, "vault.py");
    await vault.order("hide");
    lists.allowed = [];
    lists.denied = ["vault.py"];
    await activate(raw, "friend.py");
    await desktop.pressKeys(["b"], CALL);
    await friend.until("text b");
    await friend.order("menu");
    const refusal = await desktop.pressKeys(["Return"], CALL).catch((error) => error);
    equal(refusal.code, "policy");
    match(refusal.message, /may have grabbed it$/);
    deepEqual(friend.lines.filter((line) => line.startsWith("chosen")), ["chosen Second", "chosen First"]);
  });
});

Deno.test("a place belongs to the window that lies on top there, also to one that names neither process nor program", async () => {
  await withDesktop(async ({ raw, desktop, lists, folder }) => {
    const friend = await App.start(raw, folder, "friend.py");
    const vault = await App.start(raw, folder, "vault.py");
    await vault.order("hide");
    await activate(raw, "friend.py");
    const window = (await raw.desktop.windows(CALL)).find(({ title }) => title === "friend.py");
    ok(window);
    const at = { x: window.rect.x + 100, y: window.rect.y + 100 };
    const click = { do: "click", ...at, button: "left", count: 1 } as const;

    lists.denied = ["vault.py"];
    await desktop.pointer(click, CALL);
    await friend.until("button 1");
    await vault.order(`popup ${at.x - 40} ${at.y - 30} 80 60`);
    await rejects(desktop.pointer(click, CALL), REFUSED);
    await rejects(
      desktop.pointer({
        do: "drag",
        x: at.x + 60,
        y: at.y,
        toX: at.x,
        toY: at.y,
        button: "left",
        duration: 0,
      }, CALL),
      REFUSED,
    );
    const picture = await desktop.screenshot({ what: "screen" }, CALL);
    const from = 4 * (at.y * picture.width + at.x);
    deepEqual([...picture.rgba.subarray(from, from + 3)], [0, 0, 0], "it is black in pictures");
    deepEqual(vault.suffered, []);

    lists.denied = [];
    await desktop.pointer(click, CALL);
    await vault.until("button 1");
    await vault.order("away");
    lists.denied = ["vault.py"];
    await desktop.pointer(click, CALL);
    await friend.until("button 1", 2);
  });
});

Deno.test("a window of a denied application within one that is allowed has its own place and its own keys", async () => {
  await withDesktop(async ({ raw, desktop, lists, folder }) => {
    await App.start(raw, folder, "friend.py");
    const vault = await App.start(raw, folder, "vault.py");
    await vault.order("hide");
    await activate(raw, "friend.py");
    const window = (await raw.desktop.windows(CALL)).find(({ title }) => title === "friend.py");
    ok(window);
    await vault.order("popup 0 0 80 60");
    await vault.order(`embed ${window.id} 20 20`);
    await vault.order("focus");
    const active = (await raw.desktop.windows(CALL)).find((one) => one.active);
    equal(active?.title, "friend.py", "for the window manager it is the other's");
    const within = { x: window.rect.x + 60, y: window.rect.y + 50 };
    const click = { do: "click", ...within, button: "left", count: 1 } as const;

    lists.denied = ["vault.py"];
    await rejects(desktop.pressKeys(["x"], CALL), REFUSED);
    await rejects(desktop.pointer(click, CALL), REFUSED);
    deepEqual(vault.suffered, []);
    lists.denied = [];
    await desktop.pressKeys(["x"], CALL);
    await vault.until("key x");
    await desktop.pointer(click, CALL);
    await vault.until("button 1");
  });
});
