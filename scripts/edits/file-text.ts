import type { Json } from "../../src/base/error.ts";
import type { Form } from "./form.ts";
import type { FormStep } from "./steps.ts";

/** The file as it is written: a step a line, and a comment that changes nothing. */
export function fileText(form: Form, steps: readonly FormStep[], comment = 0): string {
  const lines = steps.map(({ step }) => `  - ${form.words(step)}`);
  const head = { name: "form", app: form.app, on_failure: "stop", timeout: "60s", before: [form.launch] };
  const fields = Object.entries(head).map(([key, value]: [string, Json]) =>
    `${key}: ${JSON.stringify(value)}`
  );
  return [`# edit ${comment}`, ...fields, "steps:", ...lines, ""].join("\n");
}

/** In what two accounts of the form differ. */
export function differences(a: Readonly<Record<string, Json>>, b: Readonly<Record<string, Json>>): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]))
    .map((key) => `${key} is ${JSON.stringify(a[key])}, and should be ${JSON.stringify(b[key])}`);
}
