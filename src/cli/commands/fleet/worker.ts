import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { findFleetKey, KEY_VARIABLE } from "../../../fleet/evidence/fleet-key.ts";
import { findFleetPlace, URL_VARIABLE } from "../../../fleet/find-place.ts";
import { readLabels } from "../../../fleet/queue/names.ts";
import { findLabels } from "../../../fleet/worker/labels.ts";
import { runFleetWorker } from "../../../fleet/worker/worker.ts";
import { oneLine } from "../../../report/style.ts";
import { stateFolder } from "../../../session/lease.ts";
import { loadEnvFile } from "../../../testing/env-file.ts";
import { usage } from "../../arguments.ts";
import type { Arguments, Command } from "../../command.ts";
import type { Io } from "../../io.ts";
import { interrupts } from "../../signals.ts";
import { whole } from "../test/values.ts";
import process from "node:process";

/** `backstep fleet worker`. */
export async function work(command: Command, args: Arguments, io: Io): Promise<number> {
  const envFile = args.string("env-file");
  if (envFile !== undefined) loadEnvFile(resolve(envFile));
  const name = args.string("name") ?? "worker";
  if (!/^[\w.-]{1,60}$/.test(name)) {
    throw usage(command, `--name takes letters, digits, ".", "_" and "-", not "${name}"`);
  }
  const given = readLabels(args.strings("labels").join(","));
  const { labels } = findLabels(given);
  const place = findFleetPlace(args.string("fleet"));
  const key = findFleetKey();
  if (key === undefined) {
    io.note(
      `There is no ${KEY_VARIABLE}: screenshots of runs cannot be opened elsewhere. See: backstep fleet key`,
    );
  }
  // No job of the fleet has any business with its database, or with what opens its evidence.
  delete process.env[URL_VARIABLE];
  delete process.env[KEY_VARIABLE];
  const drain = new AbortController();
  const asked = interrupts((which) => {
    io.note(
      which === "first"
        ? "Interrupted: what runs is rolled back and given to other workers."
        : "Interrupted again: killed; what was not rolled back yet is not.",
    );
    if (which === "second") process.exit(130);
  });
  try {
    await runFleetWorker({
      place,
      name,
      labels,
      desktops: whole(command, args, "desktops", 1) ?? Math.max(1, Math.floor(availableParallelism() / 2)),
      state: stateFolder(),
      key,
      log: (line) => io.note(`${new Date().toISOString()} ${oneLine(line)}`),
      drain: drain.signal,
      stop: asked.stop,
      once: args.boolean("once"),
    });
    return asked.stop.aborted ? 130 : 0;
  } finally {
    asked.release();
  }
}
