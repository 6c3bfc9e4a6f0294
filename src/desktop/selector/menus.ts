import { type Condition, type Path, type Selector, simple, type Step } from "./ast.ts";

function isType(condition: Condition | undefined, ...types: readonly string[]): boolean {
  return condition?.kind === "type" && types.includes(condition.type);
}

/**
 * AX has a menu between an item and the items it opens. AT-SPI has one element for item and menu in GTK, and two in
 * Qt: each such step is there or it is not.
 */
export function withAndWithoutMenus(steps: readonly Step[]): Path[] {
  let variants: Step[][] = [[]];
  for (const [k, step] of steps.entries()) {
    const optional = step.combinator === "child" && step.conditions.length === 1 &&
      isType(step.conditions[0], "AXMenu") &&
      isType(steps[k - 1]?.conditions[0], "AXMenuBarItem", "AXMenuItem");
    const without = optional && variants.length < 16 ? variants.map(endingInItem) : [];
    variants = [...variants.map((variant) => [...variant, step]), ...without];
  }
  return variants.map((variant) => ({ steps: variant }));
}

const menuBelow: Selector = {
  paths: [{ steps: [{ combinator: "child", conditions: [{ kind: "type", type: "AXMenu" }] }] }],
};

function endingInItem(steps: readonly Step[]): Step[] {
  const item = steps.at(-1);
  if (item === undefined) return [];
  return [...steps.slice(0, -1), {
    ...item,
    conditions: [...item.conditions, { kind: "not", selector: simple({ kind: "has", selector: menuBelow }) }],
  }];
}
