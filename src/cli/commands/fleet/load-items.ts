import { checkFields, fieldNames, type Loaded, loadItems } from "../../../fleet/items/load.ts";
import { readItemTime } from "../../../fleet/items/times.ts";
import { prepareRun } from "../../../fleet/submit.ts";
import { count } from "../../../report/style.ts";
import { isProgram } from "../../../script/load-script.ts";
import { loadYaml } from "../../../script/load-file.ts";
import type { Selected } from "../../../testing/select.ts";
import { itemFields } from "../../../workflow/item-fields.ts";
import { readItems } from "../../../workflow/read-items.ts";
import { usage } from "../../arguments.ts";
import type { Arguments, Command } from "../../command.ts";
import type { Io } from "../../io.ts";
import { interrupts } from "../../signals.ts";
import { prepare, suiteOf } from "../test/prepare.ts";
import { submissionOf } from "./submit.ts";
import { withFleet } from "./with-fleet.ts";

/** `backstep fleet items load <file> --into <list> --workflow <file>`. */
export async function load(
  command: Command,
  words: readonly string[],
  all: Arguments,
  io: Io,
): Promise<number> {
  const [file, ...more] = words;
  const list = all.string("into");
  const workflow = all.string("workflow");
  if (file === undefined || more.length > 0) {
    throw usage(command, "items load needs one file: CSV, JSON or YAML");
  }
  if (list === undefined) throw usage(command, "items load needs --into <list>");
  if (workflow === undefined) {
    throw usage(command, "items load needs --workflow <file>, which is run for each item");
  }
  const items = readItems(file);
  const fields = fieldNames(items);
  const now = new Date();
  const time = (option: string) => {
    const text = all.string(option);
    return text === undefined ? undefined : readItemTime(option, text, fields, now);
  };
  const [notBefore, deadline] = [time("not-before"), time("deadline")];
  if (!isProgram(workflow)) checkFields(items, itemFields(loadYaml(workflow)), file);
  const raw: Arguments = { ...all, positionals: [workflow] };
  const preparation = await prepare(command, raw);
  const plan = suiteOf(command, raw, preparation, {
    shard: undefined,
    shuffle: undefined,
    lastFailed: false,
  });
  const asked = interrupts(() => io.note("Interrupted: nothing is loaded."));
  try {
    const submission = await submissionOf(command, plan, preparation.args, raw, asked.stop);
    requireOne(command, submission.files, workflow);
    asked.stop.throwIfAborted();
    const loaded = await withFleet(all, io, async (fleet) => {
      const { run, jobs: [job] } = await prepareRun(fleet, { ...submission, name: `${list}: ${workflow}` });
      if (!job) throw usage(command, `there is no workflow in ${workflow}`);
      return await loadItems(fleet, run, {
        list,
        items,
        keyField: all.string("key-field"),
        notBefore,
        deadline,
        job,
      }, now);
    });
    tell(loaded, io);
    return 0;
  } finally {
    asked.release();
  }
}

/** A workflow is run once for each item, and nothing else: cases and projects would make more of it. */
function requireOne(command: Command, files: readonly Selected[], workflow: string): void {
  const [first, second] = files;
  if (first?.error) {
    throw usage(command, `${workflow} cannot be read: ${first.error.message}`);
  }
  if (second) {
    throw usage(
      command,
      `${workflow} stands for ${count(files.length, "test")}, and one is run for each item`,
      "Name one file without `cases:`; with several projects, one of them: --project NAME.",
    );
  }
  if (first?.reason !== undefined) throw usage(command, `${workflow} is skipped: ${first.reason}`);
}

function tell(loaded: Loaded, io: Io): void {
  const { list, run, existing } = loaded;
  io.json(loaded);
  const there = existing === 0 ? "" : `, ${existing} were there already`;
  io.text(
    run === undefined
      ? `${list}: nothing new${there}\n`
      : `${io.style.bold(run)}  ${count(loaded.loaded, "item")} into ${list}${there}\n` +
        `Follow it: backstep fleet watch ${run}\nSee them:  backstep fleet items list ${list}\n`,
  );
}
