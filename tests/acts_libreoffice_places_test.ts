import { verifyActs } from "./_acts.ts";

const cell = (name: string) => `table cell[name="${name}"]`;

// LibreOffice reports its sheets as much too high as its menu bar is: what the pointer hits is judged by the sheet itself.
verifyActs({
  app: "libreoffice-calc",
  part: "by the pointer",
  needs: ["/usr/bin/localc", "libreoffice-calc"],
  start: [
    { launch: "libreoffice-calc" },
    { wait: cell("A1") },
    { focus: { target: cell("A1") } },
    { click: { target: cell("D4"), button: "right" } },
    { wait: 'menuitem[name="Copy"]:visible' },
    { press: "Escape" },
    { assert: { target: cell("D4"), focused: true } },
  ],
  acts: [
    {
      claim: "libreoffice/popover",
      method: "Action.DoAction(press)",
      do: { click: 'button[name^="Borders"]' },
      holds: [{ target: 'list[name="Borders"] > listitem[name="Outer Border Only"]', exists: true }],
      then: [{ press: "Escape" }, { assert: { target: 'list[name="Borders"]', exists: false } }],
    },
    {
      claim: "libreoffice/drag",
      method: "XTEST drag",
      do: { drag: { from: cell("B2"), to: cell("D4") } },
      // What is typed then fills the cells that were chosen, and no other.
      then: [
        { type: "7" },
        { press: "alt+Return" },
        { assert: { target: cell("B2"), text: "7" } },
        { assert: { target: cell("D4"), text: "7" } },
        { assert: { target: cell("B1"), text: "" } },
        { assert: { target: cell("D5"), text: "" } },
      ],
    },
  ],
});
