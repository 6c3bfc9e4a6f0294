import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, ROOT } from "./_command.ts";

/** Runs with a folder for a project, and one for what runs leave. */
async function inProject(action: (project: string, state: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "backstep-init-"));
  try {
    await action(join(folder, "project"), join(folder, "state"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

Deno.test("init writes a workflow that runs, with the schema for editors, and a CI file", () =>
  inProject(async (project, state) => {
    const { code, err } = await command(["init", project], state);
    assert.equal(code, 0, err);
    const text = readFileSync(join(project, "workflows/first.yaml"), "utf8");
    assert.match(text, /^# Run it: (?:npx --no-install )?backstep run workflows\/first\.yaml\nname: /m);
    assert.equal(
      text.split("\n")[0],
      `# yaml-language-server: $schema=${join(ROOT, "schema/workflow.json")}`,
    );
    assert.match(
      readFileSync(join(project, ".github/workflows/backstep.yml"), "utf8"),
      /npx --no-install backstep test/,
    );
    assert.equal(
      readFileSync(join(project, ".gitignore"), "utf8"),
      "node_modules/\n.backstep/\ntest-results/\n",
    );
    const ran = await command(["run", join(project, "workflows/first.yaml"), "--format", "json"], state);
    assert.equal(ran.code, 0, ran.err);
    assert.equal(JSON.parse(ran.out).status, "passed");
  }));

Deno.test("init names the schema of the package that the project has, by a relative path", () =>
  inProject(async (project, state) => {
    mkdirSync(join(project, "node_modules/backstep/schema"), { recursive: true });
    writeFileSync(join(project, "node_modules/backstep/schema/workflow.json"), "{}");
    assert.equal((await command(["init", project, "--ci", "none"], state)).code, 0);
    const [first] = readFileSync(join(project, "workflows/first.yaml"), "utf8").split("\n");
    assert.equal(first, "# yaml-language-server: $schema=../node_modules/backstep/schema/workflow.json");
  }));

Deno.test("init overwrites nothing: one file that is there, and none is written", () =>
  inProject(async (project, state) => {
    mkdirSync(project);
    writeFileSync(join(project, ".gitlab-ci.yml"), "mine\n");
    writeFileSync(join(project, ".gitignore"), "dist/\n.backstep/");
    const { code, err } = await command(["init", project, "--ci", "gitlab"], state);
    assert.equal(code, 1);
    assert.match(err, /^Error \(refused\): Cannot write into .*: \.gitlab-ci\.yml already there\n/);
    assert.equal(readFileSync(join(project, ".gitlab-ci.yml"), "utf8"), "mine\n");
    assert.throws(() => readFileSync(join(project, "workflows/first.yaml")), /ENOENT/);
    // What an existing .gitignore has stays.
    assert.equal((await command(["init", project], state)).code, 0);
    assert.equal(
      readFileSync(join(project, ".gitignore"), "utf8"),
      "dist/\n.backstep/\nnode_modules/\ntest-results/\n",
    );
  }));
