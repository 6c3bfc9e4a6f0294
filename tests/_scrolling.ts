import assert from "node:assert/strict";
import { join } from "node:path";
import { Deadline } from "../src/base/call.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import type { Application } from "../src/desktop/desktop.ts";
import { type NativeSession, openNative } from "../src/session/open-native.ts";
import { isInstalled } from "./_installed.ts";
import { ROOT } from "./cli/program.ts";

/** What the page of tests/fixtures/scrolling says of itself in the title of its window. */
const TITLE = /(at rest|moving): plain (\d+), animated (\d+), since (\d+)/;

/** The page in Chromium on a private desktop, at rest. */
export interface ScrollingPage {
  readonly session: NativeSession;
  readonly application: Application;
  /** The page's own account: how far its two regions are scrolled, and since when. */
  account(): Promise<Account>;
}

export interface Account {
  readonly rest: string | undefined;
  readonly plain: number;
  readonly animated: number;
  readonly since: number;
}

/** A test on that page; it is left out where there is no Chromium. */
export function onScrollingPage(name: string, run: (page: ScrollingPage) => Promise<void>): void {
  Deno.test({
    name,
    ignore: !isInstalled("/usr/bin/chromium"),
    fn: async () => {
      const session = await openNative({ kind: "isolated" });
      try {
        await run(await open(session));
      } finally {
        await session.close();
      }
    },
  });
}

async function open(session: NativeSession): Promise<ScrollingPage> {
  const { desktop, launcher } = session;
  const page = join(ROOT, "tests/fixtures/scrolling/page.html");
  const { processId } = await launcher.launch("chromium", { args: [page] });
  const application = (await desktop.applications()).find(({ pid }) => pid === processId);
  assert.ok(application);
  const account = async (): Promise<Account> => {
    const titles = (await desktop.windows()).map(({ title }) => TITLE.exec(title));
    const [, rest, plain, animated, since] = titles.find((title) => title !== null) ?? [];
    return { rest, plain: Number(plain), animated: Number(animated), since: Number(since) };
  };
  const patience = Deadline.after(20_000);
  const { held } = await untilDeadline(desktop, account, ({ rest }) => rest === "at rest", patience);
  assert.ok(held, "the page is drawn");
  return { session, application, account };
}
