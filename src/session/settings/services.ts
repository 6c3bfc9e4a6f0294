import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closest } from "../../base/closest.ts";
import { BackstepError } from "../../base/error.ts";

/** A service that a bus can start. */
export interface BusService {
  /** Its name on the bus. */
  readonly name: string;
  /** The command line that runs it. */
  readonly exec: string;
}

/** Programs that say in a service's file that only systemd starts it. */
const NOBODY = /^\/(usr\/)?bin\/(false|true)$/;

/**
 * The services that are meant, each by its name on the bus or all with one beginning: "org.gnome.evolution.dataserver.*".
 * Throws `missing` for what no installed package brings.
 */
export function servicesNamed(
  wanted: readonly string[],
  environment: Readonly<Record<string, string>>,
): readonly BusService[] {
  const installed = installedServices(environment);
  const found = wanted.flatMap((pattern) => {
    const begins = pattern.endsWith(".*") ? pattern.slice(0, -1) : undefined;
    const meant = installed.filter(({ name }) =>
      begins === undefined ? name === pattern : name.startsWith(begins)
    );
    if (meant.length > 0) return meant;
    const near = closest(pattern, installed.map(({ name }) => name));
    throw new BackstepError(
      "missing",
      `Cannot start a private desktop: no service ${pattern} is installed`,
      {
        hint: near.length > 0
          ? `Did you mean ${near.join(" or ")}?`
          : "Its file is in /usr/share/dbus-1/services; the package of the service brings it.",
        details: { services: installed.map(({ name }) => name).slice(0, 100) },
      },
    );
  });
  return [...new Map(found.map((one) => [one.name, one])).values()];
}

/** Writes the files of services into a new folder, for the configuration of a bus. */
export function writeServices(services: readonly BusService[], folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { name, exec } of services) {
    writeFileSync(join(folder, `${name}.service`), `[D-BUS Service]\nName=${name}\nExec=${exec}\n`, {
      mode: 0o600,
    });
  }
}

/** What can be started, the folders in front first. */
function installedServices(environment: Readonly<Record<string, string>>): BusService[] {
  const folders = (environment["XDG_DATA_DIRS"] ?? "").split(":").filter((folder) => folder.startsWith("/"));
  const found = new Map<string, BusService>();
  for (const folder of folders.map((one) => join(one, "dbus-1/services"))) {
    for (const file of filesIn(folder)) {
      const service = parse(readFileSync(join(folder, file), "utf8"));
      if (service !== undefined && !found.has(service.name)) found.set(service.name, service);
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".service"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** The format of the D-Bus Specification, "Message Bus Starting Services". */
function parse(text: string): BusService | undefined {
  const value = (key: string) => new RegExp(`^${key}\\s*=\\s*(.+?)\\s*$`, "m").exec(text)?.[1];
  const [name, exec] = [value("Name"), value("Exec")];
  return name === undefined || exec === undefined || NOBODY.test(exec) ? undefined : { name, exec };
}
