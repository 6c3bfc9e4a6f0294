import assert from "node:assert/strict";
import { Guard } from "./guard.ts";

const guard = new Guard(4711, "token-of-the-page");
const authorization = "Bearer token-of-the-page";

Deno.test("only its own names, its own pages and its own token come in", () => {
  assert.equal(guard.call({ host: "127.0.0.1:4711", authorization }), undefined);
  assert.equal(
    guard.call({ host: "LOCALHOST:4711", authorization, origin: "http://localhost:4711" }),
    undefined,
  );
  for (
    const [headers, status] of [
      [{ authorization }, 403],
      [{ host: "127.0.0.1:4712", authorization }, 403],
      [{ host: "rebound.example:4711", authorization }, 403],
      [{ host: "127.0.0.1:4711", authorization, origin: "null" }, 403],
      [{ host: "127.0.0.1:4711", authorization, origin: "https://127.0.0.1:4711" }, 403],
      [{ host: "127.0.0.1:4711" }, 401],
      [{ host: "127.0.0.1:4711", authorization: "Bearer token-of-the-pag" }, 401],
      [{ host: "127.0.0.1:4711", authorization: "token-of-the-page" }, 401],
    ] as const
  ) assert.equal(guard.call(headers)?.status, status, JSON.stringify(headers));
});

Deno.test("the page itself needs no token: it holds nothing secret", () => {
  assert.equal(guard.page({ host: "127.0.0.1:4711" }), undefined);
  assert.equal(guard.page({ host: "rebound.example" })?.status, 403);
});
