import { z } from "zod";
import { BackstepError, type Json } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { VERSION } from "../base/version.ts";
import type { Chosen, Inspector, Looking } from "./inspector.ts";
import { SCAFFOLDING, STATES } from "./live/rows.ts";
import type { ScreenFeed } from "./live/screen-feed.ts";

const JsonValue: z.ZodType<Json> = z.json();
const Chosen = z.object({ app: z.string(), version: z.number(), row: z.number() });
const App = z.string().max(200);
const Text = z.string().max(4_000);

const At = z.object({ x: z.number(), y: z.number() });
const Matching = z.object({ app: App, selector: Text });
const Acting = z.object({
  operation: z.string().max(100),
  input: z.record(z.string(), JsonValue),
  app: App.optional(),
  chosen: Chosen.optional(),
});
const Possible = z.object({ chosen: Chosen, value: JsonValue });

/** A question of a page: what it takes, and what is told. */
export type Question = (body: unknown) => unknown;

/** A part of the inspector that pages ask, beside what every inspector has. */
export interface Part {
  readonly questions: { readonly [name: string]: Question };
  /** What a page is told when it comes. */
  hello?(): { readonly [event: string]: unknown };
}

/** What the server asks. */
export interface Routes {
  /** Undefined: there is no desktop now. */
  readonly screen: ScreenFeed | undefined;
  notices(viewer: Looking, app: string | undefined): Promise<() => Promise<void>>;
  ask(name: string, body: unknown): Promise<unknown>;
}

/** A question with a schema: what does not fit is the page's fault, and says so. */
export function question<T>(schema: z.ZodType<T>, answer: (input: T) => unknown): Question {
  return (body) => {
    const parsed = schema.safeParse(body);
    if (parsed.success) return answer(parsed.data);
    const [issue] = parsed.error.issues;
    throw new BackstepError(
      "invalid",
      `Cannot read the question: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`,
    );
  };
}

/** What pages can ask of an inspector and of its parts. */
export function routesOf(inspector: Inspector, parts: readonly Part[]): Routes {
  const questions: { readonly [name: string]: Question } = {
    element: question(z.object({ chosen: Chosen }), ({ chosen }) => inspector.element(chosen)),
    possible: question(Possible, ({ chosen, value }) => inspector.possible(chosen, value)),
    match: question(Matching, ({ app, selector }) => inspector.match(app, selector)),
    why: question(Matching, ({ app, selector }) => inspector.why(app, selector)),
    explain: question(Matching, ({ app, selector }) => inspector.explain(app, selector)),
    at: question(At, (place) => inspector.at(place)),
    act: question(
      Acting,
      ({ operation, input, app, chosen }) => inspector.act({ operation, input, ...defined({ app }) }, chosen),
    ),
    undo: () => inspector.undo(),
    ...Object.assign({}, ...parts.map((part) => part.questions)),
  };
  return {
    screen: inspector.screen,
    async notices(viewer, app) {
      const { session } = inspector;
      viewer.tell("hello", {
        version: VERSION,
        label: session.label,
        kind: session.kind,
        states: STATES,
        scaffolding: SCAFFOLDING,
        pictures: session.desktop.capabilities.pictures,
        parts: Object.keys(questions),
      });
      viewer.tell("acts", inspector.acts.done);
      for (const part of parts) {
        for (const [event, data] of Object.entries(part.hello?.() ?? {})) viewer.tell(event, data);
      }
      return await inspector.look(viewer, app);
    },
    async ask(name, body) {
      const asked = Object.hasOwn(questions, name) ? questions[name] : undefined;
      if (asked === undefined) {
        throw new BackstepError("not_found", `There is no question ${name.slice(0, 40)}`);
      }
      return await asked(body);
    },
  };
}
