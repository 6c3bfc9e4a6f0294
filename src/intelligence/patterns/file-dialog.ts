import { Role } from "../../desktop/roles.ts";
import { type Detected, type Detector, ideas, LIKELY, reasons, SURE, WEAK } from "../detector.ts";
import { buttonSaying, buttonsOf, fieldsOf, inputsOf, titleOf } from "../parts.ts";
import type { Scene } from "../scene.ts";
import { says } from "../words.ts";

/** What only file choosers of GTK 4.8 are made of: it names what nobody named after its class. */
const OF_GTK4 = /^Gtk(?:FileChooser\w*|PathBar|PlacesSidebar)$/;

interface FileDialog {
  readonly save: number | undefined;
  readonly open: number | undefined;
  /** What accepts under another name: "OK". */
  readonly accept: number | undefined;
  readonly cancel: number;
  /** Where the name of the file is typed. */
  readonly name: number | undefined;
  /** What shows files and folders; undefined: nothing does. */
  readonly browser: number | undefined;
}

/** Known once for the two patterns. */
const existing = new WeakMap<Scene, FileDialog | "none">();

/** The parts of a file dialog; undefined: the window in front is none. */
function fileDialog(scene: Scene): FileDialog | undefined {
  let found = existing.get(scene);
  if (found === undefined) existing.set(scene, found = partsOf(scene) ?? "none");
  return found === "none" ? undefined : found;
}

function partsOf(scene: Scene): FileDialog | undefined {
  const { snapshot } = scene;
  const cancel = buttonSaying(scene, "cancel");
  const isChooser = scene.front >= 0 && snapshot.role(scene.front) === Role.fileChooser;
  if (cancel === undefined || !(scene.isDialog || isChooser)) return undefined;
  const save = buttonSaying(scene, "save"), open = buttonSaying(scene, "open");
  const browser = scene.of("chooser")[0] ??
    scene.of("filler").find((row) => OF_GTK4.test(snapshot.name(row))) ??
    listOfFiles(scene);
  const fields = fieldsOf(scene).filter((row) => !says(scene.label(row), "search"));
  const accept = buttonsOf(scene).find((row) => row !== cancel && says(scene.name(row), "agree"));
  return {
    save,
    open,
    accept,
    cancel,
    name: fields.find((row) => scene.label(row) !== "") ?? fields[0],
    browser,
  };
}

/** Qt and others: a list with columns, folders to choose among, and a field for the name. */
function listOfFiles(scene: Scene): number | undefined {
  if (fieldsOf(scene).length === 0 || scene.of("combo").length === 0) return undefined;
  return scene.of("table", "list").find((row) =>
    scene.of("header").filter((header) => header > row && header < scene.snapshot.end(row)).length > 1
  );
}

function detect(scene: Scene, save: boolean): Omit<Detected, "name"> | undefined {
  const found = fileDialog(scene);
  if (found === undefined) return undefined;
  const accept = save ? found.save : found.open;
  const because = reasons(
    [found.browser, "shows files and folders"],
    [found.name, "takes the name of the file"],
    [accept, save ? "saves" : "opens"],
    [found.cancel, "cancels"],
  );
  if (found.browser === undefined) {
    // A sheet that only asks for a name.
    const asks = save && accept !== undefined && found.name !== undefined && inputsOf(scene).length === 1;
    return asks && says(titleOf(scene), "save") ? { confidence: WEAK, reasons: because } : undefined;
  }
  if (accept !== undefined && (save || found.save === undefined)) {
    return { confidence: SURE, reasons: because };
  }
  if (found.save !== undefined || found.open !== undefined) return undefined;
  // What it is called in another language: only what saves asks for a name at once.
  return save === (found.name !== undefined) ? { confidence: LIKELY, reasons: because } : undefined;
}

/** A dialog with Save and Cancel that shows files. */
export const fileSaveDialog: Detector = {
  name: "file_save_dialog",
  detect: (scene) => detect(scene, true),
  suggest(scene) {
    const found = fileDialog(scene);
    return ideas(
      [found?.name, "ax_type", "Type a file name in place of the one that is there"],
      [found?.save ?? found?.accept, "ax_click", "Click Save to confirm"],
      [found?.cancel, "ax_click", "Click Cancel to dismiss"],
    );
  },
};

/** A dialog with Open and Cancel that shows files. */
export const fileOpenDialog: Detector = {
  name: "file_open_dialog",
  detect: (scene) => detect(scene, false),
  suggest(scene) {
    const found = fileDialog(scene);
    return ideas(
      [found?.name, "ax_type", "Type a file name in place of the one that is there"],
      [found?.open ?? found?.accept, "ax_click", "Click Open to confirm"],
      [found?.cancel, "ax_click", "Click Cancel to dismiss"],
    );
  },
};
