import { defined } from "../../base/defined.ts";
import { MOVES, WINDOW_ACTED, WINDOW_ID } from "../managed-parts.ts";
import { managed } from "../results.ts";
import { defineTool } from "../tool.ts";

const SIDE = { type: "integer", minimum: -32_768, maximum: 32_767 } as const;
const LENGTH = { type: "integer", minimum: 1, maximum: 32_767 } as const;

/** Moves and resizes a window. */
export const wmMoveWindow = defineTool({
  name: "wm_move_window",
  title: "Move and resize a window",
  description:
    "Puts the content of a window at a place of the screen, in logical pixels, and gives it a size. A tiled " +
    "window floats then. What is left out stays.",
  inputSchema: {
    type: "object",
    properties: {
      window_id: WINDOW_ID,
      x: { ...SIDE, description: "Its left edge" },
      y: { ...SIDE, description: "Its upper edge" },
      width: LENGTH,
      height: LENGTH,
    },
    required: ["window_id"],
  },
  outputSchema: WINDOW_ACTED,
  annotations: MOVES,
  toolset: "wm",
  traits: { needs: "window-manager" },
  step: {
    kind: "operation",
    operation: "window",
    toInput: ({ window_id: id, x, y, width, height }) => ({
      do: "place",
      ...defined({ id, x, y, width, height }),
    }),
    toResult: managed("move_window"),
  },
});
