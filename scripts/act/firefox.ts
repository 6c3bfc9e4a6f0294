import { z } from "zod";
import type { Session } from "../../src/session/session.ts";

/** Milliseconds that a command may take. */
const ANSWER = 15_000;

const Message = z.looseObject({
  id: z.number().nullable().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
  result: z.unknown().optional(),
});

/** WebDriver BiDi (https://w3c.github.io/webdriver-bidi/), as far as it opens pages: Firefox's like of Chromium's interface. */
export class Bidi {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: z.infer<typeof Message>) => void>();
  #last = 0;
  #context = "";

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const message = Message.parse(JSON.parse(String(data)));
      this.#waiting.get(message.id ?? -1)?.(message);
    });
  }

  static async open(port: number): Promise<Bidi> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/session`);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Firefox does not answer on port ${port}`)), ANSWER);
      socket.addEventListener("open", () => (clearTimeout(timer), resolve()), { once: true });
      socket.addEventListener(
        "error",
        () => (clearTimeout(timer), reject(new Error(`Firefox lets nobody in on port ${port}`))),
        { once: true },
      );
    });
    const bidi = new Bidi(socket);
    await bidi.#ask("session.new", { capabilities: {} });
    const { contexts } = z.object({ contexts: z.array(z.object({ context: z.string() })) }).parse(
      await bidi.#ask("browsingContext.getTree", {}),
    );
    bidi.#context = contexts[0]?.context ?? "";
    return bidi;
  }

  /** Opens a page in the first tab; ends when it has loaded. */
  async show(url: string): Promise<void> {
    await this.#ask("browsingContext.navigate", { context: this.#context, url, wait: "complete" });
  }

  close(): void {
    this.#socket.close();
  }

  async #ask(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    const id = ++this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<z.infer<typeof Message>>();
    const timer = setTimeout(() => reject(new Error(`Firefox did not answer ${method}`)), ANSWER);
    this.#waiting.set(id, resolve);
    try {
      this.#socket.send(JSON.stringify({ id, method, params }));
      const { error, message, result } = await promise;
      if (error !== undefined) throw new Error(`Firefox refuses ${method}: ${error}: ${message ?? ""}`);
      return result;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }
}

/** Starts Firefox on a session's desktop, with its interface for tools on a port of the loopback. */
export async function startFirefox(session: Session, profile: string, port: number): Promise<Bidi> {
  const args = [`--remote-debugging-port=${port}`, "--profile", profile, "--new-instance", "about:blank"];
  await session.launcher.launch("firefox-esr", { args, timeout: 60_000 });
  return await Bidi.open(port);
}
