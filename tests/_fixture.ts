import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Deadline } from "../src/base/call.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import type { Application, Desktop, ElementRef, Window } from "../src/desktop/desktop.ts";
import { Locator } from "../src/desktop/locator/mod.ts";
import { openNative } from "../src/session/open-native.ts";
import type { Session } from "../src/session/session.ts";
import { ROOT } from "./cli/program.ts";

/** Milliseconds that a fixture is given for anything that is waited for. */
export const PATIENCE = 20_000;

/** A program of tests/fixtures on a private desktop, whose window's title is its own account. */
export interface RunningFixture {
  readonly session: Session;
  readonly desktop: Desktop;
  /** Until its window has this title. */
  shows(title: string): Promise<void>;
  /** Until its window is as wanted; `what` says how, for who reads that it never was. */
  window(what: string, wanted: (window: Window) => boolean): Promise<void>;
  /** As soon as it can be asked. */
  application(): Promise<Application>;
  /** The enabled element that a selector means. */
  element(application: Application, selector: string): Promise<ElementRef>;
}

/** Runs a program in Python, whose path is below tests/fixtures, for a test, and ends it. */
export async function withFixture(
  path: string,
  test: (fixture: RunningFixture) => Promise<void>,
): Promise<void> {
  const session = await openNative({ kind: "isolated" });
  const { desktop } = session;
  const child = spawn("/usr/bin/python3", [join(ROOT, "tests/fixtures", path)], {
    env: session.environment,
    stdio: "ignore",
  });
  const finished = once(child, "exit");
  const window = async () => (await desktop.windows()).find(({ pid }) => pid === child.pid);
  const until = async <T>(look: () => Promise<T>, holds: (now: T) => boolean) =>
    (await untilDeadline(desktop, look, holds, Deadline.after(PATIENCE))).last;
  try {
    await test({
      session,
      desktop,
      async shows(title) {
        assert.equal(await until(async () => (await window())?.title, (now) => now === title), title);
      },
      async window(what, wanted) {
        const holds = (now: Window | undefined) => now !== undefined && wanted(now);
        assert.ok(holds(await until(window, holds)), `its window never was so: ${what}`);
      },
      async application() {
        const look = async () => (await desktop.applications()).find(({ pid }) => pid === child.pid);
        const found = await until(look, (now) => now !== undefined);
        assert.ok(found, "it can never be asked");
        return found;
      },
      async element(application, selector) {
        const locator = new Locator(desktop, { application, selector });
        return (await locator.resolve({ state: "enabled", timeout: PATIENCE })).element;
      },
    });
  } finally {
    child.kill("SIGKILL");
    await finished;
    await session.close();
  }
}
