/** How many elements a ranked locator saves from being told by a number: see USAGE. */
import { Deadline } from "../src/base/call.ts";
import { type Share, shareOf } from "../src/desktop/ranking/_share.ts";
import { type Stage, stages } from "../src/intelligence/_stages.ts";
import { readTree, treeNames } from "../src/intelligence/_trees.ts";
import { openSession } from "../src/session/open-session.ts";
import { FIELDS, show } from "../tests/patterns/show.ts";
import { optionsOf } from "./options.ts";

const LIVE = [
  "gtk3-widget-factory",
  "gtk4-widget-factory",
  "gnome-calculator",
  "gedit",
  "qt5-form",
  "qt6-settings_page",
  "chromium-form",
];

const USAGE = `deno task locators [--recorded] [--format json|text]

Measures how many elements of real applications can be distinguished from others by a number among them alone, before locators
were ranked and now, and how long ranking takes. Each application runs on a private desktop.

  --format     text (the default) or json
  --recorded   looks at the trees that were written down, and starts no application`;

const { values } = optionsOf(USAGE, {
  options: {
    recorded: { type: "boolean", default: false },
    format: { type: "string", default: "text" },
  },
});

/** One application as it stands, with the labels that it relates. */
async function live(stage: Stage): Promise<Share> {
  const session = await openSession({ kind: "isolated", width: 1280, height: 900 });
  try {
    const { origin } = await show(session, stage);
    const deadline = Deadline.after(30_000);
    return shareOf(
      await session.desktop.snapshot(origin.application, {
        ...deadline.call(),
        fields: [...FIELDS, "relations"],
      }),
    );
  } finally {
    await session.close();
  }
}

const shares: (Share & { readonly tree: string })[] = [];
if (values.recorded) { for (const tree of treeNames()) shares.push({ tree, ...shareOf(readTree(tree)) }); }
else {
  for (const stage of stages.filter(({ name }) => LIVE.includes(name))) {
    shares.push({ tree: stage.name, ...await live(stage) });
  }
}
const sum = (of: (share: Share) => number) => shares.reduce((all, share) => all + of(share), 0);
if (values.format === "json") console.log(JSON.stringify(shares));
else {
  console.log("tree                          nodes elements  before   after   p50 ms   p95 ms");
  for (const { tree, nodes, elements, before, after, p50, p95 } of shares) {
    const numbers = [nodes, elements, before, after].map((n) => String(n).padStart(8)).join("");
    console.log(`${tree.padEnd(27)}${numbers}${p50.toFixed(2).padStart(9)}${p95.toFixed(2).padStart(9)}`);
  }
  const [elements, before, after] = [
    sum((one) => one.elements),
    sum((one) => one.before),
    sum((one) => one.after),
  ];
  console.log(`${shares.length} trees: of ${elements} elements ${before} needed a number, ${after} do`);
}
