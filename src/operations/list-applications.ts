import { z } from "zod";
import { READS } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";

const output = z.strictObject({
  apps: z.array(z.strictObject({
    id: z.string().describe("Id of its desktop entry, or its program."),
    name: z.string(),
    pid: z.int(),
    hidden: z.boolean().describe("All its windows are minimised."),
    accessible: z.boolean().describe("It answers to the accessibility layer."),
    toolkit: z.string().optional(),
  })),
});

/** The running applications. */
export const listApplications = defineOperation({
  name: "list-applications",
  title: "List the running applications that can be driven",
  description: "Lists the running applications that have a user interface.",
  input: z.strictObject({}),
  output,
  hints: READS,
  views: {
    yaml: { verb: "apps" },
    cli: {
      command: "apps",
      positionals: [],
      options: [],
      examples: ["backstep apps", "backstep apps --format json | jq '.[] | select(.accessible)'"],
      toJson: ({ apps }) => apps,
      toText: ({ apps }) => {
        if (apps.length === 0) return "no application is running";
        return apps.map(({ name, id, pid, toolkit = "" }) => `${name}\t${id}\t${pid}\t${toolkit}`.trimEnd())
          .join("\n");
      },
    },
  },
  resolve: () => Promise.resolve(undefined),
  effect: () => "read",
  async act({ session, desktop, deadline }) {
    const running = await session.launcher.list(deadline.call());
    const accessible = await desktop.applications(deadline.call());
    const listed = running.map(({ bundleId, name, processId, isHidden }) => {
      const application = accessible.find((a) => a.pid === processId);
      const toolkit = application === undefined
        ? ""
        : [application.toolkit, application.toolkitVersion].filter((s) => s !== "").join(" ");
      return {
        id: bundleId,
        name,
        pid: processId,
        hidden: isHidden,
        accessible: application !== undefined,
        ...(toolkit === "" ? {} : { toolkit }),
      };
    });
    return { apps: listed };
  },
});
