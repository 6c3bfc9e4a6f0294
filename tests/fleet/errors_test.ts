import { match, ok, rejects, strictEqual, throws } from "node:assert";
import process from "node:process";
import { BackstepError } from "../../src/base/error.ts";
import { Database } from "../../src/fleet/database/database.ts";
import { readFleetUrl } from "../../src/fleet/database/place.ts";
import { findFleetPlace } from "../../src/fleet/find-place.ts";
import { migrate } from "../../src/fleet/migrate.ts";
import { openFleet } from "../../src/fleet/open-fleet.ts";
import { CURRENT } from "../../src/fleet/schema/migrations.ts";
import { findLabels } from "../../src/fleet/worker/labels.ts";
import { withPostgres } from "./_fleet.ts";

/** An error of this code whose message and hint say this, and not a password. */
function says(code: string, words: RegExp) {
  return (thrown: unknown) => {
    ok(thrown instanceof BackstepError, String(thrown));
    strictEqual(thrown.code, code, thrown.message);
    match(`${thrown.message} ${thrown.hint ?? ""}`, words);
    ok(!`${thrown.message} ${thrown.hint ?? ""} ${JSON.stringify(thrown)}`.includes("pa55word"));
    return true;
  };
}

Deno.test("a URL that cannot be is refused, and its password is in no error", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["pa55word", /it is no URL/],
    ["mysql://ada:pa55word@db/x", /begins with "mysql:"/],
    ["postgres://ada:pa55word@db", /names no database/],
    ["postgres:///x", /names no host/],
    ["postgres://ada:pa55word@db/x?sslmode=prefer", /sslmode is none of/],
    ["postgres://ada:pa55word@db/x?timeout=3", /parameter "timeout"/],
    ["postgres://ada:pa55word@db/x?schema=A-b", /schema/],
    ["postgres://ada:pa55word@db/x?sslrootcert=/nowhere.pem", /nowhere.pem cannot be read/],
  ];
  for (const [url, words] of cases) throws(() => readFleetUrl(url), says("usage", words));
  throws(
    () => findFleetPlace(undefined, { HOME: "/nowhere" }),
    says("usage", /BACKSTEP_FLEET_URL.*fleet up/),
  );
});

Deno.test("TLS is verified unless the URL says otherwise, and not used on this machine", () => {
  const verified = readFleetUrl("postgres://db.example/x").tls;
  ok(verified !== false && verified.rejectUnauthorized && verified.checkServerIdentity === undefined);
  const encrypted = readFleetUrl("postgres://db.example/x?sslmode=require").tls;
  ok(encrypted !== false && !encrypted.rejectUnauthorized);
  strictEqual(readFleetUrl("postgres://127.0.0.1/x").tls, false);
  strictEqual(readFleetUrl("postgres://db.example/x?sslmode=disable").tls, false);
});

Deno.test("a worker is not given a toolkit that its machine has not", () => {
  const none = () => "";
  throws(
    () => findLabels(["gtk4"], none),
    says("usage", /label gtk4: the library libgtk-4.so.1 is not installed/),
  );
  const found = findLabels(["printer"], () => "libgtk-4.so.1 => /usr/lib/libgtk-4.so.1");
  ok(found.labels.includes("printer") && found.labels.includes("simulated"));
  if (process.platform === "linux") ok(found.labels.includes("gtk4") && found.missing["gtk3"] !== undefined);
});

Deno.test("a database that cannot be used says why", async (t) => {
  await withPostgres(async (postgres, place) => {
    const { host } = place;
    const at = (user: string, password: string, name = "postgres") =>
      readFleetUrl(`postgres://${user}:${password}@localhost/${name}?host=${encodeURIComponent(host)}`);
    const owner = await Database.open(place, { name: "owner" });
    try {
      await t.step("nobody listens there", () =>
        rejects(
          openFleet(readFleetUrl("postgres://ada:pa55word@127.0.0.1:1/x"), { name: "a test" }),
          says("io", /127.0.0.1:1.*fleet up/s),
        ));

      await t.step("a wrong password, and a database that is not there", async () => {
        await rejects(
          openFleet(at("backstep", "pa55word"), { name: "a test" }),
          says("refused", /user or password/),
        );
        const wrong = { ...place, database: "nothing" };
        await rejects(openFleet(wrong, { name: "a test" }), says("usage", /no database "nothing".*createdb/));
      });

      await t.step("a user without rights", async () => {
        await owner.run("create role guest login password 'pa55word'");
        await rejects(
          openFleet(at("guest", "pa55word"), { name: "a test" }),
          says("refused", /has not the rights.*GRANT/),
        );
        await migrate(owner);
        await rejects(
          openFleet(at("guest", "pa55word"), { name: "a test" }),
          says("refused", /has not the rights/),
        );
      });

      await t.step("an older schema is left alone until it is migrated; a newer one is refused", async () => {
        await owner.run("delete from migration where number = $1", [CURRENT]);
        await owner.run("insert into migration (number, name) values (0, 'before')");
        if (CURRENT > 1) {
          await rejects(openFleet(place, { name: "a test" }), says("invalid", /fleet migrate/));
        }
        await owner.run(
          "insert into migration (number, name) values ($1, 'current') on conflict do nothing",
          [CURRENT],
        );
        await owner.run("update backstep_queue.version set version = version - 1");
        await rejects(
          openFleet(place, { name: "a test" }),
          says("invalid", /another version of pg-boss.*fleet migrate/),
        );
        await owner.run("update backstep_queue.version set version = version + 1");
        await owner.run("insert into migration (number, name) values (99, 'later')");
        await rejects(openFleet(place, { name: "a test" }), says("invalid", /number 99.*newer Backstep/));
      });
    } finally {
      await owner.close();
    }
    await t.step("it went away", async () => {
      const database = await Database.open(place, { name: "a test" });
      try {
        await postgres.stop();
        await rejects(database.run("select 1"), says("io", /Is it running/));
      } finally {
        await database.close();
      }
    });
  });
});
