// A real authorization server for tests, as a child process of Node.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

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
  /** An access token for a resource. Clients: agent, other (both may act), reader (may look), late (expires in a second). */
  token(client: "agent" | "other" | "reader" | "late", resource: string, issuer?: string): Promise<string>;
  /** From now on it signs with another key, and tells no more of the old one. */
  rotate(): Promise<void>;
}

/** Runs a test with an authorization server, and ends it. */
export async function withAuthorizationServer(
  deed: (server: AuthorizationServer) => Promise<void>,
): Promise<void> {
  const child = spawn("node", [script, modules], { stdio: ["pipe", "pipe", "ignore"] });
  const gone = new Promise<never>((_, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`the authorization server ended with ${code}`)));
  });
  gone.catch(() => {});
  const exited = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const lines = createInterface(child.stdout);
  try {
    const line = await Promise.race([new Promise<string>((resolve) => lines.once("line", resolve)), gone]);
    const { issuer, stranger }: { issuer: string; stranger: string } = JSON.parse(line);
    await deed({
      issuer,
      stranger,
      token: async (client, resource, from = issuer) => {
        const response = await fetch(`${from}/token`, {
          method: "POST",
          headers: { authorization: `Basic ${btoa(`${client}:secret-of-${client}`)}` },
          body: new URLSearchParams({
            grant_type: "client_credentials",
            scope: "backstep:read backstep:act",
            resource,
          }),
        });
        const { access_token: token } = await response.json();
        if (typeof token !== "string") throw new Error(`no token: ${response.status}`);
        return token;
      },
      rotate: async () => {
        const response = await fetch(`${issuer}/rotate`, { method: "POST" });
        await response.body?.cancel();
      },
    });
  } finally {
    lines.close();
    child.stdin.end();
    await exited;
  }
}
