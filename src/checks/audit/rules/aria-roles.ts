import { NAME_ROLE_VALUE, type Rule } from "../rule.ts";

/** WAI-ARIA 1.2, *Definition of Roles*, without the abstract ones. */
const ARIA =
  "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox " +
  "complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell " +
  "group heading img image insertion link list listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox " +
  "menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup " +
  "rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript switch tab table " +
  "tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem";
/** ARIA 1.3 drafts that browsers know, and the Graphics module. */
const LATER =
  "comment mark suggestion sectionheader sectionfooter text graphics-document graphics-object graphics-symbol";
const DEFINED: ReadonlySet<string> = new Set([...ARIA.split(" "), ...LATER.split(" ")]);

/** Is it a role of WAI-ARIA, of its Graphics module, or of the Digital Publishing module ("doc-…")? */
const isDefined = (role: string) => DEFINED.has(role) || /^doc-[a-z]+$/.test(role);

/** Every role that an author gives is one that there is. */
export const ariaRoles: Rule = {
  id: "aria-roles",
  criterion: NAME_ROLE_VALUE,
  section508: ["502.3.1", "E207.2"],
  impact: "critical",
  help: "Every role that an author gives is one that there is.",
  suggestion: "Use a role of WAI-ARIA 1.2: what browsers do not know they leave out.",
  check(scene, tell) {
    if (!scene.web) return;
    for (const row of scene.rows) {
      const roles = scene.attribute(row, "xml-roles").toLowerCase().split(/\s+/).filter((role) =>
        role !== ""
      );
      if (roles.length === 0) continue;
      if (roles.includes("directory")) tell.fail(row, "its role, directory, is deprecated: it is a list");
      else if (roles.some(isDefined)) tell.pass(row);
      else tell.fail(row, `its role is ${JSON.stringify(roles.join(" "))}, which does not exist`);
    }
  },
};
