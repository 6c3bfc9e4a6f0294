// A real authorization server for tests, as a child process of Node.
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { defined } from "../src/base/defined.ts";

const modules = fileURLToPath(new URL("../tools/references/node_modules", import.meta.url));
const script = fileURLToPath(new URL("fixtures/authorization-server.mjs", import.meta.url));

/** Why there is none; undefined: there is. */
export const noAuthorizationServer = existsSync(join(modules, "oidc-provider"))
  ? undefined
  : "tools/setup.sh --references was not run";

export interface AuthorizationServer {
  readonly issuer: string;
  /** Another issuer, with the same keys. */
  readonly stranger: string;
  /**
   * An access token for a resource. Clients: agent, other (both may act), reader (may look), late (expires in a second),
   * brief (in eight), plain (its type is JWT). With `proof` (a DPoP proof) it is bound to the proof's key.
   */
  token(
    client: "agent" | "other" | "reader" | "late" | "brief" | "plain",
    resource: string,
    options?: { readonly issuer?: string; readonly scope?: string; readonly proof?: string },
  ): Promise<string>;
  /**
   * A person opens the page that a client sent them to, logs in and consents; answers the client's access token of that.
   * The client adds to the page's address what is its own: where it leads back to, and the proof of the code.
   */
  consent(page: string): Promise<string>;
  /** From now on it signs with another key, and tells no more of the old one. */
  rotate(): Promise<void>;
  /** How often its keys were asked for, since it was started. */
  asked(): Promise<number>;
  /** It is killed, and nothing listens where it was. */
  kill(): Promise<void>;
  /** It is started again: the same issuer, with the same keys. */
  restart(): Promise<void>;
}

/** Runs a test with an authorization server, and ends it. */
export async function withAuthorizationServer(
  act: (server: AuthorizationServer) => Promise<void>,
): Promise<void> {
  let running = await start();
  let { state } = running;
  const { issuer, stranger } = running;
  try {
    await act({
      issuer,
      stranger,
      token: async (client, resource, options = {}) => {
        const response = await fetch(`${options.issuer ?? issuer}/token`, {
          method: "POST",
          headers: {
            authorization: `Basic ${btoa(`${client}:secret-of-${client}`)}`,
            ...defined({ dpop: options.proof }),
          },
          body: new URLSearchParams({
            grant_type: "client_credentials",
            scope: options.scope ?? "backstep:read backstep:act",
            resource,
          }),
        });
        const { access_token: token } = await response.json();
        if (typeof token !== "string") throw new Error(`no token: ${response.status}`);
        return token;
      },
      consent: (page) => consent(issuer, page),
      rotate: async () => {
        const response = await fetch(`${issuer}/rotate`, { method: "POST" });
        state = await response.text();
      },
      asked: async () => Number(await (await fetch(`${issuer}/asked`)).text()),
      kill: () => running.kill(),
      restart: async () => {
        running = await start(state);
      },
    });
  } finally {
    await running.end();
  }
}

/** Starts the program, as what it was before where it was. */
async function start(state?: string) {
  const args = [script, modules, ...(state === undefined ? [] : [state])];
  const child = spawn("node", args, { stdio: ["pipe", "pipe", "ignore"] });
  const gone = new Promise<never>((_, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`the authorization server ended with ${code}`)));
  });
  gone.catch(() => {});
  const exited = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const lines = createInterface(child.stdout);
  const line = await Promise.race([new Promise<string>((resolve) => lines.once("line", resolve)), gone]);
  const said: { issuer: string; stranger: string; state: string } = JSON.parse(line);
  return {
    ...said,
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
    end: async () => {
      lines.close();
      child.stdin.end();
      await exited;
    },
  };
}

async function consent(issuer: string, page: string): Promise<string> {
  const at = new URL(page);
  const client = at.searchParams.get("client_id") ?? "";
  const resource = at.searchParams.get("resource") ?? "";
  const back = `https://${client}.example/callback`;
  const verifier = randomBytes(32).toString("base64url");
  at.searchParams.set("redirect_uri", back);
  at.searchParams.set("code_challenge", createHash("sha256").update(verifier).digest("base64url"));
  at.searchParams.set("code_challenge_method", "S256");
  const code = new URL(await asPerson(issuer, at)).searchParams.get("code");
  if (code === null) throw new Error("the person's consent led to no code");
  const response = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${client}:secret-of-${client}`)}` },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: back,
      code_verifier: verifier,
      resource,
    }),
  });
  const { access_token: token } = await response.json();
  if (typeof token !== "string") throw new Error(`no token: ${response.status}`);
  return token;
}

/** Fills in each form that comes, until the authorization server leads away; answers where to. */
async function asPerson(issuer: string, from: URL): Promise<string> {
  const cookies = new Map<string, string>();
  let at = from;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step++) {
    const response = await fetch(at, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === undefined ? {} : { method: "POST", body: form }),
    });
    form = undefined;
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const location = response.headers.get("location");
    if (location !== null) {
      at = new URL(location, at);
      if (at.origin !== issuer) return at.href;
      continue;
    }
    const action = /<form[^>]+action="([^"]+)"/.exec(text)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(text)?.[1];
    if (action === undefined || prompt === undefined) {
      throw new Error(`no form to fill in: ${response.status} ${text.slice(0, 500)}`);
    }
    at = new URL(action, at);
    form = new URLSearchParams({ prompt, ...(prompt === "login" ? { login: "person", password: "x" } : {}) });
  }
  throw new Error("the authorization server asks for ever");
}
