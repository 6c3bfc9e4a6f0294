import { toBackstepError } from "../../base/error.ts";
import { hiddenApp } from "../../policy/hidden-app.ts";
import type { GuardSecurity } from "../../policy/policy.ts";
import type { Session } from "../../session/session.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import { traitsOf } from "../../tools/all.ts";
import type { McpCall } from "../server/call.ts";
import { offerAccess } from "../elicitation/accessibility-off.ts";
import { needsAdmin, proceedAsAdmin } from "../elicitation/admin-needed.ts";
import { describeOtherwise } from "../elicitation/element-not-found.ts";
import { askToLogIn, httpLoginIn } from "../elicitation/http-login.ts";
import { askForKey } from "../elicitation/vision-key.ts";
import { toolErrorOf } from "../server/errors.ts";
import { ToolFailure } from "../server/failure.ts";
import type { Around } from "../server/host.ts";
import type { ToolAnswer } from "../server/tool.ts";
import { ProtocolError } from "../server/wire.ts";
import type { Limits } from "./guard-limits.ts";

/** What is needed to stand around calls. */
export interface AroundOptions {
  /** Without a guard: to tell what is blocked from what is not there. */
  readonly raw: Session;
  readonly security: GuardSecurity;
  readonly limits: Limits;
}

/** Failures that a question of a web server for a name and a password may be the reason of. */
const IN_THE_WAY: ReadonlySet<string> = new Set([
  "ElementNotFound",
  "ElementNotActionable",
  "ElementStale",
  "Timeout",
  "ActionFailed",
]);
/** Milliseconds for a look at what is in the way. */
const LOOK = 5_000;

/** Hears what was refused, and asks a person where only a person can help. */
export function helping({ raw, security, limits }: AroundOptions): Around {
  return async (tool, args, call, next) => {
    try {
      const answer = await next(args);
      switch (traitsOf(tool).helps) {
        case "access":
          return await accessible(answer, call);
        case "picture":
          return await seen(args, answer, call, next);
        case "words":
          return await found(args, answer, call, next);
        default:
          return answer;
      }
    } catch (thrown) {
      if (thrown instanceof ProtocolError) throw thrown;
      const failure = await revealed(toolErrorOf(thrown), args, call);
      if (failure.kind === "SecurityBlocked" && failure.data["reason"] !== undefined) {
        limits.penalise(call.session);
        call.log("alert", "axterminator.security", {
          event: "app_blocked",
          tool,
          app: failure.data["app"] ?? "",
          reason: failure.data["reason"] ?? "",
        });
        throw failure;
      }
      const helped = call.signal.aborted ? undefined : await help(tool, args, call, failure, next);
      if (helped) return helped;
      throw failure === thrown ? thrown : failure;
    }
  };

  /** An application that is blocked is out of sight: who names it is told why. */
  async function revealed(failure: ToolFailure, args: ToolArguments, call: McpCall): Promise<ToolFailure> {
    const { app } = args;
    const unseen = failure.kind === "AppNotRunning" || failure.kind === "AppNotFound" ||
      failure.kind === "AppNotConnected";
    if (!unseen || typeof app !== "string") return failure;
    const reason = await hiddenApp(raw, security, app, { timeout: LOOK, signal: call.signal });
    if (reason === undefined) return failure;
    return new ToolFailure("SecurityBlocked", `App '${app.slice(0, 80)}' is blocked by security policy`, {
      suggestion: "Use another application, or ask the person who runs this server to allow it.",
      data: { app: app.slice(0, 80), reason },
      cause: failure,
    });
  }
}

/** Scenario 4. */
async function accessible(answer: ToolAnswer, call: McpCall): Promise<ToolAnswer> {
  const { structured } = answer;
  if (structured?.["enabled"] !== false) return answer;
  const more = await offerAccess(call);
  if (more === undefined) return answer;
  return {
    ...answer,
    structured: { ...structured, suggestion: `${more} (${String(structured["suggestion"])})` },
  };
}

/** What a person's help made of a failure; undefined: it stays one. */
async function help(
  tool: string,
  args: ToolArguments,
  call: McpCall,
  failure: ToolFailure,
  next: (args: ToolArguments) => Promise<ToolAnswer>,
): Promise<ToolAnswer | undefined> {
  if (failure.kind === "VlmUnavailable") return await keyMissing(failure, call);
  if (needsAdmin(failure)) return await asAdmin(tool, failure, call, () => next(args));
  if (IN_THE_WAY.has(failure.kind)) {
    const login = await loginInTheWay(args, call);
    if (login !== undefined) return await loggedIn(login, failure, call);
  }
  if (failure.kind === "ElementNotFound" && traitsOf(tool).searches !== true) {
    return await otherwise(args, failure, call, next);
  }
  return undefined;
}

/** Scenario 7. */
async function keyMissing(failure: ToolFailure, call: McpCall): Promise<undefined> {
  const { backend, url } = failure.data;
  if (typeof backend !== "string" || typeof url !== "string") return undefined;
  const said = await askForKey(backend, url, call);
  if (said !== "accepted") return undefined;
  throw again(
    failure,
    "The person was shown where to get a key. It is read when the server is started: go on without it.",
  );
}

/** Scenario 6. What was refused before anything happened is tried once more; of the rest the person's answer is told. */
async function asAdmin(
  tool: string,
  failure: ToolFailure,
  call: McpCall,
  retry: () => Promise<ToolAnswer>,
): Promise<ToolAnswer | undefined> {
  const said = await proceedAsAdmin(call);
  if (said !== "accepted") return undefined;
  if (traitsOf(tool).repeatable === true) return await retry();
  throw again(
    failure,
    "The person agrees: call it once more, and they will answer the question for the password.",
  );
}

/** Scenario 9. */
async function loggedIn(url: string, failure: ToolFailure, call: McpCall): Promise<undefined> {
  const said = await askToLogIn(url, call);
  const done = said === "accepted"
    ? "The person was asked to log in: look again with ax_get_tree, and go on when the question is gone."
    : "The application asks for a name and a password: a person has to log in. Do not fill them in.";
  throw again(failure, done, { login: url });
}

async function loginInTheWay(
  { app }: ToolArguments,
  { session, signal }: McpCall,
): Promise<string | undefined> {
  if (typeof app !== "string") return undefined;
  const connection = session.connections.find(app);
  if (!connection) return undefined;
  try {
    const snapshot = await session.host.desktop.desktop.snapshot(connection.application, {
      timeout: LOOK,
      signal,
      fields: [],
    });
    return httpLoginIn(snapshot);
  } catch (thrown) {
    // The failure itself says more than that nothing could be seen.
    if (toBackstepError(thrown).code === "internal") throw thrown;
    return undefined;
  }
}

/** Scenario 2. */
async function otherwise(
  args: ToolArguments,
  failure: ToolFailure,
  call: McpCall,
  next: (args: ToolArguments) => Promise<ToolAnswer>,
): Promise<ToolAnswer | undefined> {
  const { query, app } = args;
  if (typeof query !== "string" || /^el-/.test(query)) return undefined;
  const described = await describeOtherwise(query, typeof app === "string" ? app : "the application", call);
  if (!described) return undefined;
  try {
    return await next({ ...args, query: described.description });
  } catch (thrown) {
    if (toolErrorOf(thrown).kind !== "ElementNotFound" || !described.visual) throw thrown;
    throw again(
      failure,
      `The person describes it as '${
        described.description.slice(0, 200)
      }': look for that with ax_find_visual, then ax_click_at.`,
      { description: described.description.slice(0, 200) },
    );
  }
}

/** Scenario 2, where nobody saw it in the picture either: it is looked for once more as the person describes it. */
async function seen(
  args: ToolArguments,
  answer: ToolAnswer,
  call: McpCall,
  next: (args: ToolArguments) => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  if (answer.structured?.["found"] !== false) return answer;
  const described = await describeOtherwise(String(args["description"]), String(args["app"]), call);
  if (!described) return answer;
  const { description, visual } = described;
  if (visual) return await next({ ...args, description });
  const text = `The person describes it as '${description.slice(0, 200)}': look for that with ax_find.`;
  return { ...answer, content: [...answer.content ?? [], { type: "text", text }] };
}

/** Scenario 2, where neither the tree nor the picture has it: it is looked for once more as the person describes it. */
async function found(
  args: ToolArguments,
  answer: ToolAnswer,
  call: McpCall,
  next: (args: ToolArguments) => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  const { found: there, method } = answer.structured ?? {};
  if (there !== false || method !== "visual") return answer;
  const described = await describeOtherwise(String(args["query"]), String(args["app"]), call);
  if (!described) return answer;
  const { description, visual } = described;
  // A strategy looks in the tree alone.
  return await next({ ...args, query: description, ...(visual ? {} : { strategy: "contains" }) });
}

function again(failure: ToolFailure, suggestion: string, data: ToolFailure["data"] = {}): ToolFailure {
  return new ToolFailure(failure.kind, failure.message, {
    suggestion,
    data: { ...failure.data, ...data },
    ...(failure.structured ? { structured: failure.structured } : {}),
    cause: failure,
  });
}
