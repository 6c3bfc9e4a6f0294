import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, normalize, sep } from "node:path";
import { tmpdir } from "node:os";
import { z } from "zod";
import { Deadline } from "../../src/base/call.ts";
import type { Application } from "../../src/desktop/desktop.ts";
import { openSession } from "../../src/session/open-session.ts";
import { QUIET_FIREFOX } from "../../src/session/quiet-gecko.ts";
import type { Session } from "../../src/session/session.ts";
import { type Bidi, startFirefox } from "./firefox.ts";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  svg: "image/svg+xml",
  css: "text/css",
  js: "text/javascript",
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
  mp4: "video/mp4",
};

/** Milliseconds: for a page to load, and of nothing happening after it. */
const LOAD = 5_000, QUIET = 250;

/** Serves a folder on loopback below /WAI/, as the cases' links to one another want it. */
export async function serve(folder: string): Promise<{ base: string; close(): void }> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname).replace(
      /^\/WAI\//,
      "/",
    );
    const file = normalize(join(folder, path));
    try {
      if (!file.startsWith(normalize(folder + sep))) throw new Error("outside");
      const body = readFileSync(file);
      response.writeHead(200, { "content-type": TYPES[path.split(".").at(-1) ?? ""] ?? "text/plain" });
      response.end(body);
    } catch {
      // What a case names and the selection lacks.
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = z.object({ port: z.number() }).parse(server.address());
  return { base: `http://127.0.0.1:${address.port}`, close: () => void server.close() };
}

/** Which browsers show the cases. */
export const BROWSERS = ["chromium", "firefox"] as const;
export type Name = (typeof BROWSERS)[number];

/** What they call themselves. */
const CALLED: Readonly<Record<Name, RegExp>> = { chromium: /^chromium/i, firefox: /^firefox/i };

/** A browser on a private desktop, one page at a time. */
export class Browser {
  readonly session: Session;
  readonly #name: Name;
  readonly #profile: string;
  readonly #port: number;
  readonly #bidi: Bidi | undefined;
  #page: string | undefined;

  private constructor(session: Session, name: Name, profile: string, port: number, bidi?: Bidi) {
    this.session = session;
    this.#name = name;
    this.#profile = profile;
    this.#port = port;
    this.#bidi = bidi;
  }

  /** `dark`: pages are told that dark is preferred; Chromium's only. */
  static async open(name: Name = "chromium", { dark = false } = {}): Promise<Browser> {
    const session = await openSession({ kind: "isolated", width: 1280, height: 1000 });
    const profile = mkdtempSync(join(tmpdir(), "backstep-act-"));
    const looks = dark ? ["--force-dark-mode"] : [];
    const args = [
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      "--no-first-run",
      ...looks,
      "about:blank",
    ];
    try {
      if (name === "firefox") {
        writeFileSync(join(profile, "user.js"), QUIET_FIREFOX);
        const port = await freePort();
        return new Browser(session, name, profile, port, await startFirefox(session, profile, port));
      }
      await session.launcher.launch("chromium", { args, timeout: 60_000 });
      const [port = ""] = readFileSync(join(profile, "DevToolsActivePort"), "utf8").split("\n");
      const browser = new Browser(session, name, profile, Number(port));
      const pages = z.array(z.object({ id: z.string(), type: z.string() })).parse(await browser.#ask("list"));
      browser.#page = pages.find(({ type }) => type === "page")?.id;
      return browser;
    } catch (thrown) {
      await session.close();
      rmSync(profile, { recursive: true, force: true });
      throw thrown;
    }
  }

  /** Opens a page in place of the last, and waits until it has loaded and come to rest. */
  async show(url: string): Promise<Application> {
    const { desktop } = this.session;
    const deadline = Deadline.after(4 * LOAD);
    const application = (await desktop.applications(deadline.call())).find(({ name }) =>
      CALLED[this.#name].test(name)
    );
    if (application === undefined) throw new Error(`${this.#name} does not run any more`);
    const watch = desktop.watch(application);
    try {
      await this.#go(url);
      const loading = deadline.within(LOAD);
      let loaded = false;
      while (!loading.passed) {
        const came = await watch.next(loaded ? loading.within(QUIET).call() : loading.call());
        if (came === "timeout") break;
        loaded ||= watch.take().some(({ kind }) => kind.startsWith("document:load-complete"));
      }
      return application;
    } finally {
      watch.close();
    }
  }

  async #go(url: string): Promise<void> {
    if (this.#bidi !== undefined) return await this.#bidi.show(url);
    const { id } = z.object({ id: z.string() }).parse(await this.#ask(`new?${url}`, "PUT"));
    if (this.#page !== undefined) await this.#ask(`close/${this.#page}`);
    this.#page = id;
  }

  async close(): Promise<void> {
    this.#bidi?.close();
    await this.session.close();
    rmSync(this.#profile, { recursive: true, force: true });
  }

  /** Chromium's own small interface beside the DevTools protocol. */
  async #ask(what: string, method = "GET"): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${this.#port}/json/${what}`, {
      method,
      signal: AbortSignal.timeout(LOAD),
    });
    const text = await answer.text();
    return text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text;
  }
}

/** A port of the loopback that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
