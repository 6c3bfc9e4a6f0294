import { z } from "zod";
import { READS } from "../contract/effect.ts";
import { defineOperation } from "../contract/operation.ts";
import { windowOwnerFor } from "./application.ts";
import { brief } from "./element-info.ts";
import { ownWindows } from "./own-windows.ts";

const output = z.strictObject({
  app: z.string(),
  windows: z.array(z.strictObject({
    index: z.int().describe("As `screenshot` takes it: 0 is the one in front."),
    title: z.string(),
    position: z.tuple([z.int(), z.int()]).describe("[x, y] in screen pixels."),
    size: z.tuple([z.int(), z.int()]).describe("[width, height]."),
    focused: z.boolean().describe("It has the keyboard."),
    minimized: z.boolean(),
  })),
});

/** The windows of an application. */
export const listWindows = defineOperation({
  name: "list-windows",
  title: "List the windows of an application",
  description:
    "Lists the windows of an application with title and place: the active one first, minimised ones last.",
  input: z.strictObject({ app: z.string().min(1).optional().describe("The application.") }),
  output,
  hints: READS,
  views: {
    yaml: { verb: "windows", scalar: (app) => ({ app: String(app) }) },
    cli: {
      command: "windows",
      positionals: [],
      options: [],
      examples: ["backstep windows --app gedit"],
      toJson: ({ windows }) => windows,
      toText: ({ app, windows }) => {
        if (windows.length === 0) return `${app} has no window`;
        return windows.map(({ index, title, position, size, focused, minimized }) => {
          const marks = [focused ? " [focused]" : "", minimized ? " [minimized]" : ""].join("");
          return `${index}\t${JSON.stringify(title)}\t${size.join("x")} at ${position.join(",")}${marks}`;
        }).join("\n");
      },
    },
  },
  resolve: (context, input) => windowOwnerFor(context, input.app),
  effect: () => "read",
  subject: (_input, application) => application.name,
  async act(context, _input, application) {
    const windows = await ownWindows(context, application);
    return {
      app: application.name,
      windows: windows.map(({ title, rect, active, minimised }, index) => ({
        index,
        title: brief(title),
        position: [rect.x, rect.y] satisfies [number, number],
        size: [rect.width, rect.height] satisfies [number, number],
        focused: active,
        minimized: minimised,
      })),
    };
  },
});
