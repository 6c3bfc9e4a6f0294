import assert from "node:assert/strict";
import { BackstepError } from "../src/base/error.ts";
import { begin, call, initialize, post, streamable, withHttp } from "../src/mcp/sdk/_http.ts";
import { noAuthorizationServer, withAuthorizationServer } from "./_authorization_server.ts";

const ignore = noAuthorizationServer !== undefined;
if (ignore) console.log(`OAuth is not tested: ${noAuthorizationServer}`);

// As a proxy in front of the server would be named; it is the name that tokens are made for.
const RESOURCE = "https://desk.example/mcp";
const limits = { graceMs: 200 };

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** What a refused request was answered with. */
async function refusal(response: Response) {
  const { jsonrpc, id, error } = await response.json();
  assert.deepEqual([jsonrpc, id], ["2.0", null]);
  return {
    status: response.status,
    message: error.message,
    challenge: response.headers.get("www-authenticate") ?? "",
  };
}

Deno.test({
  name: "with OAuth the server serves who has an access token that is in order",
  ignore,
  fn: (t) =>
    withAuthorizationServer(async ({ issuer, stranger, token, rotate }) => {
      await t.step("an access token of the authorization server opens a session, and nothing less does", () =>
        withHttp(
          { limits, oauth: { issuer, resource: RESOURCE, skewSeconds: 0 } },
          async (http, seen) => {
            const nobody = await refusal(await post(http.url, initialize()));
            assert.equal(nobody.status, 401);
            assert.doesNotMatch(nobody.challenge, /error=/, "who brought nothing made no error");
            const where = /resource_metadata="([^"]+)"/.exec(nobody.challenge)?.[1];
            assert.equal(where, "https://desk.example/.well-known/oauth-protected-resource/mcp");
            assert.match(nobody.challenge, /scope="backstep:read"/);

            for (const path of ["", "/mcp"]) {
              const at = new URL(`/.well-known/oauth-protected-resource${path}`, http.url);
              const metadata = await (await fetch(at)).json();
              assert.equal(metadata.resource, RESOURCE);
              assert.deepEqual(metadata.authorization_servers, [issuer]);
              assert.deepEqual(metadata.scopes_supported, ["backstep:read", "backstep:act"]);
            }

            const good = await token("agent", RESOURCE);
            const { client } = await streamable(http.url, { headers: bearer(good) });
            assert.equal((await client.listTools()).tools.length, 4);
            await client.close();

            const [head = "", body = "", signature = ""] = good.split(".");
            const claims = JSON.parse(atob(body.replaceAll("-", "+").replaceAll("_", "/")));
            const encoded = (value: unknown) =>
              btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
            const late = await token("late", RESOURCE);
            const cases: readonly [what: string, token: string, says: RegExp][] = [
              ["wrong audience", await token("agent", "https://other.example/mcp"), /another resource/],
              ["wrong issuer", await token("agent", RESOURCE, stranger), /another issuer/],
              ["tampered", [head, encoded({ ...claims, sub: "root" }), signature].join("."), /signature/],
              ["unsigned", [encoded({ alg: "none" }), body, ""].join("."), /algorithm|understands/],
              [
                "shared secret",
                [encoded({ alg: "HS256", kid: "key-1" }), body, signature].join("."),
                /algorithm/,
              ],
              ["no JWT", "0123456789abcdef", /understands/],
              ["empty", "", /understands/],
            ];
            for (const [what, wrong, says] of cases) {
              const { status, message, challenge } = await refusal(
                await post(http.url, initialize(), bearer(wrong)),
              );
              assert.equal(status, 401, what);
              assert.match(message, says, what);
              assert.match(challenge, /error="invalid_token"/, what);
              assert.ok(wrong === "" || !message.includes(wrong), "a token is never told again");
            }
            // It was good for a second; clocks are taken at their word here.
            await new Promise((resolve) =>
              setTimeout(resolve, 2_100)
            );
            const expired = await refusal(await post(http.url, initialize(), bearer(late)));
            assert.deepEqual([expired.status, expired.message], [401, "The access token has expired"]);
            assert.equal(seen.opened, 1);

            const address = `${http.url}?access_token=${good}`;
            assert.equal((await refusal(await post(address, initialize()))).status, 401, "not in an address");
          },
        ));

      await t.step("who may look is told which scope acting takes; with that the same session acts", () =>
        withHttp({ limits, oauth: { issuer, resource: RESOURCE } }, async (http) => {
          const reader = bearer(await token("reader", RESOURCE));
          const session = { "mcp-session-id": await begin(http.url, reader) };
          const looked = await post(http.url, call("look"), { ...reader, ...session });
          assert.equal(looked.status, 200);
          await looked.text();
          const refused = await post(http.url, call("act"), { ...reader, ...session });
          const { status, challenge } = await refusal(refused);
          assert.equal(status, 403);
          assert.match(challenge, /error="insufficient_scope"/);
          assert.match(challenge, /scope="backstep:read backstep:act"/);
          const batch = `[${call("look")},${call("act", 3)}]`;
          assert.equal((await refusal(await post(http.url, batch, { ...reader, ...session }))).status, 403);
        }));

      await t.step("a session is its subject's: with another's token it is not found", () =>
        withHttp({ limits, oauth: { issuer, resource: RESOURCE } }, async (http) => {
          const agent = bearer(await token("agent", RESOURCE));
          const other = bearer(await token("other", RESOURCE));
          const session = { "mcp-session-id": await begin(http.url, agent) };
          for (const method of ["POST", "GET", "DELETE"]) {
            const response = await fetch(http.url, {
              method,
              headers: {
                ...other,
                ...session,
                accept: "application/json, text/event-stream",
                "content-type": "application/json",
              },
              ...(method === "POST" ? { body: call("look") } : {}),
            });
            assert.equal((await refusal(response)).status, 404, method);
          }
          // A new token of the same subject is as good as the first.
          const again = bearer(await token("agent", RESOURCE));
          const looked = await post(http.url, call("look"), { ...again, ...session });
          assert.equal(looked.status, 200);
          await looked.text();
        }));

      await t.step("keys are fetched again when the authorization server signs with a new one", () =>
        withHttp({ limits, oauth: { issuer, resource: RESOURCE, cooldownMs: 0 } }, async (http) => {
          const old = bearer(await token("agent", RESOURCE));
          await begin(http.url, old);
          await rotate();
          await begin(http.url, bearer(await token("agent", RESOURCE)));
          const { status, message } = await refusal(await post(http.url, initialize(), old));
          assert.deepEqual([status, message], [401, "The access token is signed with an unknown key"]);
        }));
    }),
});

Deno.test("where the authorization server cannot be reached nobody gets in, and that is not the token's fault", async () => {
  const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll("=", "");
  const token = `${part({ alg: "ES256", kid: "1" })}.${part({ sub: "agent" })}.c2lnbmF0dXJl`;
  // Nothing listens on port 1.
  await withHttp({ limits, oauth: { issuer: "http://127.0.0.1:1", resource: RESOURCE } }, async (http) => {
    const response = await post(http.url, initialize(), bearer(token));
    assert.equal(response.headers.get("retry-after"), "1");
    assert.equal((await refusal(response)).status, 503);
  });
});

Deno.test("addresses of OAuth must be safe", async () => {
  const oauth = { issuer: "https://login.example", resource: RESOURCE };
  for (
    const wrong of [
      { ...oauth, issuer: "http://login.example" },
      { ...oauth, resource: "http://desk.example/mcp" },
      { ...oauth, jwksUri: "file:///etc/passwd" },
      { ...oauth, algorithms: ["HS256"] },
      { ...oauth, algorithms: ["none"] },
    ]
  ) {
    await assert.rejects(
      () => withHttp({ limits, oauth: wrong }, () => Promise.resolve()),
      (error: unknown) => error instanceof BackstepError && error.code === "usage",
    );
  }
});
