import type { Step } from "../engine/model/step.ts";
import type { Names } from "./names.ts";
import type { Node } from "./node.ts";

/** Reads a list of steps that stands inside another step, one level deeper. */
export type Inside = (node: Node, what: string, names: Names) => Step[];
