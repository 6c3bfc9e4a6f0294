import type { JWTPayload, JWTVerifyGetKey } from "jose";
import { BackstepError } from "../../base/error.ts";
import { type Authority, challengeOf, type Denial, type Principal, READ_SCOPE, SCOPES } from "./authority.ts";
import { consentAddress } from "./consent.ts";
import { FETCH_MS, isSafe, issuerSays, Unreachable } from "./issuer.ts";

/** How access tokens are judged. */
export interface OAuthOptions {
  /** The authorisation server: tokens must name it to the letter. */
  readonly issuer: string;
  /** Where its keys are; by default as its metadata says (RFC 8414, or OpenID Connect discovery). */
  readonly jwksUri?: string;
  /** Our own address as clients name it: tokens must be made for it (RFC 8707). */
  readonly resource: string;
  /** Signatures that are believed; never "none", never a shared secret. */
  readonly algorithms?: readonly string[];
  /** By how many seconds clocks may differ. */
  readonly skewSeconds?: number;
  /** Milliseconds before keys are fetched again for one that is not known. */
  readonly cooldownMs?: number;
}

const ALGORITHMS = ["RS256", "PS256", "ES256", "ES384", "EdDSA"];

/**
 * An OAuth 2.1 resource server: access tokens are JWTs (RFC 9068) of one issuer, made for this resource, with scopes.
 * Throws `usage` for addresses that cannot be safe.
 */
export async function oauth(options: OAuthOptions): Promise<Authority> {
  // Loaded here: a server without OAuth starts without it.
  const jose = await import("jose");
  for (const address of [options.issuer, options.jwksUri, options.resource]) {
    if (address !== undefined) checkAddress(address);
  }
  const algorithms = [...(options.algorithms ?? ALGORITHMS)];
  if (algorithms.some((name) => name === "none" || name.startsWith("HS"))) {
    throw new BackstepError(
      "usage",
      "Cannot believe tokens that are signed with a shared secret, or not at all",
      {
        hint: `Choose from ${ALGORITHMS.join(", ")}.`,
      },
    );
  }
  const metadataUrl = metadataAddress(options.resource);
  let keys: Promise<JWTVerifyGetKey> | undefined;

  const keysOf = async (): Promise<JWTVerifyGetKey> => {
    const uri = options.jwksUri ?? await issuerSays(options.issuer, "jwks_uri");
    const remote = jose.createRemoteJWKSet(new URL(uri), {
      cooldownDuration: options.cooldownMs ?? 30_000,
      timeoutDuration: FETCH_MS,
      // A key that was withdrawn is believed for so long at most.
      cacheMaxAge: 10 * 60_000,
    });
    return async (header, token) => {
      try {
        return await remote(header, token);
      } catch (thrown) {
        const judged = thrown instanceof jose.errors.JWKSNoMatchingKey ||
          thrown instanceof jose.errors.JWKSMultipleMatchingKeys ||
          thrown instanceof jose.errors.JOSENotSupported;
        if (judged) throw thrown;
        throw new Unreachable("The keys of the authorization server cannot be had", { cause: thrown });
      }
    };
  };

  const judge = async (token: string | undefined): Promise<Principal | Denial> => {
    if (token === undefined) {
      return { status: 401, message: "An access token is needed", scope: READ_SCOPE };
    }
    let payload: JWTPayload;
    try {
      keys ??= keysOf();
      const getKey = await keys;
      ({ payload } = await jose.jwtVerify(token, getKey, {
        issuer: options.issuer,
        audience: options.resource,
        algorithms,
        clockTolerance: options.skewSeconds ?? 5,
        requiredClaims: ["exp"],
      }));
    } catch (thrown) {
      if (thrown instanceof Unreachable) {
        keys = undefined;
        return { status: 503, message: thrown.message, scope: READ_SCOPE };
      }
      return {
        status: 401,
        error: "invalid_token",
        message: reasonOf(thrown, jose.errors),
        scope: READ_SCOPE,
      };
    }
    return principalOf(payload);
  };

  return {
    judge,
    challenge: (denial) =>
      challengeOf({
        resource_metadata: metadataUrl,
        error: denial.error,
        error_description: denial.message,
        scope: denial.scope,
      }),
    consent: consentAddress(options),
    metadata: {
      resource: options.resource,
      authorization_servers: [options.issuer],
      scopes_supported: SCOPES,
      bearer_methods_supported: ["header"],
      resource_name: "Backstep",
    },
  };
}

/** Who a token speaks for, and what it allows; scopes of others are left out. */
function principalOf(payload: JWTPayload): Principal | Denial {
  const client = [payload["client_id"], payload["azp"]].find((value) => typeof value === "string");
  const subject = payload.sub ?? (typeof client === "string" ? client : undefined);
  if (subject === undefined) {
    return {
      status: 401,
      error: "invalid_token",
      message: "The access token names neither a subject nor a client",
      scope: READ_SCOPE,
    };
  }
  const given = payload["scope"] ?? payload["scp"];
  const words = typeof given === "string" ? given.split(" ") : Array.isArray(given) ? given : [];
  const name = typeof client === "string" ? client : subject;
  return {
    subject: JSON.stringify([payload.iss ?? "", subject, name]),
    client: name,
    ...(typeof client === "string" ? { clientId: client } : {}),
    scopes: new Set(SCOPES.filter((scope) => words.includes(scope))),
    ...(payload.exp === undefined ? {} : { expires: payload.exp * 1_000 }),
  };
}

/** What is wrong with a token, without a word of what it holds. */
function reasonOf(thrown: unknown, errors: typeof import("jose").errors): string {
  if (thrown instanceof errors.JWTExpired) return "The access token has expired";
  if (thrown instanceof errors.JWTClaimValidationFailed) {
    if (thrown.claim === "aud") return "The access token was made for another resource";
    if (thrown.claim === "iss") return "The access token is another issuer's";
    if (thrown.claim === "nbf") return "The access token does not hold yet";
    return "A claim of the access token is missing or wrong";
  }
  if (thrown instanceof errors.JWSSignatureVerificationFailed) return "The access token's signature is wrong";
  if (thrown instanceof errors.JWKSNoMatchingKey) return "The access token is signed with an unknown key";
  if (thrown instanceof errors.JOSEAlgNotAllowed) return "The access token's algorithm is not believed";
  return "Not an access token that this server understands";
}

/** Where RFC 9728 puts the metadata of a resource. */
export function metadataAddress(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`;
}

function checkAddress(address: string): void {
  if (isSafe(address)) return;
  throw new BackstepError("usage", `Cannot use "${address}" for OAuth: it must be an https address`, {
    hint: "Plain http is taken on loopback only.",
  });
}
