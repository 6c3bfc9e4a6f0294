import type { Json } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { Session } from "../../session/session.ts";
import { OPEN_SECURITY, type Security } from "../../policy/security.ts";
import type { McpCall, McpSession } from "../server/call.ts";
import { Connections } from "../server/connections.ts";
import type { Host } from "../server/host.ts";
import { OpenFolders } from "../server/roots.ts";

/** A client of a server that has nothing but a desktop: what resources need of one. */
export interface TestClient {
  readonly session: McpSession;
  readonly call: McpCall;
  /** What was logged. */
  readonly logged: { readonly level: string; readonly logger: string; readonly data: Json }[];
  /** Connects to the application of this id or name. */
  connect(name: string, alias?: string): Promise<void>;
  /** Ends its session, as far as resources hear of that. */
  end(): void;
}

export function testHost(desktop: Session, security: Security = OPEN_SECURITY): Host {
  return {
    desktop,
    inputOf: () => undefined,
    security,
    sessions: new Set(),
    tools: [],
    resources: [],
    prompts: [],
    version: "0.0.0-test",
    started: Date.now(),
  };
}

export function testClient(host: Host): TestClient {
  const finished = new AbortController();
  const logged: TestClient["logged"] = [];
  const connections = new Connections();
  const unused = () => Promise.reject(new Error("resources do not use this"));
  const session: McpSession = {
    id: crypto.randomUUID(),
    host,
    connections,
    elements: {
      keep: () => "el-000000",
      get: () => {
        throw new Error("resources do not use this");
      },
    },
    folders: new OpenFolders(),
    started: Date.now(),
    subscriptions: 0,
    actions: 0,
    undoDepth: 0,
    history: [],
    run: undefined,
    look: unused,
    act: unused,
    over: finished.signal,
    onEnd(end) {
      const finish = () => void end();
      finished.signal.addEventListener("abort", finish, { once: true });
      return () => finished.signal.removeEventListener("abort", finish);
    },
    close: () => Promise.resolve(),
  };
  const call: McpCall = {
    session,
    client: {
      name: "test",
      version: "0",
      can: { form: false, url: false, sampling: false, samplingTools: false, roots: false },
      elicit: unused,
      elicited: unused,
      sample: unused,
      roots: unused,
    },
    signal: finished.signal,
    progress: () => {},
    log: (level, logger, data) => void logged.push({ level, logger, data }),
  };
  return {
    session,
    call,
    logged,
    async connect(name, alias) {
      const all = await host.desktop.desktop.applications();
      const application = all.find((one) => one.id === name || one.name === name);
      if (application === undefined) throw new Error(`${name} is not among ${all.map((one) => one.name)}`);
      connections.connect(application, {
        appName: application.name,
        ...defined({ bundleId: application.id, alias }),
      });
    },
    end: () => finished.abort(new Error("the session ended")),
  };
}
