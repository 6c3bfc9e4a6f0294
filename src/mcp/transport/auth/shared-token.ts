import { createHash, timingSafeEqual } from "node:crypto";
import { BackstepError } from "../../../base/error.ts";
import { type Authority, challengeOf, READ_SCOPE, SCOPES } from "./authority.ts";

/** A token shorter than this can be guessed. */
const SHORTEST = 16;

/** One token for everybody who may use the server: whoever has it may look and act. Throws `usage` for a short one. */
export function sharedToken(token: string): Authority {
  if (token.length < SHORTEST || !/^[\w~+/.=-]+$/.test(token)) {
    throw new BackstepError(
      "usage",
      `Cannot use this HTTP token: it needs ${SHORTEST} or more letters, digits or -._~+/=`,
      { hint: "Make one: openssl rand -hex 32" },
    );
  }
  const expected = digest(token);
  return {
    judge: (given) => {
      if (given === undefined) {
        return Promise.resolve({ status: 401, message: "A bearer token is needed", scope: READ_SCOPE });
      }
      // Digests have one length, so that the comparison takes one time.
      if (!timingSafeEqual(digest(given), expected)) {
        return Promise.resolve({
          status: 401,
          error: "invalid_token",
          message: "The bearer token is not the right one",
          scope: READ_SCOPE,
        });
      }
      return Promise.resolve({ subject: "token", client: "token", scopes: new Set(SCOPES) });
    },
    challenge: (denial) =>
      challengeOf({ realm: "backstep", error: denial.error, error_description: denial.message }),
  };
}

function digest(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}
