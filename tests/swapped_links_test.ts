import { equal, ok } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Deadline } from "../src/base/call.ts";
import { BackstepError } from "../src/base/error.ts";
import { catalogue } from "../src/catalogue.ts";
import { fixture } from "../src/operations/_context.ts";
import { BaselineFolder } from "../src/operations/baseline-folder.ts";
import { loadWorkflow } from "../src/workflow/load.ts";

const SWAP = fileURLToPath(new URL("./fixtures/swap.py", import.meta.url));
/** Times that each way is gone at least, and times that it is to come to both ends of the race. */
const ROUNDS = 400;
const EACH = 20;
const workflow = (id: string) => `name: ${id}\nsteps:\n  - press: Return\n    id: ${id}\n`;
const INSIDE = workflow("inside");
const SMUGGLED = workflow("smuggled");

/** A project in which a link to a folder of somebody else's takes the place of what is asked for, and leaves it, all the time. */
interface Race {
  readonly root: string;
  /** What is asked for, from the root. */
  readonly path: string;
}

/** What a round came to: what was read, or undefined where nothing is. */
type Round = (race: Race) => Promise<string | undefined>;

/** `file`: its last component is swapped. `folder`: the one before. */
async function race(kind: "file" | "folder", name: string, round: Round): Promise<void> {
  const top = mkdtempSync(join(tmpdir(), "bs-swap-"));
  const [root, outside] = [join(top, "project"), join(top, "outside")];
  for (const folder of [root, join(root, "real"), outside]) mkdirSync(folder);
  writeFileSync(join(root, "deno.json"), "{}");
  writeFileSync(join(root, "real", name), INSIDE);
  writeFileSync(join(outside, name), SMUGGLED);
  symlinkSync(outside, join(root, "link"));
  symlinkSync(join(outside, name), join(root, "real", `link-${name}`));
  const [a, b] = kind === "folder"
    ? [join(root, "real"), join(root, "link")]
    : [join(root, "real", name), join(root, "real", `link-${name}`)];
  const swapper = spawn("/usr/bin/python3", [SWAP, a, b], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(swapper.stdout, "data");
    const counts = { done: 0, refused: 0, escaped: 0 };
    const deadline = Deadline.after(30_000);
    for (let n = 0; n < ROUNDS || counts.done < EACH || counts.refused < EACH; n++) {
      ok(!deadline.passed, `the race is not run: ${JSON.stringify(counts)}`);
      try {
        const reported = await round({ root, path: join("real", name) });
        if (reported?.includes("smuggled")) counts.escaped++;
        else counts.done++;
      } catch (thrown) {
        if (!(thrown instanceof BackstepError) || !/outside|leads out|ENOENT/.test(thrown.message)) {
          throw thrown;
        }
        counts.refused++;
      }
      // What lies outside is the account: nothing else, and nothing of it changed.
      if (readdirSync(outside).join() !== name || readFileSync(join(outside, name), "utf8") !== SMUGGLED) {
        counts.escaped++;
        rmSync(outside, { recursive: true });
        mkdirSync(outside);
        writeFileSync(join(outside, name), SMUGGLED);
      }
    }
    equal(counts.escaped, 0, `${kind}: ${JSON.stringify(counts)}`);
  } finally {
    swapper.kill("SIGKILL");
    if (swapper.exitCode === null && swapper.signalCode === null) await once(swapper, "exit");
    rmSync(top, { recursive: true, force: true });
  }
}

const KINDS = ["file", "folder"] as const;

Deno.test("a link that is swapped in between does not lead a workflow's `run:` out of the project", async () => {
  for (const kind of KINDS) {
    await race(kind, "part.yaml", ({ root, path }) => {
      writeFileSync(join(root, "main.yaml"), `name: main\nsteps:\n  - run: ${path}\n`);
      const workflow = loadWorkflow(join(root, "main.yaml"), { operations: catalogue, root });
      return Promise.resolve(JSON.stringify(workflow));
    });
  }
});

Deno.test("…nor what an assertion reads of a file", async () => {
  for (const kind of KINDS) {
    await race(kind, "notes.txt", async ({ root, path }) => {
      await using desk = fixture(["sim.settings"], { folder: root });
      const asked = { file: path, text: { contains: "smuggled" }, timeout: 0 };
      const error = await desk.fail("assert", asked).catch(() => undefined);
      if (error === undefined) return "smuggled: it was compared";
      if (error.code !== "assertion") throw error;
      return String(error.details?.["actual"]);
    });
  }
});

Deno.test("…nor where a picture is written", async () => {
  for (const kind of KINDS) {
    await race(kind, "shot.png", async ({ root, path }) => {
      await using desk = fixture(["sim.settings"], { folder: root });
      await desk.run("screenshot", { path, region: { x: 0, y: 0, width: 4, height: 4 } });
      return undefined;
    });
  }
});

Deno.test("…nor where baselines are read and written", async () => {
  for (const kind of KINDS) {
    await race(kind, "a.png", async ({ root, path }) => {
      const found = await new BaselineFolder(root, "all").find(path, {});
      return found && new TextDecoder().decode(found.bytes);
    });
    if (kind === "file") continue;
    await race(kind, "a.png", async ({ root, path }) => {
      await new BaselineFolder(root, "all").store(
        path.replace("a.png", "new/b.png"),
        {},
        new Uint8Array([1]),
      );
      return undefined;
    });
  }
});
