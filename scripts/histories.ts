import process from "node:process";
import { type Found, type Tally, tellMany } from "./histories/many.ts";
import { tryMutants } from "./histories/mutants.ts";
import { type Compared, tellOn } from "./histories/real/on.ts";
import { FORMS, missingFor, type Toolkit, toolkitNamed } from "./histories/real/toolkits.ts";
import { storyText } from "./histories/story.ts";
import type { DisplayKind } from "../src/session/settings/settings.ts";
import { optionsOf } from "./options.ts";

const USAGE =
  `deno task histories [--count N] [--seed S] [--format text|json] [--mutants | --on TOOLKIT [--display KIND]]

Random workflows with random fault injection on the simulated desktop, judged by its own log. The same seed is the same history.

  --count N    how many; default 1000
  --seed S     the first seed; default: one by the clock, which is printed
  --format     text or json
  --mutants    bugs seeded into a copy of the engine, each of which must break a law
  --on         gtk3, gtk4, qt, quick, chromium, webkit, or macos (its core over the stand-in of Apple's frameworks): the same on a private desktop too, on a form that writes down what happens to it;
               every verdict must be the same on both, and no law be broken; default of --count: 50
  --display    of that private desktop: x11, the default, or wayland`;

/** A found breach for people. */
function foundText({ story, smallest, breaches }: Found): string {
  const laws = breaches.map(({ law, why }) => `  ${law}: ${why}`).join("\n");
  return `Seed ${story.seed} breaks a law. As small as it became:\n\n${storyText(smallest)}\n${laws}`;
}

function summary({ histories, ends, found, milliseconds }: Tally, seed: number): string {
  const each = (milliseconds / Math.max(1, histories)).toFixed(1);
  const kinds = Object.entries(ends).sort(([, a], [, b]) => b - a).map(([end, n]) => `${n} ${end}`).join(
    ", ",
  );
  const broken = found ? "1 breaks a law" : "every invariant held";
  return `${histories} histories from seed ${seed}: ${broken}; ${each} ms each (${kinds})`;
}

function comparedText(
  { toolkit, histories, ends, disagreements, milliseconds }: Compared,
  seed: number,
): string {
  const kinds = Object.entries(ends).sort(([, a], [, b]) => b - a).map(([end, n]) => `${n} ${end}`).join(
    ", ",
  );
  const differ = disagreements.length === 0
    ? "every verdict agrees"
    : `${disagreements.length} do not agree, of seeds ${disagreements.map((one) => one.seed).join(", ")}`;
  const each = (milliseconds / Math.max(1, histories) / 1_000).toFixed(2);
  return `${histories} histories from seed ${seed} on ${toolkit}: ${differ}; ${each} s each (${kinds})`;
}

/** The same seeds on the simulated desktop and on a private one; answers the exit code. */
async function compare(
  toolkit: Toolkit,
  display: DisplayKind,
  seed: number,
  count: number,
  json: boolean,
): Promise<number> {
  const missing = missingFor(toolkit);
  if (missing.length > 0) {
    console.error(`The form of ${toolkit.name} is not to be had: install ${missing.join(", ")}`);
    return 2;
  }
  // Loaded when it is wanted: the others need no native core.
  const { openNative } = await import("../src/session/open-native.ts");
  const session = await openNative({ kind: "isolated", settings: { display } });
  try {
    const say = json ? () => {} : (line: string) => console.log(line);
    const compared = await tellOn(session, toolkit, { seed, count, say });
    if (json) {
      console.log(JSON.stringify({ seed, ...compared, milliseconds: Math.round(compared.milliseconds) }));
    } else console.log(comparedText(compared, seed));
    return compared.disagreements.length === 0 ? 0 : 1;
  } finally {
    await session.close();
  }
}

/** The same over the macOS core. */
async function compareMac(seed: number, count: number, json: boolean): Promise<number> {
  const { tellOnMac } = await import("./histories/macos/tell.ts");
  const say = json ? () => {} : (line: string) => console.log(line);
  const compared = await tellOnMac({ seed, count, say });
  if (typeof compared === "string") {
    console.error(compared);
    return 2;
  }
  if (json) {
    console.log(JSON.stringify({ seed, ...compared, milliseconds: Math.round(compared.milliseconds) }));
  } else console.log(comparedText(compared, seed));
  return compared.disagreements.length === 0 ? 0 : 1;
}

const { values } = optionsOf(USAGE, {
  options: {
    count: { type: "string" },
    on: { type: "string" },
    display: { type: "string", default: "x11" },
    seed: { type: "string" },
    format: { type: "string", default: "text" },
    mutants: { type: "boolean", default: false },
  },
});
const toolkit = values.on === undefined ? undefined : toolkitNamed(values.on);
const display = (["x11", "wayland"] as const).find((kind) => kind === values.display);
const count = Number(values.count ?? (toolkit ? 50 : 1000));
const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed);
if (!Number.isSafeInteger(count) || !Number.isSafeInteger(seed) || count < 1) {
  console.error(USAGE);
  process.exitCode = 2;
} else if (values.on === "macos") {
  process.exitCode = await compareMac(seed, Number(values.count ?? 50), values.format === "json");
} else if (values.on !== undefined && !toolkit) {
  console.error(`There is no form for ${values.on}: ${FORMS.join(", ")}, macos`);
  process.exitCode = 2;
} else if (display === undefined) {
  console.error(`There is no display of kind ${values.display}: x11, wayland`);
  process.exitCode = 2;
} else if (toolkit) {
  process.exitCode = await compare(toolkit, display, seed, count, values.format === "json");
} else if (values.mutants) {
  process.exitCode = await tryMutants({ count, seed, say: console.log }) ? 0 : 1;
} else {
  const tally = await tellMany(seed, count);
  if (values.format === "json") {
    const { found, ...rest } = tally;
    const reported = found
      ? { story: found.story.seed, smallest: found.smallest, breaches: found.breaches }
      : null;
    console.log(
      JSON.stringify({ seed, ...rest, milliseconds: Math.round(rest.milliseconds), found: reported }),
    );
  } else {
    if (tally.found) console.log(`${foundText(tally.found)}\n`);
    console.log(summary(tally, seed));
  }
  process.exitCode = tally.found ? 1 : 0;
}
