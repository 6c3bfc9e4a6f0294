import { basename } from "node:path";
import type { Branch, Fork } from "../../engine/interactive/fork.ts";
import type { InteractiveRun } from "../../engine/interactive/interactive-run.ts";
import { oneLine } from "../../report/style.ts";
import type { Session } from "../../session/session.ts";
import type { Io } from "../io.ts";
import type { LoadedFile } from "../workflow-file.ts";
import { fileOf } from "./file-of.ts";

/** Goes on from before a step on private desktops, one for each file, and shows what became of each. */
export async function forkInto(
  run: InteractiveRun,
  at: string,
  branches: readonly { readonly name: string; readonly loaded: LoadedFile }[],
  open: () => Promise<Session>,
  io: Io,
): Promise<void> {
  const asked = branches.map(({ name, loaded }): Branch => ({
    name: basename(name),
    file: fileOf(loaded),
    open,
  }));
  const forks = await run.fork(at, asked);
  try {
    const shown = forks.map((fork) => ({
      name: fork.name,
      status: fork.stop?.why === "end" ? "passed" : "failed",
      steps: fork.interactive?.steps.length ?? 0,
      ...(fork.error ? { error: fork.error.toJSON() } : {}),
      drift: fork.drift,
    }));
    io.json({ event: "forked", path: at, forks: shown });
    const width = Math.max(...shown.map(({ name }) => name.length));
    for (const { name, status, steps, error } of shown) {
      const mark = status === "passed" ? io.style.good("✓") : io.style.bad("✗");
      const why = error ? `: ${oneLine(error.message)}` : "";
      io.text(`  ${mark} ${oneLine(name).padEnd(width)}  ${status}, ${steps} steps reached${why}\n`);
    }
  } finally {
    for (const fork of forks) await closed(fork);
  }
}

async function closed({ interactive, session }: Fork<InteractiveRun>): Promise<void> {
  try {
    await interactive?.end();
  } finally {
    await session?.close();
  }
}
