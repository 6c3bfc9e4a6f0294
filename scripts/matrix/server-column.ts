import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toBackstepError } from "../../src/base/error.ts";
import { isList, isMap } from "../../src/base/json.ts";
import type { McpCall, McpSession } from "../../src/mcp/server/call.ts";
import type { Elicited, FormRequest, McpClient, UrlRequest } from "../../src/mcp/server/client.ts";
import { callTool } from "../../src/mcp/server/dispatch.ts";
import { listResources, readResource } from "../../src/mcp/server/find-resource.ts";
import { guard } from "../../src/mcp/security/guard.ts";
import type { OpenHost } from "../../src/mcp/server/host.ts";
import { makeHost } from "../../src/mcp/make-host.ts";
import { ProtocolError } from "../../src/mcp/server/wire.ts";
import { Policy } from "../../src/policy/policy.ts";
import type { SecurityMode } from "../../src/policy/security.ts";
import { Settings } from "../../src/policy/settings.ts";
import type { Session } from "../../src/session/session.ts";
import type { Act, Actor, Answer, Column } from "./columns.ts";

const LIMITS = "[rate_limits]\nrps = 100000\nrpm = 1000000\nscript_rpm = 1000\nvlm_rpm = 1000\n";

const modeOf = (mode: SecurityMode) => `mode = "${mode}"\n`;

type Person = "yes" | "no" | "nobody";

/** A server of the Model Context Protocol over the desktop. */
export class ServerColumn implements Column {
  readonly name: string;
  readonly #mode: SecurityMode;
  readonly #person: Person;
  readonly #folder: string;
  readonly #policy: Policy;
  readonly #host: OpenHost;
  readonly #app: string;

  constructor(session: Session, options: {
    readonly name: string;
    readonly mode: SecurityMode;
    readonly person: Person;
    readonly app: string;
    /** Where its settings lie, and its journals. */
    readonly folder: string;
  }) {
    const { name, mode, person, folder, app } = options;
    this.name = name;
    this.#app = app;
    this.#mode = mode;
    this.#person = person;
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    this.#write(modeOf(mode));
    this.#policy = new Policy(new Settings({ environment: { HOME: folder }, folder }));
    this.#host = makeHost({ ...guard({ session, security: this.#policy }), state: folder, folder });
  }

  /** The names of the tools that the server has, in whatever mode. */
  get tools(): readonly { readonly name: string; readonly looks: boolean }[] {
    return this.#host.tools.map(({ definition: { name, annotations } }) => ({
      name,
      looks: annotations?.readOnlyHint === true,
    }));
  }

  async begin(): Promise<Actor> {
    const client = this.#host.open("matrix");
    const under = async (settings: string, act: Act): Promise<Answer> => {
      this.#write(settings);
      this.#policy.reload();
      try {
        return await this.#act(client, act, "yes");
      } finally {
        this.#write(modeOf(this.#mode));
        this.#policy.reload();
      }
    };
    const actor: Actor = {
      act: (act) => this.#act(client, act, this.#person),
      permitted: (act) => under(modeOf("normal"), act),
      unasked: (act) => under(`${modeOf("normal")}confirm_destructive = false\n`, act),
      end: () => client.close(),
    };
    await actor.act({ tool: "ax_connect", args: { app: this.#app } });
    return actor;
  }

  /** Reads every resource that there is, and calls every tool that only reads and asks for nothing. */
  async look(): Promise<void> {
    const client = this.#host.open("matrix");
    const call = callOf(client, this.#person, false);
    await callTool(this.#host, "ax_connect", { app: this.#app }, call);
    for (const { uri } of await listResources(this.#host, call)) {
      await readResource(this.#host, uri, call).catch(refusal);
    }
    for (const { definition: { name, annotations, inputSchema } } of this.#host.tools) {
      if (annotations?.readOnlyHint !== true) continue;
      const wants = inputSchema["required"] ?? [];
      if (!isList(wants) || wants.some((one) => one !== "app")) continue;
      await callTool(this.#host, name, wants.length > 0 ? { app: this.#app } : {}, call).catch(refusal);
    }
    await client.close();
  }

  async close(): Promise<void> {
    await this.#host.close();
    this.#policy.close();
  }

  #write(settings: string): void {
    writeFileSync(join(this.#folder, "security.toml"), `${settings}${LIMITS}`);
  }

  async #act(session: McpSession, act: Act, person: Person): Promise<Answer> {
    if (!("tool" in act)) throw new Error("a server has tools only");
    try {
      const result = await callTool(
        this.#host,
        act.tool,
        act.args,
        callOf(session, person, act.task === true),
      );
      if (result.isError !== true) return undefined;
      const text = result.content.map((one) => one.type === "text" ? one.text : "").join(" ");
      const refused = /person (said no|did not say yes)|security policy|"policy"|"SecurityBlocked"|safe mode/;
      return { refused: refused.test(text), why: text.slice(0, 300) };
    } catch (thrown) {
      if (!(thrown instanceof ProtocolError)) throw thrown;
      return { refused: true, why: thrown.message.slice(0, 300) };
    }
  }
}

/** What is not offered, or not there in a mode, is an answer too. */
function refusal(thrown: unknown): void {
  if (toBackstepError(thrown).code === "internal" && !(thrown instanceof ProtocolError)) throw thrown;
}

function callOf(session: McpSession, person: Person, task: boolean): McpCall {
  const asks = person !== "nobody";
  const client: McpClient = {
    name: "matrix",
    version: "1",
    can: { form: asks, url: asks, sampling: false, samplingTools: false, roots: false },
    elicit: (request) => Promise.resolve(reply(request, person)),
    elicited: () => Promise.resolve(),
    sample: () => Promise.reject(new Error("the client cannot sample")),
    roots: () => Promise.resolve([]),
  };
  return {
    session,
    client,
    signal: AbortSignal.timeout(60_000),
    progress: () => {},
    log: () => {},
    ...(task ? { task: { id: "task" } } : {}),
  };
}

/** A yes is for a question whether something may happen; to all else this person has nothing to say. */
function reply(request: FormRequest | UrlRequest, person: Person): Elicited {
  const fields = request.mode === "form" ? request.requestedSchema["properties"] : undefined;
  const word = ["confirm", "approve"].find((one) => isMap(fields) && one in fields);
  if (person === "yes" && word !== undefined) return { action: "accept", content: { [word]: true } };
  return { action: "decline" };
}
