import { randomBytes } from "node:crypto";

/** A new run's id: when it began, and six hexadecimal digits: "20261120-233000-c3f9a1". */
export function newRunId(now = new Date()): string {
  const stamp = now.toISOString().replaceAll(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return `${stamp}-${randomBytes(3).toString("hex")}`;
}
