// The same as cells_test.ts, on private Wayland desktops.
import { verifyCells } from "./_cells.ts";

const METHOD = "Wayland click and keys";

verifyCells("wayland", { name: "GTK 3", method: METHOD, file: "gtk3.py", args: [] });
verifyCells("wayland", { name: "Qt 6", method: METHOD, file: "qt.py", args: ["6"] });
