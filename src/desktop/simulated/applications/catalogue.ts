import type { OwnDescription } from "../application.ts";
import { calculator } from "./calculator.ts";
import { editor } from "./editor.ts";
import { list, recyclingList } from "./list.ts";
import { login } from "./login.ts";
import { settings } from "./settings.ts";

/** The applications that every simulated desktop can launch. */
export const simulatedApplications: readonly OwnDescription[] = [
  calculator,
  editor,
  settings,
  list,
  recyclingList,
  login,
];
