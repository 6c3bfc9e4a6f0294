import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { BackstepError, type Json, toBackstepError } from "../base/error.ts";
import { asList, asMap } from "../base/json.ts";
import type { Operation } from "../contract/operation.ts";
import { recordInput } from "../desktop/mode.ts";
import { RecordedEvidence } from "../heal/recorded.ts";
import { arranged } from "../record/output/arrange.ts";
import { insertSteps } from "../record/output/insert-steps.ts";
import { action, type ActionStep, type Recording } from "../record/output/model.ts";
import { writeYaml } from "../record/output/write-yaml.ts";
import { Recorder } from "../record/recorder.ts";
import { selectorOf } from "../record/selector-of.ts";
import { undoStep } from "../record/undo-step.ts";
import { stateFolder } from "../session/lease.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import type { ActDone } from "./acts.ts";
import { assertionsOf } from "./element/assertions.ts";
import type { Acted, Chosen, Inspector, InspectorOptions } from "./inspector.ts";
import { type Part, question } from "./routes.ts";
import { stepText } from "./step-text.ts";
import { writeWhole } from "../record/output/write-whole.ts";

const ChosenRow = z.object({ app: z.string(), version: z.number(), row: z.number() });
const Asserted = z.object({ chosen: ChosenRow, holds: z.record(z.string(), z.json()) });
const Edited = z.object({ text: z.string().max(1_000_000) });

/** A fault of the file, as a page shows it beside. */
interface Problem {
  readonly line: number;
  readonly message: string;
  readonly hint?: string;
}

/** A recorded step: of a person at the desktop, or of a page. */
interface Entry {
  readonly from: "person" | "page";
  readonly step: ActionStep;
}

/**
 * The recorder of the pages. What a person does on the desktop becomes steps, and what is done in a page; the file can be
 * edited all the while: from then on steps are put in after its last one, and the rest of it stays as it is.
 */
export class Recorded implements Part {
  readonly #inspector: Inspector;
  readonly #operations: readonly Operation[];
  readonly #options: InspectorOptions;
  readonly #file: string;
  #evidence = new RecordedEvidence();
  #recorder: Recorder | undefined;
  /** What of the person cannot be recorded here, and why. */
  #deaf: string | undefined;
  #recording = false;
  #entries: Entry[] = [];
  #app: string | undefined;
  /** The text as a person left it, and how many steps are in it. */
  #edited: { readonly text: string; readonly steps: number } | undefined;
  #saved: string | undefined;

  constructor(inspector: Inspector, options: InspectorOptions, file: string) {
    this.#inspector = inspector;
    this.#options = options;
    this.#operations = options.operations;
    this.#file = file;
    this.#app = options.app;
    this.#saved = textOf(file);
    this.#edited = this.#kept;
    inspector.onAct = (acted) => this.#acted(acted);
    inspector.onUndo = (done) => this.#undone(done);
  }

  readonly questions = {
    "record-start": () => this.#start(),
    "record-stop": () => this.#stop(),
    "record-pause": () => this.#pause(),
    "record-undo": () => this.#undo(),
    "record-clear": () => this.#clear(),
    "record-assertions": question(z.object({ chosen: ChosenRow }), ({ chosen }) => this.#assertions(chosen)),
    "record-assert": question(Asserted, ({ chosen, holds }) => this.#assert(chosen, holds)),
    "record-edit": question(Edited, ({ text }) => this.#edit(text)),
    "record-save": () => this.#save(),
  };

  hello() {
    return { record: this.#state() };
  }

  async close(): Promise<void> {
    const recorder = this.#recorder;
    this.#recorder = undefined;
    await recorder?.abandon();
  }

  #state() {
    const text = this.#text();
    return {
      recording: this.#recording,
      paused: this.#recorder?.paused ?? false,
      file: this.#file,
      saved: this.#saved === text,
      edited: this.#edited !== undefined,
      ...(this.#deaf === undefined ? {} : { deaf: this.#deaf }),
      steps: this.#entries.map(({ from, step }) => ({
        from,
        text: stepText(step),
        effect: step.effect ?? null,
        ...(step.comment === undefined ? {} : { comment: step.comment }),
      })),
      text,
      problems: this.#problems(text),
    };
  }

  #tell() {
    const state = this.#state();
    this.#inspector.tell("record", state);
    return state;
  }

  async #start() {
    if (this.#recording) return this.#state();
    const { desktop } = this.#inspector.session;
    this.#deaf = undefined;
    this.#recording = true;
    try {
      const inputs = await recordInput(desktop, {});
      const recorder = await Recorder.start(this.#inspector.session, inputs, {
        name: this.#name,
        operations: this.#operations,
        ...(this.#app === undefined ? {} : { app: this.#app }),
        onStep: (step, replaces) => this.#heard(step, replaces),
        onTarget: this.#evidence.onTarget,
      });
      this.#recorder = recorder;
      recorder.failed.catch((thrown: unknown) => {
        this.#recorder = undefined;
        this.#deaf = toBackstepError(thrown).message;
        this.#tell();
      });
    } catch (thrown) {
      // What is done in the page is recorded all the same.
      this.#deaf = toBackstepError(thrown).message;
    }
    return this.#tell();
  }

  async #stop() {
    const recorder = this.#recorder;
    this.#recorder = undefined;
    this.#recording = false;
    await recorder?.stop();
    return this.#tell();
  }

  async #pause() {
    const recorder = this.#recorder;
    if (recorder?.paused) await recorder.resume();
    else await recorder?.pause();
    return this.#tell();
  }

  #clear() {
    this.#entries = [];
    this.#edited = this.#kept;
    this.#evidence = new RecordedEvidence();
    return this.#tell();
  }

  #heard(step: ActionStep | undefined, replaces: boolean): void {
    if (replaces) {
      const last = this.#entries.findLastIndex(({ from }) => from === "person");
      if (last >= 0 && last >= (this.#edited?.steps ?? 0)) this.#entries.splice(last, 1);
    }
    if (step !== undefined) this.#entries.push({ from: "person", step });
    this.#tell();
  }

  /** Something was done in a page: it is a step that names its element by the best selector. */
  async #acted({ done, operation, input, target, chosen, app }: Acted): Promise<void> {
    if (!this.#recording || this.#recorder?.paused || done.error !== undefined) return;
    const effect = done.effect === undefined ? {} : { effect: done.effect };
    if (chosen === undefined) {
      const named = app === undefined || (await this.#nameOf(app)) === this.#app ? {} : { app };
      this.#push(action(operation, { ...input, ...named }, effect));
      return;
    }
    const { snapshot, row, application } = chosen;
    const selector = selectorOf(snapshot, row);
    if (selector === undefined) {
      this.#push(
        action(operation, { ...input, [target]: "*" }, { ...effect, comment: "Nothing short names it." }),
      );
      return;
    }
    this.#evidence.onTarget(selector, snapshot, row);
    const name = await this.#nameOf(application.bus);
    const own = name === this.#app ? selector : { selector, app: name };
    this.#push(action(operation, { [target]: own, ...input }, effect));
  }

  #undone({ undo }: ActDone): void {
    if (undo !== "undone" || this.#entries.at(-1)?.from !== "page") return;
    if (this.#entries.length > (this.#edited?.steps ?? 0)) this.#entries.pop();
    this.#tell();
  }

  /** A value that is set again in the same element stands in for what was set before. */
  #push(step: ActionStep): void {
    const last = this.#entries.at(-1);
    const { value, target } = step.input;
    const same = step.effect !== "read" && (typeof value === "string" || typeof value === "number") &&
      last?.step.operation === step.operation &&
      JSON.stringify(last.step.input["target"]) === JSON.stringify(target);
    if (same && this.#entries.length > (this.#edited?.steps ?? 0)) this.#entries.pop();
    this.#entries.push({ from: "page", step });
    this.#tell();
  }

  async #undo() {
    const last = this.#entries.at(-1);
    if (last === undefined) return this.#state();
    if (last.from === "page" && last.step.effect !== "read") {
      await this.#inspector.undo();
      return this.#state();
    }
    if (last.from === "person" && this.#recorder) {
      const { session } = this.#inspector;
      const app = this.#app === undefined ? {} : { app: this.#app };
      const came = await this.#recorder.undoLast((step) =>
        undoStep(step, { session, operations: this.#operations, ...app })
      );
      if (!came.removed) throw new BackstepError("refused", `Cannot undo the last step: ${came.why ?? ""}`);
    }
    if (this.#entries.at(-1) === last) this.#entries.pop();
    return this.#tell();
  }

  async #assertions(chosen: Chosen) {
    const { whole, row, own } = await this.#inspector.fresh(chosen);
    return assertionsOf(whole, row, own);
  }

  async #assert(chosen: Chosen, holds: { readonly [property: string]: Json }) {
    const { snapshot, row, application } = this.#inspector.row(chosen);
    const selector = selectorOf(snapshot, row);
    if (selector === undefined) {
      throw new BackstepError("not_found", "Cannot assert this element: nothing short names it");
    }
    const name = await this.#nameOf(application.bus);
    const target = name === this.#app ? selector : { selector, app: name };
    this.#evidence.onTarget(selector, snapshot, row);
    this.#push(action("assert", { target, ...holds }, { effect: "read" }));
    return this.#state();
  }

  #edit(text: string) {
    this.#edited = { text, steps: this.#entries.length };
    return this.#tell();
  }

  /** A file that was there before, or was saved: what is recorded goes behind its last step. */
  get #kept() {
    return this.#saved === undefined ? undefined : { text: this.#saved, steps: 0 };
  }

  #save() {
    const text = this.#text();
    if (textOf(this.#file) !== this.#saved) {
      throw new BackstepError("refused", `Cannot save ${this.#file}: it was changed outside of the page`, {
        hint:
          "Copy what you need from here, end the command, and begin it again: it then goes on in that file.",
      });
    }
    writeWhole(this.#file, text);
    this.#evidence.keep(this.#options.state ?? stateFolder(), this.#file, (message) => {
      this.#inspector.tell("note", { message });
    });
    this.#saved = text;
    return this.#tell();
  }

  get #name(): string {
    return basename(this.#file).replace(/\.ya?ml$/, "");
  }

  #text(): string {
    const from = this.#edited?.steps ?? 0;
    const steps = this.#entries.slice(from).map(({ step }) => step);
    if (this.#edited === undefined) return writeYaml(arranged(this.#whole(steps)), this.#operations);
    if (steps.length === 0) return this.#edited.text;
    try {
      return insertSteps(this.#edited.text, this.#whole(steps), {
        file: this.#file,
        at: [lastStepOf(this.#edited.text, this.#file, this.#operations)],
        operations: this.#operations,
      });
    } catch (thrown) {
      // Nothing that was done is lost: it stands at the end, as a comment, until the text can be read again.
      const alone = writeYaml(this.#whole(steps), this.#operations).split(/^steps:\n/m)[1] ?? "";
      const why = toBackstepError(thrown).message.split("\n")[0] ?? "";
      const lines = [`Recorded, and not put in: ${why}`, ...alone.trimEnd().split("\n")];
      return `${this.#edited.text.trimEnd()}\n${lines.map((line) => `# ${line}`).join("\n")}\n`;
    }
  }

  #whole(steps: readonly ActionStep[]): Recording {
    const app = this.#app === undefined ? {} : { app: this.#app };
    return { name: this.#name, settings: app, vars: varsOf(steps), before: [], steps, after: [] };
  }

  #problems(text: string): readonly Problem[] {
    if (this.#entries.length === 0 && this.#edited === undefined) return [];
    try {
      parseWorkflow(text, { file: this.#file, operations: this.#operations });
      return [];
    } catch (thrown) {
      const { message, hint, place, details } = toBackstepError(thrown);
      const faults = asList(details?.["faults"]).map((one) => asMap(one));
      if (faults.length === 0) {
        return [{ line: place?.line ?? 1, message, ...(hint === undefined ? {} : { hint }) }];
      }
      return faults.map((fault) => ({
        line: Number(asMap(fault["place"])["line"] ?? 1),
        message: String(fault["message"] ?? ""),
        ...(typeof fault["hint"] === "string" ? { hint: fault["hint"] } : {}),
      }));
    }
  }

  /** What an application is called in a file. */
  async #nameOf(bus: string): Promise<string> {
    const { desktop, launcher } = this.#inspector.session;
    const application = (await desktop.applications({ recent: true, timeout: 5_000 })).find((one) =>
      one.bus === bus
    );
    const listed = (await launcher.list()).find(({ processId }) => processId === application?.pid);
    const words = [listed?.bundleId, listed?.name, application?.name, ...(listed?.words ?? [])];
    const name = this.#app !== undefined && words.includes(this.#app)
      ? this.#app
      : listed?.bundleId ?? application?.name ?? bus;
    this.#app ??= name;
    return name;
  }
}

/** What stands in a file; undefined: there is none. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return undefined;
    throw new BackstepError("io", `Cannot read ${file}`, { cause: thrown });
  }
}

/** The number of the last step of a file, from 0. Throws `workflow` where it cannot be read. */
function lastStepOf(text: string, file: string, operations: readonly Operation[]): number {
  return parseWorkflow(text, { file, operations }).steps.length - 1;
}

/** Keys whose text nobody reported are typed from a variable. */
function varsOf(steps: readonly ActionStep[]): Recording["vars"] {
  return steps.some(({ input }) => input["text"] === "{{vars.typed}}") ? { typed: { type: "string" } } : {};
}
