import type { Row } from "./rows.ts";

/** A row whose scene need not be said. */
export type More = Omit<Row, "scene"> & Partial<Pick<Row, "scene">>;

/** Presses a key, with the application in front. */
export const press = (app: string, key: string) => ({ tool: "ax_key_press", args: { app, key } });
