import type { Json } from "../../base/error.ts";
import { isList, isMap } from "../../base/json.ts";
import type { RecordedStep, Recording } from "./model.ts";

/** The same with `{{secrets.NAME}}` wherever a secret's value stands: an application may show what was typed into it. */
export function secretsAsNames(recording: Recording, secrets: ReadonlyMap<string, string>): Recording {
  const longest = [...secrets].filter(([, value]) => value !== "")
    .sort(([, a], [, b]) => b.length - a.length);
  const text = (one: string) =>
    longest.reduce((all, [name, value]) => all.replaceAll(value, `{{secrets.${name}}}`), one);
  const json = (value: Json): Json => {
    if (typeof value === "string") return text(value);
    if (isList(value)) return value.map(json);
    if (!isMap(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, json(one)]));
  };
  const hidden = (step: RecordedStep): RecordedStep => {
    const { comment, name } = "name" in step ? step : { ...step, name: undefined };
    const words = {
      ...(comment === undefined ? {} : { comment: text(comment) }),
      ...(name === undefined ? {} : { name: text(name) }),
    };
    if (step.kind === "transaction") return { ...step, ...words, steps: step.steps.map(hidden) };
    if (step.kind !== "action") return step;
    const input = Object.fromEntries(Object.entries(step.input).map(([key, one]) => [key, json(one)]));
    const alternatives = step.alternatives && { alternatives: step.alternatives.map(text) };
    return { ...step, ...words, ...alternatives, input };
  };
  return { ...recording, steps: recording.steps.map(hidden) };
}
