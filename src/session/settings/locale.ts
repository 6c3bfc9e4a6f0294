import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Deadline } from "../../base/call.ts";
import { closest } from "../../base/closest.ts";
import { BackstepError } from "../../base/error.ts";
import { findProgram } from "../programs.ts";

/**
 * The environment of a locale. One that this machine does not have is compiled into the desktop's own folder, where the
 * system's sources of locales are. Rejects with `missing`: a program would silently take the locale "C" instead.
 */
export async function localeEnvironment(
  locale: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
  deadline: Deadline,
): Promise<Record<string, string>> {
  const installed = (await run("locale", ["-a"], environment, deadline)).split("\n").filter((one) =>
    one !== ""
  );
  if (["C", "POSIX"].includes(locale) || installed.some((one) => normal(one) === normal(locale))) {
    return { LANG: locale };
  }
  const why = await compile(locale, folder, environment, deadline);
  // With LOCPATH the system's own locales are not looked at.
  if (why === undefined) return { LANG: locale, LOCPATH: folder };
  const near = closest(locale, installed);
  throw new BackstepError("missing", `Cannot start a private desktop: there is no locale ${locale}: ${why}`, {
    hint: near.length > 0
      ? `Did you mean ${near.join(" or ")}? This machine has ${installed.slice(0, 12).join(", ")}.`
      : "The Debian package locales brings the sources that locales are made from: apt-get install locales",
    details: { installed: installed.slice(0, 50), package: "locales" },
  });
}

/** Makes the locale; why that is not possible. */
async function compile(
  locale: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
  deadline: Deadline,
): Promise<string | undefined> {
  const [, name = "", charset = "UTF-8", modifier = ""] = /^([^.@]+)(?:\.([^@]+))?(@.+)?$/.exec(locale) ?? [];
  if (findProgram("localedef", environment["PATH"] ?? "") === undefined) {
    return "it is not installed, and neither is localedef";
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const args = ["--no-archive", "-i", `${name}${modifier}`, "-f", charset, join(folder, locale)];
  try {
    await run("localedef", args, environment, deadline);
    return undefined;
  } catch (error) {
    const said = error instanceof Error
      ? error.message.split("\n").find((line) => line.includes("annot"))
      : "";
    return `it is not installed, and localedef cannot make it${said ? ` (${said.trim()})` : ""}`;
  }
}

/** "de_DE.UTF-8" is listed as "de_DE.utf8". */
function normal(locale: string): string {
  return locale.toLowerCase().replace(/\.([^@]+)/, (_, charset: string) => `.${charset.replaceAll("-", "")}`);
}

function run(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  deadline: Deadline,
): Promise<string> {
  const options = {
    env: environment,
    timeout: Math.ceil(Math.max(1, deadline.remaining())),
    signal: deadline.signal,
  };
  return new Promise((resolve, reject) => {
    execFile(program, [...args], options, (error, output) => error ? reject(error) : resolve(output));
  });
}
