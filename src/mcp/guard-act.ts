import { BackstepError } from "../base/error.ts";
import type { Act, PolicyPort, Terms } from "../contract/gate.ts";
import { hitTest } from "../desktop/hit-test.ts";
import { contains } from "../desktop/rect.ts";
import { Role } from "../desktop/roles.ts";
import type { Snapshot } from "../desktop/snapshot.ts";
import { destructiveWord, HARMLESS } from "../policy/destructive-words.ts";
import type { GuardSecurity } from "../policy/policy.ts";
import type { McpCall } from "./call.ts";
import { confirmDestructive } from "./elicitation/destructive-act.ts";
import { reviewScript } from "./elicitation/script-review.ts";
import type { AuditTrail } from "./guard-audit.ts";
import type { Limits } from "./guard-limits.ts";
import type { ToolArguments } from "./tool.ts";

/** What a client's act is judged with. */
export interface ActGuard {
  readonly security: GuardSecurity;
  readonly trail: AuditTrail;
  readonly limits: Limits;
}

/** Keys that do what the element with the focus is for. */
const CONFIRMING = /(^|[\s+])(return|enter|kp_enter|space)($|\s)/i;
/** What a point lies in, from the inside: a label stands in its button. */
const LEVELS = 3;
const PRESSED: ReadonlySet<number> = new Set([Role.pushButton, Role.menuItem, Role.link, Role.toggleButton]);

/** Stands at one call's acts: throws where one may not happen, and asks where a person has to say so. */
export function admitting(guard: ActGuard, call: McpCall, tool: string, args: ToolArguments): PolicyPort {
  return {
    async admit(act) {
      // What only looks can cost too.
      if (tool === "ax_workflow") guard.limits.nested(act.operation.name);
      if (act.operation.hints.readOnly) return;
      try {
        return await admit(guard, call, tool, args, act);
      } catch (thrown) {
        if (!(thrown instanceof Refused)) throw thrown;
        guard.trail.write(call, { tool, args, act, result: thrown.result, flags: thrown.flags });
        throw thrown.failure;
      }
    },
  };
}

/** An act that does not happen, as it is written down and as it is told. */
class Refused extends Error {
  readonly result: string;
  readonly flags: readonly string[];
  readonly failure: BackstepError;

  constructor(result: string, flags: readonly string[], failure: BackstepError) {
    super(result);
    this.result = result;
    this.flags = flags;
    this.failure = failure;
  }
}

async function admit(
  guard: ActGuard,
  call: McpCall,
  tool: string,
  args: ToolArguments,
  act: Act,
): Promise<Terms | void> {
  const { security, trail } = guard;
  const { name } = act.operation;
  if (security.mode === "sandboxed") {
    throw new Refused(
      "blocked",
      ["sandboxed"],
      new BackstepError("policy", `Cannot ${name}: the server only looks at applications`, {
        hint: "Ask who runs this server for another security mode.",
      }),
    );
  }
  const flags: string[] = [];
  const terms = name === "run-script" ? await judgeScript(guard, call, act) : undefined;
  if (terms) flags.push("script_reviewed");
  const word = await judgeWords(guard, call, act);
  if (word) flags.push("destructive_keyword");
  flagged.set(act.resolved, flags);
  trail.begin(call, { tool, args, act, flags });
  return terms;
}

/** Flags of acts that were let through, for when they are written down. */
const flagged = new WeakMap<Act["resolved"], readonly string[]>();

/** What an act that was let through is to be written down with. */
export function flagsOf({ resolved }: Act): readonly string[] {
  return flagged.get(resolved) ?? [];
}

async function judgeScript(
  { security }: ActGuard,
  call: McpCall,
  { input }: Act,
): Promise<Terms | undefined> {
  if (security.mode === "safe") {
    throw new Refused(
      "blocked",
      ["script"],
      new BackstepError("policy", "Scripts are blocked in safe mode", {
        hint: "Use the other tools: they are judged one by one.",
      }),
    );
  }
  const { script, language, timeout } = scriptOf(input);
  const review = await reviewScript(
    script,
    language,
    timeout === undefined ? undefined : timeout / 1_000,
    call,
  );
  if (review.is === "approved") return { within: review.within };
  if (review.is === "unable") {
    call.log("warning", "axterminator.security", { event: "script_not_reviewed", language });
    return {};
  }
  throw new Refused(`elicitation_${review.is}`, ["script"], refusedByPerson("run the script", review.is));
}

/** The word that makes an act one that destroys, once a person has agreed or need not be asked. */
async function judgeWords(guard: ActGuard, call: McpCall, act: Act): Promise<string | undefined> {
  const { security } = guard;
  const { effect } = act.resolved;
  if (HARMLESS.has(act.operation.name) || effect === "read" || effect === "restorable") return undefined;
  const found = await destroyed(act);
  const word = found?.texts.map(destructiveWord).find((one) => one !== undefined);
  if (!found || word === undefined) return undefined;
  const about = { word, element: found.name.slice(0, 200), app: found.app.slice(0, 80) };
  if (!security.confirmDestructive) {
    call.log("warning", "axterminator.security", { event: "destructive_act", ...about });
    return word;
  }
  const doing = found.doing;
  const said = await confirmDestructive({ doing, name: found.name, app: found.app }, call);
  if (said === "accepted") {
    await requireSame(act, found);
    return word;
  }
  if (said === "unable" && security.mode === "normal") {
    call.log("warning", "axterminator.security", { event: "destructive_act_not_confirmed", ...about });
    return word;
  }
  if (said === "unable") {
    throw new Refused(
      "confirmation_impossible",
      ["destructive_keyword"],
      new BackstepError(
        "policy",
        `Cannot ${doing} '${about.element}': a person has to confirm it, and the client cannot ask`,
        {
          hint: "Use a client that supports elicitation, or let the person do it.",
          details: { ...about, confirmation: true },
        },
      ),
    );
  }
  throw new Refused(
    `elicitation_${said}`,
    ["destructive_keyword"],
    refusedByPerson(`${doing} '${about.element}'`, said),
  );
}

function refusedByPerson(doing: string, said: "declined" | "cancelled"): BackstepError {
  return new BackstepError(
    "policy",
    `Cannot ${doing}: the person ${said === "declined" ? "said no" : "did not say yes"}`,
    {
      hint: "Ask the person what they want instead; do not try another way to the same end.",
      details: { confirmation: true, answer: said },
    },
  );
}

/** What an act is done to: its name, and every text that tells what it does. */
interface ActedOn {
  readonly doing: string;
  readonly name: string;
  readonly app: string;
  readonly texts: readonly string[];
}

async function destroyed(act: Act): Promise<ActedOn | undefined> {
  return (await actedOn(act)).find(({ texts }) => texts.some(destructiveWord));
}

/** While a person thinks, windows move and the focus goes elsewhere: the word is for what was shown to them. */
async function requireSame(act: Act, agreed: ActedOn): Promise<void> {
  const now = await destroyed(act);
  if (now && now.app === agreed.app && now.name === agreed.name) return;
  const about = `${agreed.doing} '${agreed.name.slice(0, 200)}'`;
  throw new Refused(
    "changed_meanwhile",
    ["destructive_keyword"],
    new BackstepError("stale", `Cannot ${about}: it is something else by now`, {
      hint: "Look where it is, then act on it as an element: ax_click finds it wherever it has moved.",
      details: { confirmation: true },
    }),
  );
}

async function actedOn(act: Act): Promise<ActedOn[]> {
  const { operation, resolved, input } = act;
  const doing = operation.name.startsWith("click") ? "click" : `${operation.name} on`;
  const found = resolved.elements.map(({ name, description, application }) => ({
    doing,
    name: name || description,
    app: application.name,
    texts: [name, description],
  }));
  const [first] = found;
  // Items of a list or a menu are chosen by what they are called.
  const chosen = operation.name === "select" && first
    ? [{ doing: "select", name: textsIn(input).join(" "), app: first.app, texts: textsIn(input) }]
    : [];
  const points = found.length === 0
    ? await Promise.all(pointsIn(input).map((point) => at(act, point, doing)))
    : [];
  const keyed = operation.name === "press" && CONFIRMING.test(keysIn(input)) ? [await focused(act)] : [];
  return [...found, ...chosen, ...points, ...keyed].filter((one) => one !== undefined);
}

/** What lies under a point, with what it lies in. */
async function at({ context }: Act, { x, y }: Point, doing: string): Promise<ActedOn | undefined> {
  const { desktop, deadline } = context;
  const call = deadline.call();
  const windows = desktop.capabilities.windows ? await desktop.windows(call) : [];
  const window = windows.findLast(({ minimised, rect }) => !minimised && contains(rect, x, y));
  const application = (await desktop.applications(call)).find(({ pid }) => pid === window?.pid && pid !== 0);
  if (!window || !application) return undefined;
  const snapshot = await desktop.snapshot(application, { ...call, fields: ["extents"] });
  const row = hitTest(snapshot, x, y, window.popup ? window.rect : undefined);
  return row < 0 ? undefined : { ...around(snapshot, row), doing, app: application.name };
}

/** What has the keyboard in the window in front. */
async function focused({ context }: Act): Promise<ActedOn | undefined> {
  const { desktop, deadline } = context;
  const call = deadline.call();
  const active = desktop.capabilities.windows
    ? (await desktop.windows(call)).find((one) => one.active)
    : undefined;
  const application = (await desktop.applications(call)).find(({ pid }) => pid === active?.pid && pid !== 0);
  if (!application) return undefined;
  const snapshot = await desktop.snapshot(application, { ...call, fields: [] });
  for (let row = 0; row < snapshot.size; row++) {
    if (!snapshot.has(row, "focused")) continue;
    return { ...around(snapshot, row), doing: "press", app: application.name };
  }
  return undefined;
}

function around(snapshot: Snapshot, row: number): { name: string; texts: string[] } {
  const rows = [row];
  for (let up = snapshot.parent(row), n = 0; up > 0 && n < LEVELS; up = snapshot.parent(up), n++) {
    if (PRESSED.has(snapshot.role(up))) rows.push(up);
  }
  const texts = rows.flatMap((one) => [snapshot.name(one), snapshot.description(one)]);
  return { name: texts.find((text) => text !== "") ?? "", texts };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Places of the screen in an input; a rectangle is none. */
function pointsIn(input: unknown): Point[] {
  if (typeof input !== "object" || input === null) return [];
  if ("width" in input) return [];
  if ("x" in input && "y" in input && typeof input.x === "number" && typeof input.y === "number") {
    return [{ x: input.x, y: input.y }];
  }
  return Object.values(input).flatMap(pointsIn);
}

function textsIn(input: unknown): string[] {
  if (typeof input !== "object" || input === null) return [];
  return Object.entries(input).flatMap(([key, value]) =>
    key === "target" ? [] : typeof value === "string" ? [value] : textsIn(value)
  );
}

function keysIn(input: unknown): string {
  return typeof input === "object" && input !== null && "keys" in input ? String(input.keys) : "";
}

function scriptOf(input: unknown): { script: string; language: string; timeout: number | undefined } {
  const given: { readonly [key: string]: unknown } = typeof input === "object" && input !== null
    ? { ...input }
    : {};
  const { script, language, timeout_ms: timeout } = given;
  return {
    script: String(script),
    language: typeof language === "string" ? language : "applescript",
    timeout: typeof timeout === "number" ? timeout : undefined,
  };
}
