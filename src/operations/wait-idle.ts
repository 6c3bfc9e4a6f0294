import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { defineOperation } from "../contract/operation.ts";
import { READS } from "../contract/effect.ts";
import { applicationFor } from "./application.ts";
import { Duration, milliseconds } from "./duration.ts";

/** Waits until an application does nothing for a while. */
export const waitIdle = defineOperation({
  name: "wait-idle",
  title: "Wait until an application is quiet",
  description:
    "Waits until an application has sent no event for a while. Errors: `timeout` when it never becomes quiet.",
  input: z.strictObject({
    app: z.string().min(1).optional().describe("The application."),
    quiet: Duration.optional().describe("How long the application must be quiet; default 200 ms."),
    timeout_ms: Duration.optional().describe("How long to wait for this; default 5 s."),
  }),
  output: z.strictObject({
    idle: z.boolean(),
    waited_ms: z.int(),
    events: z.int().describe("How many events came meanwhile."),
  }),
  hints: READS,
  traits: { waits: true },
  timeout: 120_000,
  views: {
    yaml: { verb: "wait_idle", scalar: (value) => ({ quiet: value }) },
    cli: {
      command: "wait-idle",
      positionals: [],
      options: [
        {
          property: "quiet",
          kind: "time",
          description: "How long the application must be quiet; default 200ms",
        },
        {
          property: "timeout_ms",
          name: "timeout",
          kind: "time",
          description: "How long to wait for this; default 5s",
        },
      ],
      examples: ["backstep wait-idle --app gedit --quiet 500ms"],
      toText: ({ waited_ms }) => `idle after ${waited_ms} ms`,
    },
  },
  resolve: (context, input) => applicationFor(context, input.app),
  effect: () => "read",
  subject: (_input, application) => application.name,
  async act({ desktop, deadline }, input, application) {
    const quiet = milliseconds(input.quiet ?? 200);
    const limit = deadline.within(milliseconds(input.timeout_ms ?? 5_000));
    const started = performance.now();
    const watch = desktop.watch(application);
    let events = 0;
    try {
      while (limit.remaining() >= quiet) {
        if (await watch.next(limit.within(quiet).call()) === "timeout") {
          return { idle: true, waited_ms: Math.round(performance.now() - started), events };
        }
        events += Math.max(1, watch.take().length);
      }
    } finally {
      watch.close();
    }
    throw new BackstepError(
      "timeout",
      `Cannot wait for ${application.name} to rest: it never did for ${quiet} ms`,
      {
        hint:
          "Something may move by itself, a clock or a spinner: wait for what you need with `wait` or `assert`.",
        details: { outcome: "not_sent", events },
      },
    );
  },
});
