import type { Json } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";
import { inPixels } from "../../desktop/rect.ts";
import type { StepLook, StepResult } from "../../contract/events.ts";
import type { AuditView } from "./model.ts";

/** Findings that are shown. */
const MOST = 500;

/** An audit among the steps: what it found, and where that lies on the screen. */
export function auditOf(step: StepResult, look: StepLook | undefined): AuditView | undefined {
  const reported = isMap(step.output) ? step.output : step.error?.details;
  // Its score tells an audit's issues from those of an input that cannot be read.
  if (!reported || !isList(reported["issues"]) || typeof reported["score"] !== "number") return undefined;
  const sure = reported["issues"].flatMap((one) => findingOf(one, false, look));
  const incomplete = isList(reported["incomplete"])
    ? reported["incomplete"].flatMap((one) => findingOf(one, true, look))
    : [];
  const summary = typeof reported["summary"] === "string" ? reported["summary"] : "";
  return {
    summary: summary.includes("score") ? summary : `Score ${reported["score"]}. ${summary}`,
    findings: [...sure, ...incomplete].slice(0, MOST),
  };
}

function findingOf(
  one: Json,
  incomplete: boolean,
  { corner = { x: 0, y: 0 }, scale }: Pick<StepLook, "corner" | "scale"> = {},
): AuditView["findings"][number][] {
  if (!isMap(one)) return [];
  const text = (key: string) => typeof one[key] === "string" ? one[key] : "";
  const [x, y] = pair(one["position"]);
  const [width, height] = pair(one["size"]);
  return [{
    rule: text("rule"),
    impact: incomplete ? "not known" : text("severity"),
    criterion: text("wcag") === "" ? "best practice" : `WCAG ${text("wcag")}`,
    text: text("description"),
    element: text("element"),
    suggestion: text("suggestion"),
    ...(x === undefined || y === undefined || width === undefined || height === undefined
      ? {}
      : { rect: inPixels({ x, y, width, height }, corner, scale) }),
  }];
}

function pair(value: Json | undefined): readonly (number | undefined)[] {
  return isList(value) ? value.map((one) => typeof one === "number" ? one : undefined) : [];
}
