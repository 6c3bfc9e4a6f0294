import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import { BusConnection } from "./bus-connection.ts";

/** What a connection comes to with a bus that greets, and answers the first call with these bytes. */
async function against(answer: Uint8Array): Promise<BackstepError> {
  const folder = mkdtempSync(join(tmpdir(), "backstep-bus-"));
  const path = join(folder, "bus");
  const server = createServer((socket) => {
    socket.once("data", () => {
      socket.write("OK 1234\r\n");
      // "BEGIN" and the call may arrive apart; the answer is the same to both.
      socket.on("data", () => socket.write(answer));
    });
    socket.on("error", () => {}); // the other side hung up, as it should
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  try {
    const connection = await BusConnection.open(`unix:path=${path}`, Deadline.after(5_000));
    connection.close();
    throw new Error("it was taken for a bus");
  } catch (error) {
    assert.ok(error instanceof BackstepError, String(error));
    return error;
  } finally {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  }
}

/** The header of a message: little-endian, a reply, with these lengths. */
function header(body: number, fields: number): Uint8Array {
  const bytes = new Uint8Array(16);
  bytes.set([0x6c, 2, 0, 1]);
  const view = new DataView(bytes.buffer);
  view.setUint32(4, body, true);
  view.setUint32(12, fields, true);
  return bytes;
}

Deno.test("a message that cannot be read ends the connection, not the process", async () => {
  // Its one field says that the body is a number, and there is no body.
  const bytes = new Uint8Array(24);
  bytes.set(header(0, 7));
  bytes.set([8, 1, 0x67, 0, 1, 0x75, 0], 16);
  assert.equal((await against(bytes)).code, "no_desktop");
});

Deno.test("a message that is announced longer than any answer is not waited for", async () => {
  const error = await against(header(0x7fffffff, 0));
  assert.equal(error.code, "no_desktop");
  assert.match(error.message, /announces a message of \d+ bytes/);
});
