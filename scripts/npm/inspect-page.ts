import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Milliseconds until the installed package says where its page is. */
const PATIENCE = 30_000;

/** Opens the inspector of an installed package with a Node, and asks for its page: all of it must be in the package. */
export async function inspectPage(project: string, node: string): Promise<string> {
  const bin = join(project, "node_modules/backstep/bin.js");
  const args = [bin, "inspect", "sim.settings", "--session", "simulated", "--format", "json"];
  const child = spawn(join(node, "node"), args, { cwd: project, stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
  let said = "";
  try {
    const address = await new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          said += text;
          const [, url] = /"url":"([^"]+)"/.exec(said) ?? [];
          if (url !== undefined) resolve(url);
        });
      }
      child.on("close", () => reject(new Error(`backstep inspect ended:\n${said}`)));
    });
    const { origin, hash } = new URL(address);
    const page = await (await fetch(`${origin}/`)).text();
    const answer = await fetch(`${origin}/api/runs`, {
      method: "POST",
      headers: { authorization: `Bearer ${hash.slice(1)}`, "content-type": "application/json" },
      body: "null",
    });
    if (!page.includes("Backstep inspector") || answer.status !== 200) {
      throw new Error(`the page of backstep inspect is not there (${answer.status}): ${page.slice(0, 200)}`);
    }
    return `backstep inspect: a page of ${Math.round(page.length / 1024)} KB`;
  } finally {
    child.kill("SIGINT");
    await closed;
    clearTimeout(timer);
  }
}
