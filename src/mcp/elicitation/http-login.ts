import { randomUUID } from "node:crypto";
import { Role } from "../../desktop/roles.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import type { McpCall } from "../server/call.ts";
import { ask, type Reply } from "./ask.ts";

/** What browsers and web views call the question for a name and a password that a server asks (RFC 9110, 11.6). */
const TITLES =
  /^(sign ?in|log ?in|authentication required|anmelden|anmeldung|authentifizierung|connexion|s'identifier|iniciar sesión|autenticación|accedi|entrar|inloggen|logga in|zaloguj|вход|ログイン|登录|로그인)/i;
/** Characters of a text that are looked at. */
const LONGEST = 500;
const ADDRESS = /\bhttps?:\/\/[^\s"'<>«»“”]{1,500}/i;
const HOST =
  /(?:^|\s|")((?:localhost|\d{1,3}(?:\.\d{1,3}){3}|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d{1,5})?)(?=[\s".,]|$)/i;

/**
 * The address of the server whose question for a name and a password stands open in this tree; undefined: none does. It is a
 * dialog that says so, with a password field in it and the server's address.
 */
export function httpLoginIn(snapshot: Snapshot): string | undefined {
  for (let row = 0; row < snapshot.size; row++) {
    const role = snapshot.role(row);
    if (role !== Role.dialog && role !== Role.alert) continue;
    const inside = rowsIn(snapshot, row);
    if (!inside.some((one) => snapshot.role(one) === Role.passwordText)) continue;
    const texts = inside.flatMap((one) => [snapshot.name(one), snapshot.description(one)])
      .filter((text) => text !== "").map((text) => text.slice(0, LONGEST));
    if (![snapshot.name(row), ...texts].some((text) => TITLES.test(text.trim()))) continue;
    const address = addressIn(texts);
    if (address !== undefined) return address;
  }
  return undefined;
}

function rowsIn(snapshot: Snapshot, top: number): number[] {
  const inside = new Set([top]);
  for (let row = top + 1; row < snapshot.size; row++) {
    if (inside.has(snapshot.parent(row))) inside.add(row);
  }
  return [...inside];
}

/** What an application wrote is data: only an http address without a name and a password in it is handed on. */
function addressIn(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const named = ADDRESS.exec(text)?.[0].replace(/[.,;:]+$/, "");
    const host = HOST.exec(text)?.[1];
    const address = named ?? (host === undefined ? undefined : `http://${host}/`);
    if (address === undefined || !URL.canParse(address)) continue;
    const url = new URL(address);
    if (url.protocol !== "http:" && url.protocol !== "https:") continue;
    url.username = "";
    url.password = "";
    return url.href;
  }
  return undefined;
}

/** Sends a person to a page that an application may not open without logging in (scenario 9). */
export async function askToLogIn(url: string, call: McpCall): Promise<Reply["is"]> {
  const reply = await ask(call, {
    mode: "url",
    message: "The app requires authentication. Please log in via the browser.",
    url,
    elicitationId: `http-auth-${randomUUID()}`,
  });
  return reply.is;
}
