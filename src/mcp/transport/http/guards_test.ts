import assert from "node:assert/strict";
import { hostname } from "node:os";
import { faultOfRequest, namesOf } from "./guards.ts";
import { HTTP_LIMITS } from "./limits.ts";

const none = { allowedHosts: [], allowedOrigins: [] };

/** The status that a request with these headers is refused with; 0: it is not. */
function refused(names: ReturnType<typeof namesOf>, headers: Record<string, string>): number {
  return faultOfRequest(new Request("http://x/mcp", { headers }), names, HTTP_LIMITS)?.status ?? 0;
}

Deno.test("on loopback the names of loopback are the server's, with its own port", () => {
  const names = namesOf({ bind: "127.0.0.1", port: 8741, ...none });
  for (const host of ["localhost:8741", "127.0.0.1:8741", "[::1]:8741"]) {
    assert.equal(refused(names, { host }), 0, host);
  }
  for (const host of ["localhost", "localhost:80", `${hostname()}:8741`, "192.0.2.7:8741"]) {
    assert.equal(refused(names, { host }), 403, host);
  }
});

Deno.test("off loopback its own addresses and host name are, and no name that may be rebound", () => {
  const names = namesOf({ bind: "192.0.2.7", port: 8741, ...none });
  for (const host of ["192.0.2.7:8741", `${hostname()}:8741`, "127.0.0.1:8741"]) {
    assert.equal(refused(names, { host }), 0, host);
  }
  for (const host of ["192.0.2.8:8741", "desk.example:8741"]) {
    assert.equal(refused(names, { host }), 403, host);
  }
  const all = namesOf({ bind: "::", port: 8741, ...none });
  assert.equal(refused(all, { host: "[::1]:8741" }), 0);
  assert.equal(refused(all, { host: "desk.example:8741" }), 403);
});

Deno.test("a name that is allowed has any port, unless it is allowed with one", () => {
  const names = namesOf({
    bind: "127.0.0.1",
    port: 8741,
    allowedHosts: ["Desk.example", "other.example:443"],
    allowedOrigins: ["https://App.example/"],
  });
  const hosts = { "desk.example": 0, "desk.example:9": 0, "other.example:443": 0, "other.example": 403 };
  for (const [host, status] of Object.entries(hosts)) assert.equal(refused(names, { host }), status, host);
  const host = "desk.example";
  assert.equal(refused(names, { host, origin: "https://app.example" }), 0);
  assert.equal(refused(names, { host, origin: "https://desk.example" }), 403, "a host is no origin");
});

Deno.test("a port that browsers leave out may be left out", () => {
  const names = namesOf({ bind: "127.0.0.1", port: 80, ...none });
  assert.equal(refused(names, { host: "localhost", origin: "http://localhost" }), 0);
  assert.equal(refused(names, { host: "localhost:80" }), 0);
});
