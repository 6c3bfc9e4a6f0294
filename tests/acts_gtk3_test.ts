import { verifyActs } from "./_acts.ts";

verifyActs({
  app: "gtk3-widget-factory",
  needs: ["/usr/bin/gtk3-widget-factory", "gtk-3-examples"],
  start: [{ launch: "gtk3-widget-factory" }, { wait: "checkbox" }],
  acts: [
    {
      claim: "gtk3/check-box",
      method: "Action.DoAction(click)",
      was: [{ target: "checkbox:visible:enabled:nth(2)", checked: false }],
      do: { click: "checkbox:visible:enabled:nth(2)" },
      holds: [{ target: "checkbox:visible:enabled:nth(2)", checked: true }],
    },
  ],
});
