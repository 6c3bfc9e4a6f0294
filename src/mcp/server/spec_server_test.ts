import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import process from "node:process";
import { BackstepError } from "../../base/error.ts";
import { buildSnapshot } from "../../desktop/build.ts";
import { exploredOf } from "../../operations/explore-element.ts";
import { SETTINGS } from "../../policy/table.ts";
import { fixture, PLAIN_CLIENT } from "../session/_host.ts";
import { guarded } from "../security/_guarded.ts";
import { listResources, listTemplates, readResource, watchResource } from "./find-resource.ts";
import { OpenFolders } from "./roots.ts";
import { serverInfo } from "../sdk/introduction.ts";
import { answer, connected, errorOf } from "../tools/_answers.ts";
import { chosenBackend } from "../../vision/models.ts";

Deno.test("axterminator spec, section 3.2: the server says where people read about it", () => {
  ok(URL.canParse(serverInfo("1").websiteUrl));
});

Deno.test("axterminator spec, section 21.1: the vision backend may be auto-detect", () => {
  deepEqual(SETTINGS.vlmBackend.kind.fromText("auto-detect"), "auto-detect");
  const env = (name: string) => ({ BACKSTEP_VLM_BACKEND: "auto-detect", OPENAI_API_KEY: "k" })[name];
  equal(chosenBackend(env), "openai");
});

Deno.test("axterminator spec, section 16: .axterminator/ of a root holds configuration, workflows and baselines", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "backstep-spec-")));
  try {
    for (const part of ["macros", "baselines"]) {
      mkdirSync(join(folder, ".axterminator", part), { recursive: true });
    }
    for (const file of ["config.toml", "macros/a.yaml"]) {
      writeFileSync(join(folder, ".axterminator", file), "");
    }
    const client = {
      ...PLAIN_CLIENT,
      can: { ...PLAIN_CLIENT.can, roots: true },
      roots: () => Promise.resolve([{ uri: String(pathToFileURL(folder)) }]),
    };
    deepEqual(await new OpenFolders().list(client, new AbortController().signal), [{
      path: folder,
      workflows: [join(folder, ".axterminator/macros/a.yaml")],
      baselines: join(folder, ".axterminator/baselines"),
      configuration: join(folder, ".axterminator/config.toml"),
    }]);
    await fixture({ folder }, async (desk) => {
      await connected(desk);
      const { content } = await desk.tool("ax_screenshot", { app: "S" });
      const data = content.flatMap((one) => one.type === "image" ? [one.data] : []).join("");
      writeFileSync(join(folder, ".axterminator/baselines/form.png"), Buffer.from(data, "base64"));
      equal(
        (await answer(desk, "ax_visual_diff", { app: "S", baseline: "baseline:form.png" }))["passed"],
        true,
      );
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("axterminator spec, appendix A: every resource and template has annotations, those of macos:// too", async () => {
  await guarded({}, async (fixture) => {
    const all = [
      ...await listResources(fixture.host, fixture.call()),
      ...await listTemplates(fixture.host, fixture.call()),
    ];
    ok(all.some((one) => "uri" in one && one.uri.startsWith("macos://")));
    for (const one of all) {
      ok(
        (one.annotations?.audience?.length ?? 0) > 0 && one.annotations?.priority !== undefined,
        JSON.stringify(one),
      );
    }
  });
});

Deno.test("axterminator spec, section 17.1: a resource that is refused is -32002, one asked for otherwise than it can be -32602", async () => {
  for (const [code, number] of [["policy", -32002], ["app_gone", -32002], ["unsupported", -32602]] as const) {
    await guarded({}, async (fixture) => {
      const refuse = () =>
        Promise.reject(new BackstepError(code, "Cannot: it is so", { hint: "Run `backstep tree`" }));
      Object.assign(fixture.host.desktop.launcher, { list: refuse });
      Object.assign(fixture.host.desktop.desktop, { applications: refuse });
      const asked = readResource(fixture.host, "axterminator://apps", fixture.call());
      await rejects(asked, { code: number, message: /^Resource refused: axterminator:\/\/apps: Cannot/ });
      const watched = watchResource(
        fixture.host,
        "axterminator://app/Nobody/state",
        fixture.call(),
        () => {},
      );
      await rejects(watched, { code: -32002 });
    });
  }
});

Deno.test("axterminator spec, section 13.2: safe mode refuses a script before anything is said of what could run it", async () => {
  const kind = async (mode: string) => {
    let reported: unknown;
    await guarded({ environment: { BACKSTEP_SECURITY_MODE: mode } }, async (fixture) => {
      const path = process.env["PATH"] ?? "";
      process.env["PATH"] = "/nonexistent";
      try {
        reported = errorOf(await fixture.tool("ax_run_script", { script: "beep" }))["kind"];
      } finally {
        process.env["PATH"] = path;
      }
    });
    return reported;
  };
  deepEqual([await kind("safe"), await kind("normal")], ["SecurityBlocked", "ScriptUnavailable"]);
});

const notes = {
  id: "test.notes",
  name: "Notes",
  windows: [{
    key: "main",
    title: "Notes",
    children: [{ kind: "textarea" as const, key: "body", name: "Body" }, {
      kind: "entry" as const,
      key: "title",
      name: "Title",
    }],
  }],
};

Deno.test("axterminator spec, section 13.4: the audit log tells the role that the element has in every tool", async () => {
  await guarded({ applications: [notes] }, async (fixture) => {
    await fixture.tool("ax_connect", { app: "Notes" });
    for (const query of ['textarea[name="Body"]', 'textfield[name="Title"]']) {
      const { structuredContent } = await fixture.tool("ax_find", { app: "Notes", query });
      await fixture.tool("ax_set_value", { app: "Notes", query, value: "x" });
      const [line] = readFileSync(fixture.audit, "utf8").trim().split("\n").slice(-1);
      equal(JSON.parse(line ?? "{}").target.role, structuredContent?.["role"], query);
    }
  });
});

Deno.test("axterminator spec, section 12.2, scenario 2: neither the tree nor the picture has it, so that a person is asked", async () => {
  const answer = () => ({ action: "accept", content: { description: 'button[name="Open"]' } }) as const;
  const sample = () =>
    Promise.resolve({
      model: "m",
      stopReason: "endTurn",
      content: [{ type: "text", text: '{"found": false}' } as const],
    });
  await guarded({ answer, can: { sampling: true }, sample }, async (fixture) => {
    await fixture.tool("ax_connect", { app: "Store" });
    const { structuredContent: reported } = await fixture.tool("ax_find", {
      app: "Store",
      query: "the green thing",
    });
    equal(fixture.asked.length, 1);
    match(
      String(fixture.asked[0]?.message),
      /^Could not find 'the green thing' in Store\. Can you describe it differently\?/,
    );
    deepEqual([reported?.["found"], reported?.["method"], reported?.["title"]], [
      true,
      "accessibility",
      "Open",
    ]);
  });
});

Deno.test("axterminator spec, section 4.2: answers name an application as it is connected, not as it calls itself on the bus", async () => {
  await fixture({}, async (desk) => {
    await connected(desk);
    const { application } = desk.session.connections.get("S");
    desk.session.connections.connect(application, { appName: "Preferences" });
    const NAME = { app: "S", query: 'textfield[name="Name"]' };
    for (
      const [tool, args] of [
        ["ax_find", NAME],
        ["ax_get_value", NAME],
        ["ax_get_attributes", NAME],
        ["ax_set_value", { ...NAME, value: "Grace" }],
        ["ax_get_tree", { app: "S" }],
        ["ax_get_tree", { app: "S", compact: true }],
      ] as const
    ) equal((await answer(desk, tool, args))["app"], "Preferences", tool);
  });
});

Deno.test("interface explorer spec, section 4: a binding without a key is no shortcut", () => {
  const application = { bus: ":1.5", name: "editor", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" };
  const shortcuts = (keys: string) => {
    const snapshot = buildSnapshot({ role: "pushButton", name: "Save", keys }, application);
    return exploredOf(snapshot, 0, { id: "el-1" }).attributes["keyboardShortcut"];
  };
  deepEqual([shortcuts("<VoidSymbol>"), shortcuts("<Primary>s")], [undefined, "<Primary>s"]);
});
