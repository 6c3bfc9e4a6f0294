import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { defined } from "../src/base/defined.ts";
import { catalogue } from "../src/catalogue.ts";
import { Gate, OPEN_PORTS } from "../src/contract/gate.ts";
import type { PolicyPort } from "../src/contract/ports.ts";
import type { RunResult } from "../src/contract/events.ts";
import type { Mode } from "../src/desktop/desktop.ts";
import { type NativeSession, openNative } from "../src/session/open-native.ts";
import { runText } from "./_workflow.ts";

/** Of GTK 3: runs its dialogs in its handlers, and writes down what it does. */
export const NOTES = fileURLToPath(new URL("fixtures/dialogs/notes.py", import.meta.url));

/** What an act answers. */
export const Answer = z.looseObject({ method: z.string(), warning: z.string().optional() });

/** A workflow of one transaction with these steps, each a line of YAML, that fails in the end. */
export function failing(app: string, ...steps: readonly string[]): string {
  return [
    "name: failing",
    `app: ${app}`,
    "steps:",
    "  - transaction:",
    "      steps:",
    ...steps.map((step) => `        - ${step}`),
    `        - assert: { target: 'label "nothing says this"', exists: true, timeout: 0 }`,
    "",
  ].join("\n");
}

/** A private desktop for tests of dialogs, with a folder that fixtures write to. */
export class Stand implements AsyncDisposable {
  readonly folder: string;
  readonly session: NativeSession;
  readonly #gate: Gate;

  private constructor(folder: string, session: NativeSession, policy: readonly PolicyPort[] = []) {
    this.folder = folder;
    this.session = session;
    this.#gate = new Gate({ operations: catalogue, session, folder, ports: { ...OPEN_PORTS, policy } });
  }

  /** `policy`: who is asked before each act. */
  static async open(display: "x11" | "wayland" = "x11", policy: readonly PolicyPort[] = []): Promise<Stand> {
    const folder = mkdtempSync(join(tmpdir(), "backstep-dialogs-"));
    const session = await openNative({ kind: "isolated", state: folder, settings: { display } });
    return new Stand(folder, session, policy);
  }

  /** Another session on the same desktop, as another process would have it. */
  async beside(mode: Mode): Promise<Stand> {
    const { id } = this.session;
    if (id === undefined) throw new Error("a private desktop has an id");
    return new Stand(this.folder, await openNative({ kind: "attach", id, state: this.folder, mode }));
  }

  /** Does an operation; what it answers. `timeout`: in milliseconds; default its own. */
  async do(operation: string, input: unknown, app?: string, timeout?: number) {
    const how = defined({ app, timeout });
    return (await this.#gate.dispatch({ operation, input }, how)).output;
  }

  /** Clicks; by which method, and what is warned of. */
  async click(target: string, app: string) {
    return Answer.parse(await this.do("click", { target }, app));
  }

  /** Runs a workflow, as `deno task backstep run` does. */
  run(text: string): Promise<RunResult> {
    return runText(text, { session: this.session, state: this.folder, folder: this.folder });
  }

  /** What the fixture says that it did, since it was ready. */
  account(): string[] {
    const lines = readFileSync(join(this.folder, "account"), "utf8").trim().split("\n");
    return lines.slice(lines.lastIndexOf("ready") + 1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session.close();
    if (this.session.privateDesktop === undefined) return;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
