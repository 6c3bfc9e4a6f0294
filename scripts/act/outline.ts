import type { Application, Desktop } from "../../src/desktop/desktop.ts";
import { outline } from "../../src/desktop/outline.ts";
import { Role } from "../../src/desktop/roles.ts";
import { AUDIT_FIELDS } from "../../src/operations/audit.ts";

/** What accessibility tells of the page: each element with its attributes, for whoever asks why a rule said what it did. */
export async function outlineOf(desktop: Desktop, application: Application): Promise<string> {
  const snapshot = await desktop.snapshot(application, { fields: AUDIT_FIELDS });
  const page = Array.from({ length: snapshot.size }, (_, row) => row).find((row) =>
    snapshot.role(row) === Role.documentWeb
  );
  if (page === undefined) return "no page";
  return outline(snapshot, {
    root: page,
    collapse: false,
    annotate: (row) => {
      const rect = snapshot.rect(row);
      const relations = [1, 2, 3, 4, 5, 6].flatMap((type) =>
        (snapshot.relation(row, type) ?? []).length > 0 ? [type] : []
      );
      const attributes = Object.entries(snapshot.attributes(row)).map(([name, value]) => `${name}=${value}`)
        .join(" ");
      return `{${attributes}} <${snapshot.actions(row).map(String).join(",")}> ${relations.join()} ${
        rect === undefined ? "-" : `${rect.x},${rect.y},${rect.width}x${rect.height}`
      } d=${JSON.stringify(snapshot.description(row))} ${JSON.stringify(snapshot.textStyle(row))}`;
    },
  });
}
