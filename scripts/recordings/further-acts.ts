import { pause } from "../../src/base/call.ts";
import type { Person } from "./person.ts";
import {
  MIDDLE,
  OPENS,
  pick,
  placeOf,
  type Plan,
  type Random,
  READS,
  rectOf,
  type Sight,
  spotOf,
} from "./plan.ts";
import type { Rect, Window } from "../../src/desktop/desktop.ts";
import { contains } from "../../src/desktop/rect.ts";
import { intersection } from "../../src/desktop/visible.ts";
import { isQt } from "../../src/desktop/toolkits.ts";
import { rowOf } from "./stage.ts";

const KEY = { enter: 0xff0d, shift: 0xffe1, ctrl: 0xffe3, tab: 0xff09, up: 0xff52, down: 0xff54 } as const;
const FILES = ["Alpha", "Beta", "Gamma"];
const MARKS = ["North", "East", "South", "West"];
/** Milliseconds in which a window opens that a person then uses. */
const WINDOW = 900;
/** Pixels from the right end of a title bar to the middle of its button that closes, and from the window up to it. */
const CLOSE = { left: 10, up: 10 };

/** One act of a kind, by what a seed gives. */
type Draw = (random: Random) => Plan;

/** Acts beside single clicks and typing, by their kind. Only those are drawn whose element the application has. */
export const FURTHER: Readonly<Record<string, Draw>> = {
  "wheel": (random) => {
    const notches = Math.ceil(random() * 4) * (random() < 0.7 ? 1 : -1);
    const act = plan("wheel", ["Story"], async (person, sight) => {
      await person.wheel(placeOf(await sight.look(), "Story", MIDDLE), notches);
    });
    return { ...act, idle: true };
  },
  "wheel value": (random) => {
    const name = pick(random, ["Volume", "Copies"]), notches = pick(random, [-2, -1, 1, 2]);
    const spot = { across: 0.2, down: 0.65 };
    const act = plan("wheel value", [name], async (person, sight) => {
      await person.wheel(placeOf(await sight.look(), name, spot), notches);
    });
    return { ...act, idle: true };
  },
  "slider drag": (random) => {
    const part = 0.1 + 0.8 * random();
    return plan("slider drag", ["Volume"], async (person, sight) => {
      const tree = await sight.look(), { x, y, width, height } = rectOf(tree, "Volume");
      const has = tree.value(rowOf(tree, "Volume"))?.current ?? 0;
      const at = (share: number) => ({
        x: Math.round(x + KNOB + (width - 2 * KNOB) * share),
        y: Math.round(y + 0.65 * height),
      });
      await person.drag(at(has / 100), at(part));
    });
  },
  "drag and drop": (random) => {
    const target = pick(random, ["Basket", "Drawer"]);
    const act = plan("drag and drop", ["Parcel", target], async (person, sight) => {
      const tree = await sight.look();
      await person.drag(placeOf(tree, "Parcel", MIDDLE), placeOf(tree, target, MIDDLE));
    });
    return { ...act, exact: true };
  },
  "context menu": (random) => {
    const row = pick(random, FILES), item = pick(random, ["Rename", "Remove"]);
    const run: Plan["run"] = async (person, sight) => {
      await person.click(placeOf(await sight.look(), row, MIDDLE), 3);
      await pause(OPENS);
      const tree = await sight.look();
      if (rowOf(tree, item) > 0) return await person.click(placeOf(tree, item, MIDDLE, "last"));
      // Qt keeps context menus out of its tree.
      const popup = (await sight.windows()).findLast((one) => one.popup);
      if (popup === undefined) throw new Error("no menu opened");
      const { x, y, width, height } = popup.rect;
      await person.click({ x: x + width / 2, y: y + height * (item === "Rename" ? 0.25 : 0.75) });
    };
    return { kind: "context menu", uses: [item], openers: [row], run };
  },
  "several rows": (random) => {
    const first = pick(random, MARKS), second = pick(random, MARKS.filter((one) => one !== first));
    const held = random() < 0.5 ? KEY.ctrl : KEY.shift;
    return plan("several rows", [first, second], async (person, sight) => {
      const tree = await sight.look();
      await person.click(placeOf(tree, first, MIDDLE));
      await pause(OPENS);
      await person.holding(held, () => person.click(placeOf(tree, second, MIDDLE)));
    });
  },
  "tree expander": (random) => {
    const name = pick(random, ["Fruit", "Roots"]);
    return plan("tree expander", [name], async (person, sight) => {
      const tree = await sight.look(), { y, height } = rectOf(tree, name);
      // Its arrow lies to the left of its name.
      const { x } = rectOf(tree, "Plants");
      await person.click({ x: x + 11, y: Math.round(y + height / 2) });
    });
  },
  "tree row": (random) => {
    const name = pick(random, ["Fruit", "Roots", "Apple", "Pear", "Carrot", "Radish"]);
    return plan("tree row", [name], async (person, sight) => {
      await person.click(placeOf(await sight.look(), name, { across: 0.6, down: 0.5 }));
    });
  },
  "expander": () =>
    plan("expander", ["More"], async (person, sight) => {
      await person.click(placeOf(await sight.look(), "More", { across: 0.3, down: 0.4 }));
    }),
  "popover": (random) => opened("popover", "Tools", pick(random, ["Zoom", "Rotate"])),
  "chord": (random) => {
    const letter = pick(random, ["s", "d"]);
    return {
      ...plan("chord", [`ctrl+${letter}`], (person) => person.chord(KEY.ctrl, letter.charCodeAt(0))),
      needs: "Story",
    };
  },
  "text chosen": (random) => {
    const name = pick(random, ["Title", "Author"]);
    return plan("text chosen", [name], async (person, sight) => {
      await person.click(placeOf(await sight.look(), name, MIDDLE));
      await pause(READS);
      await person.type("first words");
      await person.chord(KEY.ctrl, "a".charCodeAt(0));
      await person.type("then others");
    });
  },
  "back by tab": () => ({
    kind: "back by tab",
    uses: ["Title"],
    openers: ["Author"],
    needs: "Story",
    run: async (person, sight) => {
      await person.click(placeOf(await sight.look(), "Author", MIDDLE));
      await pause(READS);
      await person.chord(KEY.shift, KEY.tab);
      await pause(READS);
      await person.type("went back");
    },
  }),
  "date": (random) => {
    const number = Math.floor(random() * 6) + 4;
    const act = plan("date", [], async (person, sight) => {
      const tree = await sight.look();
      await person.click(placeOf(tree, "Due", { across: 0.05, down: 0.5 }));
      await pause(READS);
      // In a page it stands on the month, and Qt puts what is typed beside what is there.
      if (!isQt(tree.origin.application)) return await person.type(`0${number}`);
      await person.chord(KEY.ctrl, "a".charCodeAt(0));
      await person.type(`203${number}-05-06`);
    });
    return { ...act, exact: true, needs: "Due" };
  },
  "arrow": (random) => {
    const [row = "", key] = pick(
      random,
      [["Alpha", KEY.down], ["Beta", KEY.down], ["Beta", KEY.up], [
        "Gamma",
        KEY.up,
      ]] as const,
    );
    const act = plan("arrow", [row], async (person, sight) => {
      await person.click(placeOf(await sight.look(), row, MIDDLE));
      await pause(OPENS);
      await person.key(key);
    });
    // The keyboard is the list's, in some toolkits.
    return { ...act, openers: ["Files"], exact: true, needs: "Story" };
  },
  "file chooser": (random) => {
    const file = pick(random, ["alpha.txt", "beta.txt", "gamma.txt"]), byName = random() < 0.5;
    const act = plan("file chooser", [], async (person, sight) => {
      await person.click(placeOf(await sight.look(), "Browse", MIDDLE));
      await pause(2 * WINDOW);
      const tree = await sight.look();
      // GTK 4 tells nothing of its list of files.
      if (byName || rowOf(tree, file) < 0) {
        await person.chord(KEY.ctrl, "l".charCodeAt(0));
        await pause(OPENS);
        await person.type(file);
        await pause(OPENS);
        return await person.key(KEY.enter);
      }
      // Qt has its files twice, first in a list that does not show.
      await person.click(placeOf(tree, file, MIDDLE, "last"));
      await pause(OPENS);
      await person.click(placeOf(await sight.look(), "Open it", MIDDLE));
    });
    return { ...act, exact: true, needs: "Browse" };
  },
  "window closed": () => {
    const act = plan("window closed", ["Notes", "Keep", "Notes"], async (person, sight) => {
      await person.click(placeOf(await sight.look(), "Notes", MIDDLE));
      await pause(WINDOW);
      await person.click(placeOf(await sight.look(), "Keep", MIDDLE));
      await pause(WINDOW);
      const { x, y, width } = await windowOf(sight, "Notes");
      await person.click({ x: x + width - CLOSE.left, y: y - CLOSE.up });
    });
    return { ...act, exact: true };
  },
  "window moved": (random) => {
    const [right, down] = [Math.round(80 * random() - 40), Math.round(60 * random() + 20)];
    const act = plan("window moved", ["Record"], async (person, sight) => {
      const { x, y } = await windowOf(sight, "Record");
      const from = { x: x + 200, y: y - CLOSE.up };
      await person.drag(from, { x: from.x + right, y: y + down > 230 ? from.y - down : from.y + down });
    });
    return { ...act, exact: true, needs: "Story" };
  },
};

/** Pixels from the end of a slider to the middle of its knob when that is there. */
const KNOB = 13;

function plan(
  kind: string,
  uses: readonly string[],
  run: (person: Person, sight: Sight) => Promise<void>,
): Plan {
  return { kind, uses, openers: [], run };
}

/** Clicks what opens something, and then what is in there. */
export function opened(kind: string, first: string, then: string, spot = MIDDLE): Plan {
  const run: Plan["run"] = async (person, sight) => {
    await person.click(placeOf(await sight.look(), first, spot));
    await pause(OPENS);
    const rect = seenOf(rectOf(await sight.look(), then, "last"), await sight.windows());
    await person.click(spotOf(rect, spot));
  };
  // A dialog's opener does something by itself.
  if (kind === "dialog") return { kind, uses: [first, then], openers: [], run };
  return { kind, uses: [then], openers: [first], run };
}

/** The part of an item that its popup shows: Qt tells items of its boxes that are wider than their list. */
function seenOf(rect: Rect, windows: readonly Window[]): Rect {
  const popup = windows.findLast((one) => one.popup && contains(one.rect, rect.x + 1, rect.y + 1));
  return popup && intersection(rect, popup.rect) || rect;
}

async function windowOf(sight: Sight, title: string) {
  const window = (await sight.windows()).find((one) => one.title === title);
  if (window === undefined) throw new Error(`no window is called ${title}`);
  return window.rect;
}
