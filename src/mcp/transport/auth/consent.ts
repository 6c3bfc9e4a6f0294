import type { Principal } from "./authority.ts";
import { Unreachable } from "./fetch-json.ts";
import { issuerSays } from "./issuer.ts";

/** Characters of a client's identifier at most: a longer one is left out. */
const LONGEST = 256;
/** Milliseconds before an issuer that could not be asked, or has no such page, is asked again. */
const AGAIN_MS = 30_000;

/**
 * Tells the page of an authorization server on which a person consents: its authorization endpoint, for the client of a
 * token, with the scopes and the resource that it would be for (RFC 6749, 4.1.1; RFC 8707). Whoever follows it adds
 * nothing that is secret either: where it leads back to, and the proof of the code, are the client's own.
 */
export function consentAddress(
  { issuer, resource }: { readonly issuer: string; readonly resource: string },
): (principal: Principal, scope: string) => Promise<string | undefined> {
  let asked: { readonly endpoint: Promise<string | undefined>; readonly until: number } | undefined;

  const ask = (): Promise<string | undefined> => {
    if (asked !== undefined && Date.now() < asked.until) return asked.endpoint;
    const endpoint = issuerSays(issuer, "authorization_endpoint").then((address) => {
      asked = { endpoint, until: Infinity };
      return address;
    }, (thrown: unknown) => {
      if (thrown instanceof Unreachable) return undefined;
      throw thrown;
    });
    asked = { endpoint, until: Date.now() + AGAIN_MS };
    return endpoint;
  };

  return async ({ clientId }, scope) => {
    const endpoint = await ask();
    if (endpoint === undefined) return undefined;
    const url = new URL(endpoint);
    url.username = "";
    url.password = "";
    url.hash = "";
    url.searchParams.set("response_type", "code");
    if (clientId !== undefined && clientId.length <= LONGEST) url.searchParams.set("client_id", clientId);
    url.searchParams.set("scope", scope);
    url.searchParams.set("resource", resource);
    return url.href;
  };
}
