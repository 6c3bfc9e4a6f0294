import type { Reading } from "./reading.ts";

/** What a client wants completed. */
export interface WmCompletion {
  readonly template: string;
  readonly variable: string;
  /** What has been typed of it. */
  readonly value: string;
  /** The variables that are filled in already. */
  readonly filled: { readonly [name: string]: string };
}

/** Names of outputs; ids of workspaces, windows and layers, below what is filled in already. */
export async function completed(asked: WmCompletion, reading: Reading): Promise<readonly string[]> {
  const typed = asked.value.toLowerCase();
  return (await valuesOf(asked, reading)).filter((one) => one.toLowerCase().startsWith(typed));
}

async function valuesOf(
  { template, variable, filled }: WmCompletion,
  reading: Reading,
): Promise<readonly string[]> {
  if (variable === "name") return (await reading.outputs()).map(({ name }) => name);
  if (template.startsWith("niri://layers/")) return (await reading.layers(template)).map(({ id }) => id);
  const ofWindow = template.endsWith("/windows/{id}") || template === "niri://windows/{id}";
  if (variable === "id" && ofWindow) {
    const windows = await reading.windows();
    if (template === "niri://windows/{id}") return windows.map(({ id }) => String(id));
    const workspaces = filled["workspace_id"] === undefined
      ? await workspacesOn(filled["name"], reading)
      : [filled["workspace_id"]];
    return windows.filter(({ workspace_id }) => workspaces.includes(String(workspace_id))).map(({ id }) =>
      String(id)
    );
  }
  return await workspacesOn(filled["name"], reading);
}

async function workspacesOn(output: string | undefined, reading: Reading): Promise<readonly string[]> {
  const all = await reading.workspaces();
  return all.filter((one) => output === undefined || one.output === output).map(({ id }) => String(id));
}
