import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Deadline, pause } from "../src/base/call.ts";

const FIREFOX = fileURLToPath(new URL("fixtures/firefox", import.meta.url));

/** A line of a page's own account: an event, and the state of all its controls right after it. */
const PageLine = z.object({
  /** "input", "change", "click"…; "silent": something changed and no event told of it. */
  what: z.string(),
  of: z.string(),
  state: z.record(z.string(), z.unknown()),
});
/** A line of a page's own account. */
export type PageLine = z.infer<typeof PageLine>;

/** Milliseconds that a page gets to write what it is waited for. */
const PATIENCE = 15_000;

/** Serves a fixture on the loopback, and keeps what its page writes: what changed in the page is judged by that alone. */
export class PageServer {
  readonly #lines: PageLine[] = [];
  #polls = 0;
  #reload = false;
  readonly #folder: string;
  readonly #server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://page").pathname;
    if (request.method === "POST") {
      let body = "";
      request.setEncoding("utf8");
      request.on("data", (part: string) => body += part);
      request.on("end", () => {
        if (body === "") this.#polls++;
        else this.#lines.push(PageLine.parse(JSON.parse(body)));
        // The page loads itself anew when it is answered with 205.
        response.writeHead(this.#reload ? 205 : 204).end();
        this.#reload = false;
      });
      return;
    }
    const name = basename(path);
    const type = name.endsWith(".js") ? "text/javascript" : "text/html";
    if (!/^[\w-]+\.(?:html|js)$/.test(name)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(
      readFileSync(join(this.#folder, name)),
    );
  });

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Begins to serve what lies in a folder; default: the fixtures of Firefox. */
  static async open(folder = FIREFOX): Promise<PageServer> {
    const page = new PageServer(folder);
    await new Promise<void>((resolve) => page.#server.listen(0, "127.0.0.1", resolve));
    return page;
  }

  /** Where a fixture is to be found. */
  url(name: string): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("it does not listen");
    return `http://127.0.0.1:${address.port}/${name}`;
  }

  /** All that the page wrote so far. */
  get lines(): readonly PageLine[] {
    return this.#lines;
  }

  /** How often the page has looked at itself and found nothing new. */
  get polls(): number {
    return this.#polls;
  }

  /** The state of the page's controls after the last thing that it wrote. */
  get state(): PageLine["state"] {
    return this.#lines.at(-1)?.state ?? {};
  }

  /** Waits until the page wrote something that holds; false: it did not within its time. */
  async until(holds: (page: PageServer) => boolean, patience = PATIENCE): Promise<boolean> {
    const deadline = Deadline.after(patience);
    while (!holds(this)) {
      if (deadline.passed) return false;
      await pause(20);
    }
    return true;
  }

  /** Lets the page load itself anew the next time that it asks. */
  loadAnew(): void {
    this.#reload = true;
  }

  /** Lets the page load itself anew, and waits until it is back. */
  async reload(): Promise<void> {
    const from = this.#lines.length;
    this.loadAnew();
    const back = await this.until(({ lines }) => lines.slice(from).some(({ what }) => what === "ready"));
    if (!back) throw new Error("the page did not come back");
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
