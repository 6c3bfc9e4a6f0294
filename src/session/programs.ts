import { accessSync, constants, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { BackstepError } from "../base/error.ts";

/** The programs a private desktop is made of, with the Debian package each comes from. */
const PARTS = {
  xvfb: { names: ["Xvfb"], package: "xvfb" },
  bus: { names: ["dbus-daemon"], package: "dbus" },
  accessibility: {
    names: [
      "/usr/libexec/at-spi-bus-launcher",
      "/usr/lib/at-spi2-core/at-spi-bus-launcher",
      "/usr/libexec/at-spi2/at-spi-bus-launcher",
      "/usr/lib/at-spi-bus-launcher",
    ],
    package: "at-spi2-core",
  },
  openbox: { names: ["openbox"], package: "openbox" },
  sway: { names: ["sway"], package: "sway" },
} as const;

/** A part of a private desktop. */
export type PartName = keyof typeof PARTS;

/** The file of an executable, found on a PATH as a shell would; undefined when there is none. */
export function findProgram(name: string, path: string): string | undefined {
  const candidates = isAbsolute(name)
    ? [name]
    : name.includes("/")
    ? []
    : path.split(delimiter).map((folder) => {
      return join(folder || ".", name);
    });
  return candidates.find(isExecutable);
}

/** The program of a part. Throws `missing`, naming the package that brings it. */
export function programOf(part: PartName, path: string): string {
  const { names, package: debian } = PARTS[part];
  for (const name of names) {
    const found = findProgram(name, path);
    if (found !== undefined) return found;
  }
  const name = names[0];
  throw new BackstepError("missing", `Cannot start a private desktop: ${basename(name)} is not installed`, {
    hint: `Install it: apt-get install ${debian}`,
    details: { program: name, package: debian },
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // no such file, or not ours to run: not a candidate
  }
}
