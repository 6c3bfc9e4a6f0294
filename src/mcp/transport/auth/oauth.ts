import type { JWTPayload, JWTVerifyResult } from "jose";
import { BackstepError } from "../../../base/error.ts";
import { type Authority, challengeOf, type Denial, type Principal, READ_SCOPE, SCOPES } from "./authority.ts";
import { consentAddress } from "./consent.ts";
import { Unreachable } from "./fetch-json.ts";
import { IssuerKeys, type KeyTimes } from "./issuer-keys.ts";
import { isSafe, issuerSays } from "./issuer.ts";

/** How access tokens are judged. */
export interface OAuthOptions extends KeyTimes {
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
  /**
   * The JOSE `typ` that an access token has; default "at+jwt" alone (RFC 9068, 4). Some issuers sign access tokens as "JWT".
   */
  readonly tokenTypes?: readonly string[];
}

const ACCESS_TOKEN = "at+jwt";

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
  const types = options.tokenTypes ?? [ACCESS_TOKEN];
  const keys = new IssuerKeys(
    () =>
      options.jwksUri === undefined
        ? issuerSays(options.issuer, "jwks_uri")
        : Promise.resolve(options.jwksUri),
    jose,
    options,
  );

  const judge = async (token: string | undefined): Promise<Principal | Denial> => {
    if (token === undefined) {
      return { status: 401, message: "An access token is needed", scope: READ_SCOPE };
    }
    let verified: JWTVerifyResult;
    try {
      verified = await jose.jwtVerify(token, keys.find, {
        issuer: options.issuer,
        audience: options.resource,
        algorithms,
        clockTolerance: options.skewSeconds ?? 5,
        requiredClaims: ["exp"],
      });
    } catch (thrown) {
      if (thrown instanceof Unreachable) {
        return { status: 503, message: thrown.message, scope: READ_SCOPE };
      }
      return invalid(reasonOf(thrown, jose.errors));
    }
    const { payload, protectedHeader: { typ } } = verified;
    if (typ === undefined || !types.some((type) => mediaType(type) === mediaType(typ))) {
      return invalid("A token of this type is no access token");
    }
    if (payload["cnf"] !== undefined) {
      return invalid("The access token is bound to a key of its client, which this server does not check");
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

function invalid(message: string): Denial {
  return { status: 401, error: "invalid_token", message, scope: READ_SCOPE };
}

/** A JOSE `typ` as RFC 7515, 4.1.9, compares it. */
function mediaType(typ: string): string {
  return (typ.includes("/") ? typ : `application/${typ}`).toLowerCase();
}

/** Who a token speaks for, and what it allows; scopes of others are left out. */
function principalOf(payload: JWTPayload): Principal | Denial {
  const client = [payload["client_id"], payload["azp"]].find((value) => typeof value === "string");
  const subject = payload.sub ?? (typeof client === "string" ? client : undefined);
  if (subject === undefined) {
    return invalid("The access token names neither a subject nor a client");
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
function metadataAddress(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`;
}

function checkAddress(address: string): void {
  if (isSafe(address)) return;
  throw new BackstepError("usage", `Cannot use "${address}" for OAuth: it must be an https address`, {
    hint: "Plain http is accepted only on loopback.",
  });
}
