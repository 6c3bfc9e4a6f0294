/**
 * The command that starts a bundle: `open` asks LaunchServices, which hands further arguments and variables to the program.
 * A bundle that runs already gets a second process only where it is given arguments.
 */
export function openCommand(
  bundle: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): string[] {
  const variables = Object.entries(environment).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  return [
    "/usr/bin/open",
    ...(args.length > 0 ? ["-n"] : []),
    ...variables,
    "-a",
    bundle,
    ...(args.length > 0 ? ["--args", ...args] : []),
  ];
}
