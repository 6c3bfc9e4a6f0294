import { toBackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { table } from "../report/layout.ts";
import { harmless, type Style } from "../report/style.ts";

/** One thing that was looked at. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  /** Without it what the doctor was asked about does not work. */
  readonly needed: boolean;
  readonly says: string;
  readonly fix?: string;
}

/** Findings as lines; what one says may be several, such as the last words of a program. */
export function findingLines(findings: readonly Finding[], style: Style): string[] {
  return table(findings.flatMap((finding) => {
    const mark = finding.ok ? style.good("✓") : finding.needed ? style.bad("✗") : style.warn("–");
    const [says = "", ...more] = harmless(finding.says).split("\n");
    return [
      [`${mark} ${finding.name}`, says],
      ...more.map((line) => ["", line]),
      ...(finding.fix === undefined ? [] : [["", style.accent(harmless(finding.fix))]]),
    ];
  }));
}

/** Runs one look; what it throws is what is wrong. */
export async function attempt(
  name: string,
  needed: boolean,
  look: () => string | Promise<string>,
): Promise<Finding> {
  try {
    return { name, ok: true, needed, says: await look() };
  } catch (thrown) {
    return failed(name, needed, thrown);
  }
}

/** What was thrown as a finding; who gave up is not answered. */
export function failed(name: string, needed: boolean, thrown: unknown): Finding {
  const error = toBackstepError(thrown);
  if (error.code === "cancelled") throw error;
  const { message, hint } = error;
  return { name, ok: false, needed, says: message, ...defined({ fix: hint }) };
}
