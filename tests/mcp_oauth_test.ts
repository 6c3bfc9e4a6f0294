import assert from "node:assert/strict";
// @ts-types="@modelcontextprotocol/sdk/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  ElicitationCompleteNotificationSchema,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/sdk/types.js";
import { BackstepError } from "../src/base/error.ts";
import { begin, call, initialize, post, streamable, withHttp } from "../src/mcp/sdk/http/_http.ts";
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

/** The SDK's client, whose person can be sent to a page; `bring` changes its token. */
async function asked(url: string, token: string) {
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: { url: {} } } });
  const completed: string[] = [];
  const challenges: string[] = [];
  let heard = () => {};
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
    completed.push(params.elicitationId);
    heard();
  });
  // Where answers are JSON, the notice comes on the stream that the client opens by itself.
  let opened = () => {};
  const listening = new Promise<void>((resolve) => opened = resolve);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      fetch: async (at, init) => {
        const headers = new Headers(init?.headers);
        headers.set("authorization", `Bearer ${token}`);
        const response = await fetch(at, { ...init, headers });
        const challenge = response.headers.get("www-authenticate");
        if (challenge !== null) challenges.push(challenge);
        if (init?.method === "GET" && response.ok) opened();
        return response;
      },
    }),
  );
  await listening;
  return {
    client,
    completed,
    challenges: () => challenges,
    bring: (another: string) => void (token = another),
    /** A call that its token does not suffice for, and what the person is asked then. */
    refused: async () => {
      let thrown: unknown;
      await client.callTool({ name: "act", arguments: {} }).catch((error) => thrown = error);
      assert.ok(thrown instanceof UrlElicitationRequiredError, String(thrown));
      assert.equal(thrown.elicitations.length, 1);
      const [question] = thrown.elicitations;
      assert.ok(question !== undefined);
      return question;
    },
    reported: (times: number) =>
      new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error("no elicitation was completed in 10 s")), 10_000);
        heard = () => {
          if (completed.length < times) return;
          clearTimeout(late);
          resolve();
        };
        heard();
      }),
  };
}

Deno.test({
  name: "with OAuth the server serves who has an access token that is in order",
  ignore,
  fn: (t) =>
    withAuthorizationServer(async ({ issuer, stranger, token, consent, rotate }) => {
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
              ["wrong issuer", await token("agent", RESOURCE, { issuer: stranger }), /another issuer/],
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

      for (const json of [false, true]) {
        await t.step(
          `8: a person is sent to the page that lets the client act, and told when it may (${
            json ? "JSON" : "streams"
          })`,
          () =>
            withHttp({ limits, json, oauth: { issuer, resource: RESOURCE } }, async (http) => {
              const page = new URL(`${issuer}/auth?response_type=code&client_id=agent&scope=backstep%3Aread`);
              page.searchParams.set("resource", RESOURCE);
              const looks = await consent(page.href);
              const person = await asked(http.url, looks);
              try {
                const refused = await Promise.all([1, 2, 3].map(() =>
                  person.refused()
                ));
                const [one] = refused;
                assert.ok(one !== undefined);
                assert.equal(
                  new Set(refused.map(({ elicitationId }) =>
                    elicitationId
                  )).size,
                  1,
                  "one question",
                );
                assert.match(one.elicitationId, /^oauth-auth-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
                assert.match(one.message, /authorize this MCP client/);
                assert.match(person.challenges().at(-1) ?? "", /error="insufficient_scope".*backstep:act/);
                const url = new URL(one.url);
                assert.equal(url.origin + url.pathname, `${issuer}/auth`);
                assert.deepEqual(Object.fromEntries(url.searchParams), {
                  response_type: "code",
                  client_id: "agent",
                  scope: "backstep:read backstep:act",
                  resource: RESOURCE,
                });
                for (const part of looks.split(".")) {
                  assert.ok(!one.url.includes(part), "nothing of the token");
                }

                await person.client.callTool({ name: "look", arguments: {} });
                assert.deepEqual(person.completed, [], "looking needs no consent, and gives none");
                person.bring(await consent(one.url));
                const acted = await person.client.callTool({ name: "act", arguments: {} });
                assert.equal(acted.isError, undefined);
                await person.reported(1);
                assert.deepEqual(person.completed, [one.elicitationId]);

                person.bring(looks);
                const { elicitationId } = await person.refused();
                assert.notEqual(elicitationId, one.elicitationId, "what is over is not asked again");
              } finally {
                await person.client.close();
              }
            }),
        );
      }

      await t.step("8: a client that can open no page is answered with 403 and the scope that it takes", () =>
        withHttp({ limits, oauth: { issuer, resource: RESOURCE } }, async (http) => {
          const reader = bearer(await token("reader", RESOURCE));
          const able = initialize("2025-11-25", { elicitation: { url: {} } });
          const { client } = await streamable(http.url, { headers: reader });
          await assert.rejects(
            () =>
              client.callTool({ name: "act", arguments: {} }),
            (thrown: unknown) => thrown instanceof StreamableHTTPError && thrown.code === 403,
            "the SDK's client throws in its transport: nothing of the answer's error reaches who called",
          );
          await client.close();
          const cases: readonly [what: string, body: string, status: number][] = [
            ["able", able, 200],
            ["forms only", initialize("2025-11-25", { elicitation: { form: {} } }), 403],
            ["before pages", initialize("2025-06-18", { elicitation: { url: {} } }), 403],
          ];
          for (const [what, body, status] of cases) {
            const begun = await post(http.url, body, reader);
            await begun.text();
            const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
            const answered = await post(http.url, call("act", "mine"), { ...reader, ...session });
            assert.equal(answered.status, status, what);
            assert.match(answered.headers.get("www-authenticate") ?? "", /insufficient_scope/, what);
            const { id, error } = await answered.json();
            assert.deepEqual([id, error.code], status === 200 ? ["mine", -32042] : [null, -32000], what);
            // A notification has nobody who waits for an answer.
            const silent = JSON.stringify({ jsonrpc: "2.0", method: "tools/call", params: { name: "act" } });
            assert.equal(
              (await refusal(await post(http.url, silent, { ...reader, ...session }))).status,
              403,
            );
          }
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
