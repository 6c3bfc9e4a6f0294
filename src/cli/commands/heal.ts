import { closest } from "../../base/closest.ts";
import { relative, resolve } from "node:path";
import type { HealingPatch } from "../../heal/patch/file.ts";
import { table } from "../../report/layout.ts";
import { count, duration, oneLine } from "../../report/style.ts";
import { usage } from "../arguments.ts";
import type { Arguments, Command } from "../command.ts";
import type { Io } from "../io.ts";

const VERBS = ["list", "apply"];

/** `backstep heal list|apply`. */
export const heal: Command = {
  name: "heal",
  summary: "List and apply the patches that `run --heal` and `test --heal` wrote",
  details: [
    "list:  the patches there are: which locator of which step would become what.",
    "apply: changes the workflow files as the patches say, and removes the patches: all of them, or none. Without " +
    "a patch, all that are proved.",
    "A patch is proved when the step was tried with its locator, did what it did before, and was rolled back.",
  ],
  positionals: [
    { name: "verb", description: "list or apply", required: true, choices: VERBS },
    { name: "patch", description: "apply: a patch file", required: false, rest: true },
  ],
  options: [
    { name: "unproved", kind: "boolean", description: "apply: patches that are not proved, too" },
    { name: "dry-run", kind: "boolean", description: "apply: check and show the patches, and write nothing" },
  ],
  examples: [
    "backstep heal list",
    "backstep heal apply --dry-run",
    "backstep heal apply ~/.local/state/backstep/heal/patches/20261120-233000-c3f9a1-3.patch",
  ],
  async run(args, io) {
    const [verb = "", ...patches] = args.positionals;
    if (!VERBS.includes(verb)) {
      const [near] = closest(verb, VERBS);
      throw usage(
        heal,
        `"${verb}" is no verb of it`,
        near === undefined ? `It is ${VERBS.join(" or ")}.` : `Did you mean ${near}?`,
      );
    }
    const { listPatches, readHealingPatch } = await import("../../heal/patch/file.ts");
    const { stateFolder } = await import("../../session/lease.ts");
    if (verb === "list") {
      if (patches.length > 0) throw usage(heal, `"${patches[0]}" is one argument too many`);
      for (const name of ["unproved", "dry-run"]) {
        if (args.given(name)) throw usage(heal, `--${name} is for apply`);
      }
      return list(listPatches(stateFolder()), io);
    }
    if (patches.length > 0) {
      return await apply(patches.map((one) => readHealingPatch(resolve(one))), args, io);
    }
    const all = listPatches(stateFolder());
    const chosen = args.boolean("unproved") ? all : all.filter(({ proof }) => proof === "proved");
    if (chosen.length < all.length) {
      io.note(
        `${count(all.length - chosen.length, "patch")} not applied, since unproved: --unproved applies them.`,
      );
    }
    return await apply(chosen, args, io);
  },
};

function list(patches: readonly HealingPatch[], io: Io): number {
  io.json({ patches: patches.map(({ text: _text, version: _version, ...patch }) => patch) });
  const now = Date.now();
  const rows = patches.map(({ patch, file, step, from, to, proof, made }) => [
    proof === "proved" ? io.style.good(proof) : io.style.warn(proof),
    `${shown(file)} step ${step}`,
    `${oneLine(from)} → ${oneLine(to)}`,
    `${duration(Math.max(0, now - Date.parse(made)))} ago`,
    patch,
  ]);
  io.text(rows.length === 0 ? "No patches.\n" : table(rows).map((line) => `${line}\n`).join(""));
  return 0;
}

async function apply(patches: readonly HealingPatch[], args: Arguments, io: Io): Promise<number> {
  const { applyPatches } = await import("../../heal/patch/apply.ts");
  const { removePatch } = await import("../../heal/patch/file.ts");
  const dryRun = args.boolean("dry-run");
  const applied = applyPatches(patches, { unproved: args.boolean("unproved"), dryRun });
  if (!dryRun) { for (const { patch } of applied) removePatch(patch); }
  io.json({ dry_run: dryRun, applied });
  if (applied.length === 0) io.text("Nothing to apply.\n");
  for (const [k, { file, step, from, to, proof }] of applied.entries()) {
    const did = dryRun ? "would change" : "changed";
    io.text(`${did} ${shown(file)}, step ${step} (${proof}): ${oneLine(from)} → ${oneLine(to)}\n`);
    if (dryRun) io.text(patches[k]?.text.split("\n").slice(1).join("\n") ?? "");
  }
  return 0;
}

/** As a person here would name it. */
function shown(file: string): string {
  const near = relative(".", file);
  return near.startsWith("..") ? file : near;
}
