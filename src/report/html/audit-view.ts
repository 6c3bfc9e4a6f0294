import type { Json } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";
import type { StepLook, StepResult } from "../../contract/events.ts";
import type { AuditView } from "./model.ts";

/** Findings that are shown. */
const MOST = 500;

/** An audit among the steps: what it found, and where that lies on the screen. */
export function auditOf(step: StepResult, look: StepLook | undefined): AuditView | undefined {
  if (step.operation !== "audit") return undefined;
  const told = isMap(step.output) ? step.output : step.error?.details;
  if (!told || !isList(told["issues"])) return undefined;
  const corner = look?.corner ?? { x: 0, y: 0 };
  const sure = told["issues"].flatMap((one) => findingOf(one, false, corner));
  const incomplete = isList(told["incomplete"])
    ? told["incomplete"].flatMap((one) => findingOf(one, true, corner))
    : [];
  const summary = typeof told["summary"] === "string" ? told["summary"] : "";
  return {
    summary: summary.includes("score") || typeof told["score"] !== "number"
      ? summary
      : `Score ${told["score"]}. ${summary}`,
    findings: [...sure, ...incomplete].slice(0, MOST),
  };
}

function findingOf(
  one: Json,
  incomplete: boolean,
  corner: { readonly x: number; readonly y: number },
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
      : { rect: { x: x - corner.x, y: y - corner.y, width, height } }),
  }];
}

function pair(value: Json | undefined): readonly (number | undefined)[] {
  return isList(value) ? value.map((one) => typeof one === "number" ? one : undefined) : [];
}
