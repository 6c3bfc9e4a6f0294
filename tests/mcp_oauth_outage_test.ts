import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import * as jose from "jose";
import { begin, withHttp } from "../src/mcp/sdk/http/_http.ts";
import { noAuthorizationServer, withAuthorizationServer } from "./_authorization_server.ts";

const ignore = noAuthorizationServer !== undefined;
const RESOURCE = "https://desk.example/mcp";
const limits = { graceMs: 200 };

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** What a request with a token was answered with; 200 where it came past the guard. It opens no session. */
async function answer(url: string, token: string): Promise<[status: number, message: string]> {
  const response = await fetch(url, { headers: { ...bearer(token), accept: "application/json" } });
  const { error } = await response.json();
  // Its Accept is looked at after its token.
  return response.status === 406 ? [200, ""] : [response.status, error.message];
}

/** A token with claims that are in order, signed with a key that the issuer does not have. */
async function forged(issuer: string, kid: string): Promise<string> {
  const { privateKey } = await jose.generateKeyPair("ES256");
  return await new jose.SignJWT({ scope: "backstep:read backstep:act", client_id: "agent" })
    .setProtectedHeader({ alg: "ES256", kid, typ: "at+jwt" })
    .setIssuer(issuer).setAudience(RESOURCE).setSubject("agent").setExpirationTime("5 min")
    .sign(privateKey);
}

Deno.test("while the authorization server is away, forged tokens lock nobody out whose key is known", {
  ignore,
}, async () => {
  await withAuthorizationServer(async ({ issuer, token, rotate, kill, restart }) => {
    const oauth = { issuer, resource: RESOURCE, cooldownMs: 50, freshMs: 100, keptMs: 20_000 };
    await withHttp({ limits, oauth }, async (http) => {
      const good = await token("agent", RESOURCE);
      await begin(http.url, bearer(good));
      await kill();
      // Keys that came just now are believed to be all: the issuer is asked again a moment later.
      const fresh = Date.now() + 10_000;
      const unknown = async () => (await answer(http.url, await forged(issuer, "key-of-nobody")))[0];
      for (let status = 401; status === 401 && Date.now() < fresh;) status = await unknown();
      for (let at = 0; at < 10; at++) {
        const [status, message] = await answer(http.url, await forged(issuer, `key-of-nobody-${at}`));
        assert.deepEqual([status, message], [503, "The authorization server cannot be reached"]);
        assert.deepEqual(await answer(http.url, good), [200, ""], `after ${at + 1} forged tokens`);
      }
      // The name of the issuer's key does not help.
      const { kid = "" } = jose.decodeProtectedHeader(good);
      assert.deepEqual(await answer(http.url, await forged(issuer, kid)), [
        401,
        "The access token's signature is wrong",
      ]);
      await restart();
      assert.equal((await answer(http.url, good))[0], 200);
      // What is withdrawn is believed no longer once the issuer answers again.
      await rotate();
      const next = await token("agent", RESOURCE);
      const deadline = Date.now() + 10_000;
      let [status, message] = [0, ""];
      while (status !== 401 && Date.now() < deadline) [status, message] = await answer(http.url, good);
      assert.deepEqual([status, message], [401, "The access token is signed with an unknown key"]);
      assert.equal((await answer(http.url, next))[0], 200);
    });
  });
});

Deno.test("the keys of an absent issuer are believed for a bounded time", { ignore }, async () => {
  await withAuthorizationServer(async ({ issuer, token, kill }) => {
    const oauth = { issuer, resource: RESOURCE, cooldownMs: 50, freshMs: 50, keptMs: 3_000 };
    await withHttp({ limits, oauth }, async (http) => {
      const good = await token("agent", RESOURCE);
      await begin(http.url, bearer(good));
      await kill();
      assert.equal((await answer(http.url, good))[0], 200);
      const deadline = Date.now() + 10_000;
      let [status, message] = [200, ""];
      while (status === 200 && Date.now() < deadline) [status, message] = await answer(http.url, good);
      assert.deepEqual([status, message], [503, "The authorization server cannot be reached"]);
    });
  });
});

Deno.test("tokens with unknown keys make nobody ask the issuer often", { ignore }, async () => {
  await withAuthorizationServer(async ({ issuer, token, asked }) => {
    await withHttp({ limits, oauth: { issuer, resource: RESOURCE } }, async (http) => {
      const tokens = await Promise.all(Array.from({ length: 40 }, (_, at) => forged(issuer, `no-${at}`)));
      for (const one of tokens) {
        assert.deepEqual(await answer(http.url, one), [
          401,
          "The access token is signed with an unknown key",
        ]);
      }
      assert.equal(await asked(), 1);
      assert.equal((await answer(http.url, await token("agent", RESOURCE)))[0], 200);
    });
  });
});

Deno.test("a token of another type is none, and one that is bound to a key is not taken without proof", {
  ignore,
}, async () => {
  await withAuthorizationServer(async ({ issuer, token }) => {
    const plain = await token("plain", RESOURCE);
    assert.equal(jose.decodeProtectedHeader(plain).typ, "JWT");
    const { privateKey, publicKey } = await jose.generateKeyPair("ES256");
    const proof = await new jose.SignJWT({ htm: "POST", htu: `${issuer}/token`, jti: "1" })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: await jose.exportJWK(publicKey) })
      .setIssuedAt().sign(privateKey);
    const bound = await token("agent", RESOURCE, { proof });
    assert.ok("cnf" in jose.decodeJwt(bound), "the authorization server bound it");
    await withHttp({ limits, oauth: { issuer, resource: RESOURCE } }, async (http) => {
      assert.deepEqual(await answer(http.url, plain), [401, "A token of this type is no access token"]);
      const [status, message] = await answer(http.url, bound);
      assert.equal(status, 401);
      assert.match(message, /bound to a key of its client/);
      assert.equal((await answer(http.url, await token("agent", RESOURCE)))[0], 200);
    });
    // Some issuers sign access tokens so: who runs the server says it.
    const tokenTypes = ["application/AT+JWT", "JWT"];
    await withHttp({ limits, oauth: { issuer, resource: RESOURCE, tokenTypes } }, async (http) => {
      assert.equal((await answer(http.url, plain))[0], 200);
      assert.equal((await answer(http.url, await token("agent", RESOURCE)))[0], 200);
      assert.equal((await answer(http.url, bound))[0], 401);
    });
  });
});

Deno.test("keys that are too large, too many or never end are not read, and nobody gets in by them", async () => {
  const { privateKey, publicKey } = await jose.generateKeyPair("ES256");
  const own = { ...await jose.exportJWK(publicKey), kid: "own", alg: "ES256" };
  let serve: (write: (text: string) => boolean, end: (text: string) => void) => void = () => {};
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    serve((text) => response.write(text), (text) => response.end(text));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const issuer = `http://127.0.0.1:${address.port}`;
  const token = await new jose.SignJWT({ scope: "backstep:read", client_id: "agent" })
    .setProtectedHeader({ alg: "ES256", kid: "own", typ: "at+jwt" })
    .setIssuer(issuer).setAudience(RESOURCE).setSubject("agent").setExpirationTime("5 min").sign(privateKey);
  const set = (more: readonly unknown[]) => JSON.stringify({ keys: [own, ...more] });
  const padding = createHash("sha256").update("x").digest("hex").repeat(5_000);
  const cases: readonly [what: string, status: number, serve: typeof serve][] = [
    ["in order", 200, (_, end) => end(set([]))],
    ["too large", 503, (_, end) => end(set([{ kty: "oct", k: padding }]))],
    ["too many", 503, (_, end) => end(set(Array.from({ length: 64 }, () => ({ kty: "oct" }))))],
    ["no set", 503, (_, end) => end("[]")],
    ["no JSON", 503, (_, end) => end("{")],
    ["without end", 503, (write) => {
      // More than 256 KiB: the reader leaves.
      while (write(padding));
    }],
  ];
  try {
    for (const [what, status, answers] of cases) {
      serve = answers;
      const oauth = { issuer, resource: RESOURCE, jwksUri: `${issuer}/jwks` };
      await withHttp({ limits, oauth }, async (http) => {
        assert.equal((await answer(http.url, token))[0], status, what);
      });
    }
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
