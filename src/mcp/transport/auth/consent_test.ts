import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "../../../base/error.ts";
import type { Principal } from "./authority.ts";
import { consentAddress } from "./consent.ts";

const RESOURCE = "https://desk.example/mcp";
const SCOPE = "backstep:read backstep:act";
const agent: Principal = { subject: "s", client: "agent", clientId: "agent & co", scopes: new Set() };

/** The consent page that an issuer's metadata leads to, and how often it was asked for that. */
async function pageOf(said: (issuer: string) => { [name: string]: Json }, principal = agent, times = 1) {
  let asked = 0;
  const server = createServer((_, response) => {
    asked++;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ issuer, ...said(issuer) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${portOf(address)}`;
  try {
    const consent = consentAddress({ issuer, resource: RESOURCE });
    let page: string | undefined;
    for (let time = 0; time < times; time++) page = await consent(principal, SCOPE);
    return { page: page === undefined ? undefined : new URL(page), issuer, asked };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function portOf(address: string | AddressInfo | null): number {
  assert.ok(address !== null && typeof address === "object");
  return address.port;
}

Deno.test("the page for consent is the issuer's authorization endpoint, and what it has in its address stays", async () => {
  const { page, issuer, asked } = await pageOf(
    (issuer) => ({ authorization_endpoint: `${issuer.replace("//", "//u:p@")}/auth?tenant=1#top` }),
    agent,
    5,
  );
  assert.ok(page !== undefined);
  assert.equal(page.origin + page.pathname + page.hash, `${issuer}/auth`);
  assert.deepEqual([page.username, page.password], ["", ""]);
  assert.deepEqual(Object.fromEntries(page.searchParams), {
    tenant: "1",
    response_type: "code",
    client_id: "agent & co",
    scope: SCOPE,
    resource: RESOURCE,
  });
  assert.equal(asked, 1, "it is asked for once");
});

Deno.test("a client that the token does not name, or at too great length, is left out", async () => {
  const said = (issuer: string) => ({ authorization_endpoint: `${issuer}/auth` });
  const { clientId: _, ...nameless } = agent;
  for (const principal of [nameless, { ...agent, clientId: "x".repeat(257) }]) {
    const { page } = await pageOf(said, principal);
    assert.equal(page?.searchParams.has("client_id"), false);
  }
});

Deno.test("an issuer that names no page, an unsafe one or another issuer leads nowhere, and is not asked again at once", async () => {
  const cases: readonly ((issuer: string) => { [name: string]: Json })[] = [
    () => ({}),
    () => ({ authorization_endpoint: "http://login.example/auth" }),
    () => ({ authorization_endpoint: "javascript:alert(1)" }),
    (issuer) => ({ issuer: "https://other.example", authorization_endpoint: `${issuer}/auth` }),
  ];
  for (const said of cases) {
    const { page, asked } = await pageOf(said, agent, 3);
    assert.equal(page, undefined);
    // Metadata has two places where it may be.
    assert.equal(asked, 2);
  }
});
