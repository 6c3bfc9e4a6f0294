import { beforeAll, reach } from "./begin.ts";
import { answer, said, use } from "./compose.ts";
import { runningApps } from "./running-apps.ts";
import { completing, type Guide } from "./values.ts";
import { linesOf, viewOf } from "./view.ts";

/** Levels of the Web Content Accessibility Guidelines, as the tool names them. */
const LEVELS: Readonly<Record<string, string>> = { A: "wcag_a", AA: "wcag_aa", AAA: "wcag_aaa" };

/** "wcag 2.1 aa" and "AA" are the same level. */
function levelOf(text: string): string | undefined {
  return /(?:^|[^A-Z])(A{1,3})$/.exec(text.trim().toUpperCase())?.[1];
}

/** Guides through an audit of accessibility. */
export const accessibilityAudit: Guide = {
  async get({ app_name = "", standard = "" }, call) {
    const view = await viewOf(app_name, await runningApps(call), call);
    const { name: app } = view;
    const level = levelOf(standard);
    const standards = [LEVELS[level ?? "AA"] ?? "wcag_aa"];
    return answer({
      description: `Audit the accessibility of ${said(app_name)}, WCAG ${level ?? "AA"}`,
      goal: `Audit the application ${said(app_name)} for WCAG level ${
        level ?? "AA"
      }, and say what keeps which people from using it.`,
      steps: [
        level === undefined && standard.trim() !== ""
          ? `${said(standard)} is no level of WCAG: AA is used; say so.`
          : "",
        `Check that accessibility works: ${use("ax_is_accessible")}.`,
        ...reach(view),
        beforeAll(view),
        `Audit the window in front: ${use("ax_a11y_audit", { app, scope: "focused_window", standards })}.`,
        `Audit the other windows, dialogs and tabs in the same way: open each (\`ax_click\`), audit it, close it again. All at once: ${
          use("ax_a11y_audit", { app, scope: "full", standards })
        }.`,
        `Walk with the keyboard: ${
          use("ax_key_press", { app, key: "tab" })
        } again and again, and read where the focus is (${
          use("ax_find", { app, query: ":focused" })
        }). Everything that can be used must get the focus, in an order that makes sense, and let go of it.`,
        `Look at it: ${
          use("ax_screenshot", { app })
        }. Judge what no tool can: whether names say what things do, whether only colour carries information.`,
        "Report by impact, worst first: the element (with a query), the criterion, who is kept from what, and how to mend it. Then what " +
        "the audit could not judge, and what was not looked at.",
      ],
      rules: [
        "The audit finds only part of what is wrong: passing it is no proof of conformance.",
        "Leave the application as it was.",
      ],
      shown: linesOf(view),
    });
  },
  complete: completing({ app_name: "apps", standard: Object.keys(LEVELS) }),
};
