import type { OwnDescription, SimulatedApplication } from "../application.ts";
import type { Behaviour } from "../describe.ts";

/** How many rows the lists have. */
export const ROWS = 10_000;

const names = Array.from({ length: ROWS }, (_, i) => `Row ${i + 1}`);

/** Ten thousand rows that all exist, several of which can be chosen. */
export const list: OwnDescription = describe("sim.list", "List", false);

/** The same with GTK 4's way: a dozen rows exist, and show other items at the same paths when it is scrolled. */
export const recyclingList: OwnDescription = describe("sim.list-recycling", "Recycling list", true);

function describe(id: string, name: string, recycling: boolean): OwnDescription {
  return {
    id,
    name,
    windows: [{
      key: "main",
      title: name,
      children: [
        {
          kind: "scroll",
          key: "area",
          name: "Rows",
          children: [
            {
              kind: "list",
              key: "rows",
              id: "rows",
              name: "Rows",
              options: names,
              multiple: !recycling,
              recycling,
            },
            { kind: "scrollbar", key: "bar", name: "", step: 24, maximum: ROWS * 24 - 240 },
          ],
        },
        { kind: "label", key: "chosen", name: "nothing chosen" },
        { kind: "label", key: "opened", name: "" },
      ],
    }],
    behave,
  };
}

function behave(app: SimulatedApplication): Behaviour {
  let opened: string | undefined;
  return {
    press(key) {
      opened = app.name(key);
      app.setName("opened", `Opened ${opened}`);
    },
    change(key) {
      if (key !== "rows") return;
      const chosen = app.chosen("rows");
      const first = names[chosen[0] ?? -1];
      app.setName(
        "chosen",
        chosen.length === 1 && first !== undefined ? first : `${chosen.length || "nothing"} chosen`,
      );
    },
    world: () => ({ opened: opened ?? null }),
  };
}
