import type { More } from "./more.ts";
import type { Stage } from "./rows.ts";

const AT = ({ place }: Stage) => {
  const { x, y } = place("mute");
  return { x, y };
};
const BESIDE = { beside: "mute" } as const;

/** A window of which accessibility tells nothing, by the pointer, and with the keys in it. */
export const MUTE_ROWS: readonly More[] = [
  {
    id: "ax_click_at: mute",
    by: "ax_click_at",
    control: "mute",
    acts: (stage) => [{ tool: "ax_click_at", args: AT(stage) }],
  },
  {
    id: "ax_drag by two pixels: mute",
    by: "ax_drag",
    control: "mute",
    acts: (stage) => {
      const { x, y } = AT(stage);
      return [{
        tool: "ax_drag",
        args: { app: stage.app, from_x: x, from_y: y, to_x: x + 2, to_y: y + 1, duration_ms: 20 },
      }];
    },
  },
  {
    id: "command click-at: mute",
    by: "command",
    control: "mute",
    acts: (stage) => [{ operation: "click-at", input: AT(stage) }],
  },
  {
    id: "workflow click_at: mute",
    by: "workflow file",
    control: "mute",
    acts: (stage) => [{ steps: [{ click_at: AT(stage) }] }],
  },
  ...["Return", "spacebar", "kpenter"].map((key): More => ({
    id: `ax_key_press without an application ${key}: mute`,
    by: "ax_key_press",
    control: "mute",
    scene: BESIDE,
    acts: () => [{ tool: "ax_key_press", args: { key } }],
  })),
  {
    id: "ax_workflow of ax_key_press without an application space: mute",
    by: "ax_workflow",
    control: "mute",
    scene: BESIDE,
    acts:
      () => [{ tool: "ax_workflow", args: { steps: [{ tool: "ax_key_press", args: { key: "space" } }] } }],
  },
];
