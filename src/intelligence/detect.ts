import { defined } from "../base/defined.ts";
import { type Detected, type Detector, type PatternName, patternNames } from "./detector.ts";
import { browserMain } from "./patterns/browser-main.ts";
import { confirmationDialog } from "./patterns/confirmation-dialog.ts";
import { errorAlert } from "./patterns/error-alert.ts";
import { fileOpenDialog, fileSaveDialog } from "./patterns/file-dialog.ts";
import { form } from "./patterns/form.ts";
import { loginForm } from "./patterns/login-form.ts";
import { progressIndicator } from "./patterns/progress-indicator.ts";
import { searchInterface } from "./patterns/search-interface.ts";
import { settingsPage } from "./patterns/settings-page.ts";
import { tableView } from "./patterns/table-view.ts";
import { textEditor } from "./patterns/text-editor.ts";
import type { Scene } from "./scene.ts";

const list: readonly Detector[] = [
  errorAlert,
  fileSaveDialog,
  fileOpenDialog,
  confirmationDialog,
  loginForm,
  settingsPage,
  progressIndicator,
  browserMain,
  textEditor,
  searchInterface,
  tableView,
  form,
];

/** Every detector, by what it detects. */
export const detectors: ReadonlyMap<PatternName, Detector> = new Map(list.map((one) => [one.name, one]));

/** What a scene shows. */
export interface Detection {
  /** The pattern that fits best; absent: none of the twelve does. */
  readonly pattern?: Detected;
  /** All that fit, the best first. */
  readonly all: readonly Detected[];
}

/** Known once a scene: state, suggestions and interfaces ask again. */
const existing = new WeakMap<Scene, Detection>();

/**
 * Which patterns a scene shows. The one of the highest confidence is the pattern; where several have it, the one that
 * stands first in `patternNames`: what has to be answered goes before what it is about.
 */
export function detect(scene: Scene): Detection {
  const before = existing.get(scene);
  if (before !== undefined) return before;
  const all = scene.front < 0 ? [] : patternNames.flatMap((name): Detected[] => {
    const found = detectors.get(name)?.detect(scene);
    return found === undefined ? [] : [{ name, ...found }];
  });
  // Sorting is stable: equals stay in the order of `patternNames`.
  all.sort((a, b) => b.confidence - a.confidence);
  const [pattern] = all;
  const detection = { ...defined({ pattern }), all };
  existing.set(scene, detection);
  return detection;
}
