import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Call, Deadline } from "../../../base/call.ts";
import type { Json } from "../../../base/error.ts";
import { OPEN_SECURITY, type Security } from "../../../policy/security.ts";
import { openSession } from "../../../session/open-session.ts";
import type { Session } from "../../../session/session.ts";
import { NiriStandIn, type NiriState, niriState } from "../../../wm/_niri.ts";
import type { WindowManager } from "../../../wm/model.ts";
import { connectNiri } from "../../../wm/niri-ipc.ts";
import { readResource } from "../../server/find-resource.ts";
import type { Host } from "../../server/host.ts";
import type { ResourceContents, ResourceMeta, ResourceProvider } from "../../server/resource.ts";
import { ProtocolError } from "../../server/wire.ts";
import { type TestClient, testClient, testHost } from "../_client.ts";
import { wm } from "./wm.ts";

/** A client of a desktop whose window manager a test gives. */
export interface Desk {
  readonly host: Host;
  readonly client: TestClient;
  readonly provider: ResourceProvider;
  /** The contents at an address. */
  contents(uri: string): Promise<ResourceContents & { readonly text: string; readonly _meta: ResourceMeta }>;
  /** The body at an address. */
  read(uri: string): Promise<Json>;
  /** The addresses that a collection has. */
  items(uri: string): Promise<readonly string[]>;
  /** The error that reading an address answers. */
  refused(uri: string): Promise<ProtocolError>;
  /** Subscribes; what it answers counts what was told. */
  subscribe(uri: string): Promise<Notices>;
}

/** What a subscriber was told. */
export interface Notices {
  readonly count: number;
  /** Resolves with the moment (of `performance.now()`) of the next one after so many; rejects in the end. */
  after(count: number, milliseconds?: number): Promise<number>;
  close(): Promise<void>;
}

/** Opens a simulated desktop with this window manager. */
export async function withDesk(
  manager: Session["windowManager"],
  use: (desk: Desk) => Promise<void>,
  security: Security = OPEN_SECURITY,
): Promise<void> {
  const simulated = await openSession({ kind: "simulated" });
  const session: Session = { ...simulated, ...(manager ? { windowManager: manager } : {}) };
  const provider = wm();
  const host: Host = { ...testHost(session, security), resources: [provider] };
  const client = testClient(host);
  const contents: Desk["contents"] = async (uri) => {
    const [found] = await readResource(host, uri, client.call);
    assert.ok(found !== undefined && "text" in found && found._meta !== undefined);
    return { ...found, _meta: found._meta };
  };
  const read = async (uri: string): Promise<Json> => JSON.parse((await contents(uri)).text);
  try {
    await use({
      host,
      client,
      provider,
      contents,
      read,
      async items(uri) {
        const body = Object(await read(uri));
        assert.deepEqual(Object.keys(body), ["uri", "items"]);
        return body.items;
      },
      async refused(uri) {
        try {
          await readResource(host, uri, client.call);
        } catch (error) {
          assert.ok(error instanceof ProtocolError, String(error));
          return error;
        }
        throw new Error(`${uri} was answered`);
      },
      subscribe: (uri) => subscribed(provider, client, uri),
    });
  } finally {
    client.end();
    await simulated.close();
  }
}

async function subscribed(provider: ResourceProvider, client: TestClient, uri: string): Promise<Notices> {
  const times: number[] = [];
  let wake = Promise.withResolvers<void>();
  const subscription = await provider.watch?.(uri, client.call, () => {
    times.push(performance.now());
    wake.resolve();
    wake = Promise.withResolvers<void>();
  });
  assert.ok(subscription !== undefined);
  return {
    get count() {
      return times.length;
    },
    async after(count, milliseconds = 10_000) {
      const deadline = Deadline.after(milliseconds);
      for (;;) {
        const time = times[count];
        if (time !== undefined) return time;
        const late = Promise.withResolvers<never>();
        const timer = setTimeout(
          () => late.reject(new Error(`${uri}: told ${times.length} times, no more`)),
          deadline.remaining(),
        );
        try {
          await Promise.race([wake.promise, late.promise]);
        } finally {
          clearTimeout(timer);
        }
      }
    },
    close: () => subscription.close(),
  };
}

/** Opens a desktop whose window manager is niri's stand-in. */
export async function withNiriDesk(
  use: (desk: Desk, niri: NiriStandIn) => Promise<void>,
  state: NiriState = niriState(),
  unknown: readonly string[] = [],
  security: Security = OPEN_SECURITY,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "wm-res-"));
  const niri = new NiriStandIn(join(folder, "niri.sock"), state, unknown);
  let manager: WindowManager | undefined;
  try {
    await niri.start();
    const opened = manager = await connectNiri(niri.path);
    await withDesk((_call?: Call) => Promise.resolve(opened), (desk) => use(desk, niri), security);
  } finally {
    manager?.close();
    await niri.stop();
    rmSync(folder, { recursive: true });
  }
}
