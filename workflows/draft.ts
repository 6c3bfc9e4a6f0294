// The same engine as a YAML file's: `backstep run workflows/draft.ts --session isolated`.
import { workflow } from "../mod.ts";

export default workflow("Write a draft and look for Save", {
  session: "isolated",
  timeout: 60_000,
  vars: { title: "Draft.txt", text: "Every step knows the way back." },
  expect: { status: "failed", rollback: "restored" },
  before: async (t) => {
    await t.launch("org.gnome.gedit");
  },
  after: async (t) => {
    await t.app("gedit").quit(undefined, { optional: true });
  },
}, async (t) => {
  const editor = t.app("gedit");
  const page = editor.locator("textarea:focused");
  await t.transaction("save", async () => {
    await page.type(t.vars.text);
    await t.expect(page).toHaveText({ contains: t.vars.text });
    await editor.press("ctrl+s", { undo: (e) => e.press("Escape") });
    await editor.locator("dialog textfield:visible").set(t.vars.title);
    await t.expect(editor.locator('dialog button[name="Never"]')).toExist(true, { timeout: 200 });
  });
});
