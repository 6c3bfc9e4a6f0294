import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalogue } from "../src/catalogue.ts";
import type { RunEvent, RunResult } from "../src/contract/events.ts";
import { readEvidence } from "../src/engine/evidence/read.ts";
import { runFolder } from "../src/engine/journal/journal.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { Encryption } from "../src/engine/journal/encryption.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";
import {
  assertNowhere,
  assertNowhereBelow,
  FAILS,
  forbidden,
  PYTHON,
  receivedIn,
  SECRETS,
  STEPS,
  WINDOW,
} from "./_shown.ts";

const PAGE = fileURLToPath(new URL("fixtures/secrets/page.html", import.meta.url));

interface Ran {
  readonly result: RunResult;
  readonly events: readonly RunEvent[];
}

async function ran(
  session: Session,
  state: string,
  secret: string,
  app: string,
  steps: string,
): Promise<Ran> {
  const yaml =
    `name: Codes\napp: '${app}'\nsecrets: [CODE]\nsteps:\n  - transaction:\n      name: all\n      steps:${
      steps.replaceAll("\n", "\n      ")
    }\n`;
  const events: RunEvent[] = [];
  const result = await runWorkflow(parseWorkflow(yaml, { file: "codes.yaml", operations: catalogue }), {
    operations: catalogue,
    session,
    vars: {},
    surroundings: { env: () => undefined, secret: (name) => name === "CODE" ? secret : undefined },
    folder: state,
    state,
    evidence: "on",
    listener: (event) => events.push(event),
  });
  return { result, events };
}

/** Everything that a run tells and keeps. */
function search({ result, events }: Ran, state: string, secret: string): void {
  const { secret: itself, made } = forbidden(secret);
  assertNowhere("the result", JSON.stringify(result), made);
  assertNowhere("the events", JSON.stringify(events), made);
  const { records, evidence, decrypted } = readEvidence(state, result.run);
  assert.ok(evidence && evidence.trees.length > 0, "evidence was kept");
  assertNowhere("the trees", JSON.stringify([evidence.trees, evidence.steps, evidence.rollbacks]), made);
  assertNowhere("the journal", JSON.stringify(records), made);
  assert.ok(records.some(({ kind }) => kind === "withheld"));
  const encryption = Encryption.open(state, result.run);
  for (const record of records) {
    assertNowhere(`what is shown of line ${record.n}`, JSON.stringify(decrypted(record) ?? null), made);
    if ("encrypted" in record && record.encrypted !== undefined) {
      const opened = JSON.stringify(encryption.decrypt(record.encrypted));
      assertNowhere(`what is encrypted in line ${record.n}`, opened, itself);
    }
  }
  assert.ok(assertNowhereBelow(runFolder(state, result.run), made) > 1);
}

for (
  const [toolkit, needs] of [["gtk3", "gi"], ["gtk4", "gi"], ["qt5", "PyQt5"], ["qt6", "PyQt6"]] as const
) {
  const ignore = !existsSync(`/usr/lib/python3/dist-packages/${needs}`);
  Deno.test(
    { name: `no secret is shown that ${toolkit} writes otherwise, or makes something of`, ignore },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "bs-shown-"));
      const session = await openSession({ kind: "isolated", state: folder });
      try {
        const { processId } = await session.launcher.launch(PYTHON, {
          args: ["-B", WINDOW, toolkit, folder],
        });
        for (const secret of SECRETS) {
          for (const steps of [STEPS, STEPS + FAILS]) {
            const one = await ran(session, folder, secret, String(processId), steps);
            const reported = JSON.stringify([one.result.error, one.result.rollback]);
            assert.equal(one.result.status, steps === STEPS ? "passed" : "failed", reported);
            assert.ok(receivedIn(folder).includes(secret), "the field itself got it");
            if (steps !== STEPS) assert.equal(receivedIn(folder).at(-1), "", "and it was rolled back");
            search(one, folder, secret);
            // As it was: the next one begins with an empty field.
            const cleared = await ran(
              session,
              folder,
              secret,
              String(processId),
              `
  - set: { target: 'textfield[name="Code"]', value: '' }`,
            );
            assert.equal(cleared.result.status, "passed", JSON.stringify(cleared.result.error));
          }
        }
      } finally {
        await session.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
}

/** Serves the page, and hears what its field received. */
async function withPage(action: (address: string, heard: readonly string[]) => Promise<void>): Promise<void> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (bytes) => body += bytes);
    request.on("end", () => {
      if (request.method === "POST") heard.push(String(JSON.parse(body)));
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(request.method === "POST" ? "" : readFileSync(PAGE));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  try {
    await action(`http://127.0.0.1:${address.port}/`, heard);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const chromium = { ignore: !existsSync("/usr/bin/chromium") };

Deno.test(
  "no secret is shown that a page in Chromium writes otherwise",
  chromium,
  () =>
    withPage(async (address, heard) => {
      const folder = mkdtempSync(join(tmpdir(), "bs-shown-"));
      const session = await openSession({ kind: "isolated", state: folder });
      try {
        await session.launcher.launch("chromium", { args: [address] });
        for (const secret of SECRETS.slice(0, 1)) {
          const one = await ran(
            session,
            folder,
            secret,
            "chromium",
            `
  - wait: { target: 'textfield[name="Code"]', timeout: 20s }${STEPS}${FAILS}`,
          );
          assert.equal(one.result.status, "failed");
          assert.match(one.result.error?.message ?? "", /Cannot confirm textfield\[name="Code"\]/);
          assert.ok(heard.includes(secret), `the page got it: ${heard.join()}`);
          search(one, folder, secret);
        }
      } finally {
        await session.close();
        rmSync(folder, { recursive: true, force: true });
      }
    }),
);
