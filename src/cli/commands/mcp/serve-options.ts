import { closest } from "../../../base/closest.ts";
import { type Toolset, TOOLSETS } from "../../../tools/tool.ts";
import { usage } from "../../arguments.ts";

const COMMAND = { name: "mcp serve" };

/** The groups of tools that `--toolsets` names; undefined: it is not given. */
export function toolsetsOf(list: string | undefined): readonly Toolset[] | undefined {
  if (list === undefined) return undefined;
  const words = list.split(",").map((word) => word.trim()).filter((word) => word !== "");
  if (words.length === 0) {
    throw usage(COMMAND, "--toolsets names no group", `They are ${TOOLSETS.join(", ")}.`);
  }
  return words.map((word) => {
    const toolset = TOOLSETS.find((one) => one === word);
    if (toolset !== undefined) return toolset;
    const [near] = closest(word, TOOLSETS);
    throw usage(
      COMMAND,
      `there is no group of tools "${word}"`,
      near === undefined ? `They are ${TOOLSETS.join(", ")}.` : `Did you mean ${near}?`,
    );
  });
}
