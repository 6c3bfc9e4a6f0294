import assert from "node:assert/strict";
import { EmbeddedPostgres } from "./postgres.ts";

Deno.test("a folder whose name a shell would act on is refused", () => {
  for (
    const folder of ["/tmp/$(touch x)", "/tmp/`touch x`", '/tmp/"; touch x; "', "/tmp/a\\b", "/tmp/a\nb"]
  ) {
    assert.throws(() => new EmbeddedPostgres({ folder }), { code: "usage", message: /pg_ctl has a shell/ });
  }
});
