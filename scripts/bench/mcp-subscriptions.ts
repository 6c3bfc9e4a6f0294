import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Deadline, pause } from "../../src/base/call.ts";
import { missingFor, type Toolkit } from "../../src/mcp/resources/_stage.ts";
import { Client, StdioClientTransport } from "../../src/mcp/sdk/_client.ts";
import { ROOT, serverCommand } from "../../tests/mcp/_stdio.ts";
import { CallToolResultSchema, ResourceUpdatedNotificationSchema } from "../../src/mcp/sdk/sdk.ts";

/** Dialogs and titles of each toolkit, and between two of them milliseconds for the window to come to rest. */
const SAMPLES = 10;
const REST = 700;
/** Milliseconds in which nothing changes and nothing may be told. */
const QUIET = 10_000;
/** Milliseconds that are promised: a dialog to who follows the events, a title to who follows the state. */
export const PROMISED_SUBSCRIPTIONS = { dialog: 150, title: 300 };

const WINDOW = join(ROOT, "tests/fixtures/live/window.py");

/** What was measured, with every time in milliseconds. */
export interface Waited {
  readonly what: string;
  readonly times: readonly number[];
  readonly note: string;
}

const ALL: readonly Toolkit[] = ["gtk3", "gtk4", "qt5", "qt6"];

/** What a client over stdio waits for that subscribed, and what is wrong with it; toolkits that are not there are left out. */
export async function subscriptions(toolkits = ALL): Promise<{ waited: Waited[]; failed: string[] }> {
  const waited: Waited[] = [], failed: string[] = [];
  for (const toolkit of toolkits) {
    if (missingFor(toolkit) !== undefined) continue;
    const { dialog, title, quiet, busy } = await ofToolkit(toolkit);
    waited.push(
      { what: `${toolkit}: dialog to events`, times: dialog, note: "from showing it to the client" },
      { what: `${toolkit}: title to state`, times: title, note: "from setting it to the client" },
      {
        what: `${toolkit}: ${QUIET / 1_000} quiet s`,
        times: [busy],
        note: `${quiet} notices; milliseconds of the server's processor`,
      },
    );
    const late = (what: string, times: readonly number[], most: number) => {
      const worst = Math.max(...times);
      if (worst > most) failed.push(`${toolkit}: ${what} within ${most} ms: ${worst.toFixed(0)}`);
    };
    late("dialog", dialog, PROMISED_SUBSCRIPTIONS.dialog);
    late("title", title, PROMISED_SUBSCRIPTIONS.title);
    if (quiet > 0) failed.push(`${toolkit}: ${quiet} notices although nothing changed`);
  }
  return { waited, failed };
}

async function ofToolkit(toolkit: Toolkit) {
  const folder = mkdtempSync(join(tmpdir(), "bs-bench-"));
  const commands = join(folder, "commands"), done = join(folder, "done");
  spawnSync("mkfifo", [commands]);
  const transport = new StdioClientTransport({
    ...serverCommand(join(folder, "state"), "--session", "isolated"),
    stderr: "inherit",
  });
  const client = new Client({ name: "bench", version: "1" });
  const reported: { readonly view: string; readonly at: number }[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    reported.push({ view: params.uri.split("/").at(-1) ?? "", at: Date.now() });
  });
  await client.connect(transport);
  try {
    const call = async (name: string, args: { readonly [name: string]: unknown }) => {
      const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: { ...args } }));
      if (result.isError) throw new Error(JSON.stringify(result.content));
      return result.structuredContent ?? {};
    };
    const program = join(folder, `live-${toolkit}`);
    writeFileSync(program, `#!/bin/sh\nexec /usr/bin/python3 -B '${WINDOW}' ${toolkit} '${folder}'\n`);
    chmodSync(program, 0o755);
    await call("launch_application", { bundleId: program });
    await call("ax_connect", { app: `live-${toolkit}`, alias: "live" });
    for (const view of ["events", "state", "tree"]) {
      await client.subscribeResource({ uri: `axterminator://app/live/${view}` });
    }
    await pause(3_000);
    const before = reported.length, used = ticksOf(transport.pid);
    await pause(QUIET);
    const quiet = reported.length - before, busy = ticksOf(transport.pid) - used;
    let lines = 0;
    const waits = async (command: string, view: string): Promise<number> => {
      const seen = reported.length;
      appendFileSync(commands, `${command}\n`);
      const deadline = Deadline.after(10_000);
      for (;;) {
        const line = existsSync(done)
          ? readFileSync(done, "utf8").split("\n").slice(0, -1)[lines]
          : undefined;
        const news = reported.slice(seen).find((one) => one.view === view);
        if (line !== undefined && news !== undefined) {
          lines++;
          await pause(REST);
          return Math.max(0, news.at - Number(line.split(" ").at(-1)));
        }
        if (deadline.passed) throw new Error(`${toolkit}: nothing was told of ${command}`);
        await pause(5);
      }
    };
    const dialog: number[] = [], title: number[] = [];
    for (let k = 0; k < SAMPLES; k++) {
      title.push(await waits(`title Number ${k}`, "state"));
      dialog.push(await waits(`dialog Question ${k}`, "events"));
      await waits("answer", "events");
    }
    return { dialog, title, quiet, busy };
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds of processor time that a process has used; the kernel counts hundredths of a second. */
function ticksOf(pid: number | null): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

if (import.meta.main) {
  const named = ALL.filter((one) => process.argv.includes(one));
  const { waited, failed } = await subscriptions(named.length > 0 ? named : ALL);
  for (const { what, times, note } of waited) {
    const sorted = [...times].sort((a, b) => a - b);
    const [p50, most] = [sorted[Math.floor(sorted.length / 2)] ?? NaN, sorted.at(-1) ?? NaN];
    process.stdout.write(
      `${what}: p50 ${p50.toFixed(0)} ms, most ${most.toFixed(0)} ms, ${times.length} times (${note})\n`,
    );
  }
  for (const one of failed) process.stdout.write(`! ${one}\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
