/**
 * Files that import each other in a circle, each circle in the order of its imports: groups of files that all reach each
 * other, one circle of each. Imports of types count too.
 */
export function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  return groupsOf(imports).map((group) => circleIn(new Set(group), imports));
}

/** Groups of two or more files that all reach each other, by Tarjan's algorithm. */
function groupsOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const groups: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string): number => {
    const own = order.size;
    let low = own;
    order.set(file, own);
    open.push(file);
    for (const to of imports.get(file) ?? []) {
      if (!imports.has(to)) continue;
      if (!order.has(to)) low = Math.min(low, visit(to));
      else if (open.includes(to)) low = Math.min(low, lowest.get(to) ?? order.get(to) ?? low);
    }
    lowest.set(file, low);
    if (low !== own) return low;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1 || imports.get(file)?.includes(file)) groups.push(group);
    return low;
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return groups;
}

/** The shortest way from the first file of a group back to it. */
function circleIn(group: ReadonlySet<string>, imports: ReadonlyMap<string, readonly string[]>): string[] {
  const [first = ""] = [...group].sort();
  const from = new Map<string, string>();
  for (const queue = [first]; queue.length > 0;) {
    const file = queue.shift() ?? "";
    for (const to of imports.get(file) ?? []) {
      if (to === first) {
        const circle = [file];
        for (let back = from.get(file); back !== undefined; back = from.get(back)) circle.unshift(back);
        return circle;
      }
      if (!group.has(to) || from.has(to)) continue;
      from.set(to, file);
      queue.push(to);
    }
  }
  return [first];
}
