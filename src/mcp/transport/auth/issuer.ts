import { fetchJson, Unreachable } from "./fetch-json.ts";
import { isLoopbackUrl } from "./loopback.ts";

/**
 * An address that the issuer's own metadata names (RFC 8414, or OpenID Connect discovery). Throws `Unreachable` where it
 * cannot be had, is another issuer's, or is not safe.
 */
export async function issuerSays(
  issuer: string,
  what: "jwks_uri" | "authorization_endpoint",
): Promise<string> {
  const base = new URL(issuer);
  const path = base.pathname.replace(/\/$/, "");
  const places = [
    `${base.origin}/.well-known/oauth-authorization-server${path}`,
    `${base.origin}${path}/.well-known/openid-configuration`,
  ];
  for (const place of places) {
    const found = await fetchJson(place);
    if (typeof found !== "object" || found === null) continue;
    const said = new Map<string, unknown>(Object.entries(found));
    const address = said.get(what);
    if (said.get("issuer") === issuer && typeof address === "string" && isSafe(address)) return address;
  }
  throw new Unreachable("The authorization server's metadata cannot be used");
}

/** Whether an address can be trusted on its way: https, or this machine itself. */
export function isSafe(address: string): boolean {
  return URL.canParse(address) && (new URL(address).protocol === "https:" || isLoopbackUrl(address));
}
