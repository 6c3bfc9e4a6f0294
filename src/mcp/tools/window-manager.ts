import { TOOLS } from "../../tools/all.ts";
import { managedContent } from "./managed-content.ts";
import type { Tool } from "../server/tool.ts";
import { act, served } from "./serve.ts";

/** Tools of the window manager: what they left is in their results as the resource that it is. */
export const managedTools: readonly Tool[] = TOOLS.filter(({ traits }) => traits.needs === "window-manager")
  .map((view) =>
    served(view, async (args, call) => {
      const answer = await act(view, args, call);
      return { ...answer, content: managedContent(answer.structured ?? {}) };
    })
  );
