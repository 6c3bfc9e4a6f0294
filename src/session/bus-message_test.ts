import assert from "node:assert/strict";
import { decodeMessage, encodeCall, messageSize } from "./bus-message.ts";
import { socketPath } from "./bus-connection.ts";

Deno.test("a call comes back from its bytes with its member and arguments", () => {
  const bytes = encodeCall(7, {
    destination: "org.freedesktop.DBus",
    path: "/org/freedesktop/DBus",
    interface: "org.freedesktop.DBus",
    member: "StartServiceByName",
    args: ["org.a11y.Bus — é", 42],
  });
  assert.equal(messageSize(bytes), bytes.length);
  const message = decodeMessage(bytes);
  assert.equal(message.kind, "call");
  assert.equal(message.member, "StartServiceByName");
  assert.deepEqual(message.body, ["org.a11y.Bus — é", 42]);
});

Deno.test("too few bytes have no size yet", () => {
  const bytes = encodeCall(1, { destination: "a.b", path: "/", interface: "a.b", member: "C" });
  assert.equal(messageSize(bytes.subarray(0, 15)), undefined);
  assert.equal(messageSize(bytes.subarray(0, 16)), bytes.length);
});

Deno.test("the socket of a bus address is found among its alternatives", () => {
  const table: [address: string, path: string | undefined][] = [
    ["unix:path=/run/user/0/bus", "/run/user/0/bus"],
    ["unix:path=/tmp/a%20b,guid=0123", "/tmp/a b"],
    ["unix:guid=0123,path=/tmp/x", "/tmp/x"],
    ["unix:abstract=/tmp/dbus-x,guid=1", "\0/tmp/dbus-x"],
    ["tcp:host=localhost,port=1;unix:path=/tmp/y", "/tmp/y"],
    ["tcp:host=localhost,port=1", undefined],
    ["", undefined],
  ];
  for (const [address, path] of table) assert.equal(socketPath(address), path, address);
});
