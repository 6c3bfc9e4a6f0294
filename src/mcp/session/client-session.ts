import { join, resolve } from "node:path";
import { defined } from "../../base/defined.ts";
import { BackstepError, type Json, toBackstepError } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";
import { type Act, type Dispatched, Gate, OPEN_PORTS } from "../../contract/gate.ts";
import type { Invocation } from "../../contract/operation.ts";
import type { VisionModel } from "../../contract/vision.ts";
import { CallFailed } from "../../script/call-failed.ts";
import type { LiveRun } from "../../script/live.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import { isComposed, toolNamed } from "../../tools/all.ts";
import type { Agreement } from "../server/agreement.ts";
import type { Acted, McpCall, McpSession } from "../server/call.ts";
import { Caller } from "../server/caller.ts";
import type { McpClient } from "../server/client.ts";
import { Connections } from "../server/connections.ts";
import type { Host } from "../server/host.ts";
import { heard, shownCall, shownStep } from "../server/progress.ts";
import { baselineFolderIn, OpenFolders } from "../server/roots.ts";
import { timed, underWay } from "../server/under-way.ts";
import { appsIn, finished } from "./app-not-running.ts";
import { askingAside, HALF_DONE } from "./ask-aside.ts";
import { ElementReferences } from "./element-references.ts";
import type { Queue } from "./queue.ts";
import { memoryOf } from "./short-memory.ts";
import { withApps } from "./with-app.ts";

/** Milliseconds that an element which is acted on may take to appear and be ready: a model waits for the answer. */
const RESOLVE = 5_000;

/** Acts that are remembered for who plans the next one. */
const REMEMBERED = 50;

/** What a session gets from its host. */
interface Inside {
  readonly queue: Queue;
  readonly folder: string;
  readonly state: string | undefined;
  readonly kept: number | undefined;
  /** The acts of a workflow whose targets are there already, as they would be done now. */
  readonly actsAhead: (steps: Json | undefined, gate: Gate, signal: AbortSignal) => Promise<Act[]>;
  readonly closed: () => void;
}

/** One client's session: its acts are one live run of the engine, which begins with the first of them. */
export class ClientSession implements McpSession {
  readonly id: string;
  readonly host: Host;
  readonly connections = new Connections();
  readonly elements = new ElementReferences();
  readonly folders = new OpenFolders();
  readonly started = Date.now();
  subscriptions = 0;
  #actions = 0;
  readonly #history: string[] = [];
  readonly #inside: Inside;
  readonly #over = new AbortController();
  readonly #ends = new Set<() => Promise<void>>();
  #gate: { readonly folder: string; readonly gate: Promise<Gate> } | undefined;
  #live: LiveRun | undefined;
  #closing: Promise<void> | undefined;
  /** Whose session it is, known with its first call. */
  #client: McpClient | undefined;
  readonly #vision: VisionModel = {
    locate: async (picture, description, call) => {
      const { clientVision } = await import("../sampling/client-vision.ts");
      return await clientVision(this.#client).locate(picture, description, call);
    },
  };

  constructor(id: string, host: Host, inside: Inside) {
    this.id = id;
    this.host = host;
    this.#inside = inside;
  }

  get over(): AbortSignal {
    return this.#over.signal;
  }

  onEnd(end: () => Promise<void>): () => void {
    this.#ends.add(end);
    return () => void this.#ends.delete(end);
  }

  get actions(): number {
    return this.#actions;
  }

  get history(): readonly string[] {
    return this.#history;
  }

  get undoDepth(): number {
    return this.#live?.depth ?? 0;
  }

  get run(): string | undefined {
    return this.#live?.run;
  }

  async look(
    invocation: Invocation,
    call: McpCall,
    options: { readonly app?: string; readonly timeout?: number } = {},
  ): Promise<Dispatched> {
    this.#client = call.client;
    const gate = await this.#gateIn(await this.#folder(call));
    const { operation } = invocation;
    if (!gate.operation(operation).hints.readOnly) {
      throw new BackstepError("internal", `Cannot ${operation} as a look: it acts`);
    }
    const signal = AbortSignal.any([call.signal, this.#over.signal]);
    const { tool, args } = underWay(call) ?? { tool: operation, args: {} };
    const ports = {
      ...OPEN_PORTS,
      policy: this.host.admission?.(call, tool, args) ?? [],
      audit: this.host.audit?.(call, tool, args) ?? OPEN_PORTS.audit,
    };
    return await finished(
      this,
      options.app === undefined ? appsIn(invocation.input) : [options.app],
      () =>
        timed(call, () =>
          gate.with(ports).dispatch(invocation, {
            ...options,
            signal,
            progress: (message) => call.progress(message),
          })),
    );
  }

  async act(tool: string, args: ToolArguments, call: McpCall): Promise<Acted> {
    this.#client = call.client;
    const { queue } = this.#inside;
    const [composed, undoes] = [isComposed(tool), toolNamed(tool)?.step?.kind === "undo"];
    const mapped = withApps(this, tool, args);
    const [app, ...others] = mapped.apps;
    const caller = new Caller(call);
    const signal = AbortSignal.any([call.signal, this.#over.signal, caller.gone]);
    // Asked before the turn at the desktop: a client that does not answer keeps nobody waiting.
    const folder = this.#live ? "" : await this.#folder(call);
    const agreement = await this.#askBeforehand(tool, mapped.args, call, signal);
    return await queue.run(
      this.id,
      signal,
      (turn) =>
        finished(this, mapped.apps, () =>
          timed(call, async () => {
            const memory = memoryOf(this.host);
            memory.forget();
            try {
              const live = this.#live ??= await this.#begin(folder);
              const asking = askingAside(
                call,
                turn,
                caller,
                composed ? HALF_DONE : undefined,
              );
              const { output, effect } = await live.call(tool, mapped.args, {
                signal,
                listener: heard(tool, args, call),
                ...(app === undefined || others.length > 0 ? {} : { app }),
                admission: [caller, ...this.host.admission?.(asking, tool, args, agreement) ?? []],
                ...(this.host.audit ? { audit: this.host.audit(call, tool, args) } : {}),
              });
              // What only read the clipboard did nothing; of composed tools the effect says nothing.
              if (!undoes && (effect !== "read" || composed)) {
                this.#actions++;
              }
              this.#remember(tool, args, output);
              return { output: isMap(output) ? output : {}, effect };
            } catch (thrown) {
              const came = thrown instanceof CallFailed ? thrown.answer?.output : undefined;
              this.#remember(tool, args, came, toBackstepError(thrown).code);
              throw caller.reported(thrown);
            } finally {
              memory.forget();
            }
          })),
    );
  }

  /** What of a workflow a person agrees to before it begins: without the turn, so that nobody waits for them. */
  async #askBeforehand(
    tool: string,
    args: ToolArguments,
    call: McpCall,
    signal: AbortSignal,
  ): Promise<Agreement | undefined> {
    const { beforehand } = this.host;
    if (!isComposed(tool) || !beforehand || !call.client.can.form) return undefined;
    const gate = await this.#gateIn(await this.#folder(call));
    const acts = await this.#inside.actsAhead(args["steps"], gate, signal);
    return await beforehand(call, { tool, args, acts });
  }

  /** What was called, and how it came out: of a workflow each of its steps. */
  #remember(tool: string, args: ToolArguments, output: Json | undefined, failed?: string): void {
    const { steps, app } = args;
    const where = typeof app === "string" ? ` in ${app.slice(0, 60)}` : "";
    const how = failed === undefined ? "" : ` (failed: ${failed})`;
    if (steps !== undefined && isList(steps)) {
      const results = output !== undefined && isMap(output) ? output["results"] ?? [] : [];
      for (const [index, step] of steps.entries()) {
        const result = isList(results) ? results[index] : undefined;
        const status = result !== undefined && isMap(result) ? String(result["status"]) : "not_reached";
        this.#history.push(`${tool} step ${index + 1}/${steps.length}: ${shownStep(step)} (${status})`);
      }
      if (how !== "") this.#history.push(`${tool}${how}`);
    } else this.#history.push(`${shownCall(tool, args)}${where}${how}`);
    this.#history.splice(0, this.#history.length - REMEMBERED);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#over.abort(new BackstepError("cancelled", "The session of the client is over"));
    try {
      await Promise.all([...this.#ends].map((end) => end()));
      // Behind whatever of it is under way: that is cut off, and rolled back where it is to be.
      await this.#inside.queue.run(this.id, new AbortController().signal, async () => {
        await this.#live?.end();
      }, true);
    } finally {
      this.#inside.closed();
    }
  }

  /** What paths are confined to: the first of the client's folders, else what the server was started with. */
  async #folder(call: McpCall): Promise<string> {
    try {
      const [first] = await this.folders.list(call.client, AbortSignal.any([call.signal, this.#over.signal]));
      return first?.path ?? this.#inside.folder;
    } catch (thrown) {
      const { code, message } = toBackstepError(thrown);
      if (code === "cancelled") throw thrown;
      call.log("warning", "axterminator.roots", {
        message: `The client's folders are not known: ${message}`,
      });
      return this.#inside.folder;
    }
  }

  async #begin(folder: string): Promise<LiveRun> {
    const { state, kept } = this.#inside;
    const [{ LiveRun }, { BUDGETS }] = await Promise.all([
      import("../../script/live.ts"),
      import("../../engine/model/budgets.ts"),
    ]);
    return await LiveRun.begin({
      session: this.host.desktop,
      folder,
      name: `MCP session ${this.id.slice(0, 36)}`,
      elements: this.elements,
      budgets: { ...BUDGETS, resolve: RESOLVE },
      vision: this.#vision,
      updateBaselines: "none",
      ...defined({ state, kept }),
    });
  }

  #gateIn(folder: string): Promise<Gate> {
    if (this.#gate?.folder !== folder) this.#gate = { folder, gate: this.#makeGate(folder) };
    return this.#gate.gate;
  }

  async #makeGate(folder: string): Promise<Gate> {
    const [{ catalogue }, { BaselineFolder, BASELINES }, baselines] = await Promise.all([
      import("../../catalogue.ts"),
      import("../../operations/baseline-folder.ts"),
      baselineFolderIn(folder),
    ]);
    return new Gate({
      operations: catalogue,
      session: this.host.desktop,
      folder,
      ports: OPEN_PORTS,
      elements: this.elements,
      vision: this.#vision,
      held: (name) => this.connections.list.find((one) => String(one.application.pid) === name)?.application,
      // A client compares; it never makes the picture that it compares with.
      baselines: new BaselineFolder(baselines ?? join(resolve(folder), BASELINES), "none"),
    });
  }
}
