import type { Arguments, Command } from "../../command.ts";
import type { Io } from "../../io.ts";
import { cancel } from "./cancel.ts";
import { drain } from "./drain.ts";
import { migrateSchema } from "./migrate.ts";
import { report } from "./report.ts";
import { submitFiles } from "./submit.ts";
import { items } from "./items.ts";
import { key } from "./key.ts";
import { runs } from "./runs.ts";
import { down, up } from "./up.ts";
import { watch } from "./watch.ts";
import { work } from "./worker.ts";

/** Does one verb of `backstep fleet`, and answers the exit code. */
export async function runVerb(
  command: Command,
  verb:
    | "up"
    | "down"
    | "submit"
    | "worker"
    | "watch"
    | "report"
    | "runs"
    | "items"
    | "key"
    | "cancel"
    | "drain"
    | "migrate",
  rest: readonly string[],
  args: Arguments,
  io: Io,
): Promise<number> {
  switch (verb) {
    case "up":
      return await up(args, io);
    case "down":
      return await down(args, io);
    case "submit":
      return await submitFiles(command, rest, args, io);
    case "worker":
      return await work(command, args, io);
    case "watch":
      return await watch(rest[0], args, io);
    case "report":
      return await report(rest[0], args, io);
    case "runs":
      return await runs(command, args, io);
    case "items":
      return await items(command, rest, args, io);
    case "key":
      return key(io);
    case "cancel":
      return await cancel(command, rest[0], args, io);
    case "drain":
      return await drain(command, rest, args, io);
    case "migrate":
      return await migrateSchema(args, io);
  }
}
