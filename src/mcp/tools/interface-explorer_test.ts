import assert from "node:assert/strict";
import { z } from "zod";
import type { Json } from "../../base/error.ts";
import type { ApplicationDescription } from "../../desktop/simulated/describe.ts";
import { Explored } from "../../operations/explore-element.ts";
import { type Fixture, fixture } from "../session/_host.ts";
import { ProtocolError } from "../server/wire.ts";

const NAME = "macos_interface_explorer";
type Args = { readonly [key: string]: Json };

/** The elements, and what is said beside them. */
async function explored(tool: Fixture["tool"], args: Args): Promise<{ elements: Explored[]; left: string }> {
  const { content, isError, structuredContent } = await tool(NAME, args);
  assert.equal(isError, undefined, JSON.stringify(content));
  assert.equal(structuredContent, undefined, "an array is no structured content");
  const texts = content.flatMap((one) => one.type === "text" ? [one.text] : []);
  const at = texts.findIndex((text) => text.startsWith("["));
  const elements = z.array(Explored).parse(JSON.parse(texts[at] ?? ""));
  return { elements, left: texts.slice(at + 1).join("\n") };
}

function* all(elements: readonly Explored[]): Generator<Explored> {
  for (const element of elements) {
    yield element;
    yield* all(element.children ?? []);
  }
}

const named = (elements: readonly Explored[], title: string) =>
  [...all(elements)].find((element) => element.title === title) ?? assert.fail(`no ${title}`);

async function kindOfFailure(tool: Fixture["tool"], args: Args): Promise<string> {
  const { isError, content } = await tool(NAME, args);
  assert.equal(isError, true, JSON.stringify(content));
  const reported =
    content.flatMap((one) => one.type === "text" && one.text.startsWith("{") ? [one.text] : [])[0];
  const read = z.object({ error: z.object({ kind: z.string(), suggestion: z.string().min(1) }) });
  return read.parse(JSON.parse(reported ?? "null")).error.kind;
}

const SETTINGS = { scope: "application", bundleId: "sim.settings" };

Deno.test("an application comes as one tree, each element with all that the specification names", async () => {
  await fixture({}, async ({ tool }) => {
    const { elements } = await explored(tool, SETTINGS);
    assert.equal(elements.length, 1);
    assert.equal(elements[0]?.role, "AXApplication");
    const name = named(elements, "Name");
    const { id, frame, ...rest } = name;
    assert.match(id, /^el-[0-9a-z]{6,}$/);
    assert.ok(frame.width > 0 && frame.height > 0);
    assert.deepEqual(rest, {
      role: "AXTextField",
      name: "Name",
      title: "Name",
      value: "Ada",
      state: rest.state,
      capabilities: ["editable", "focusable"],
      actions: rest.actions,
      attributes: rest.attributes,
    });
    assert.deepEqual(rest.state, ["enabled", "visible", "unfocused", "unselected", "editable", "optional"]);
    const check = named(elements, "Notify me");
    assert.equal(check.role, "AXCheckBox");
    assert.equal(check.value, "true");
    assert.deepEqual(check.actions, ["AXPress"]);
    assert.deepEqual(check.capabilities.slice(0, 2), ["clickable", "toggleable"]);
  });
});

Deno.test("the content of a password field is never told", async () => {
  const vault: ApplicationDescription = {
    id: "sim.vault",
    name: "Vault",
    windows: [{
      key: "main",
      title: "Vault",
      children: [{ kind: "password", key: "pin", name: "PIN", text: "4711" }],
    }],
  };
  await fixture({ applications: [vault] }, async ({ tool }) => {
    const { elements } = await explored(tool, { scope: "application", bundleId: "sim.vault" });
    assert.equal(named(elements, "PIN").value, undefined);
    assert.ok(!JSON.stringify(elements).includes("4711"));
    const found = await explored(tool, {
      scope: "application",
      bundleId: "sim.vault",
      filter: { valueContains: "4711" },
    });
    assert.deepEqual(found.elements, []);
  });
});

Deno.test("types and filters give matches one after another, of just that kind", async () => {
  await fixture({}, async ({ tool }) => {
    const { elements } = await explored(tool, {
      ...SETTINGS,
      elementTypes: ["checkbox", "radio"],
      maxDepth: 0,
    });
    assert.ok(elements.length > 2);
    for (const { role, children } of elements) {
      assert.ok(role === "AXCheckBox" || role === "AXRadioButton");
      assert.equal(children, undefined);
    }
    const filtered = async (filter: Args) => {
      const found = await explored(tool, { ...SETTINGS, filter, maxDepth: 0 });
      return found.elements.map(({ title }) => title);
    };
    assert.deepEqual(await filtered({ titleContains: "NOTIFY" }), ["Notify me"]);
    assert.deepEqual(await filtered({ valueContains: "ada" }), ["Name"]);
    assert.deepEqual(await filtered({ role: "AXTextField", titleContains: "mail" }), ["E-mail"]);
    assert.deepEqual(await filtered({ role: "AXSecureTextField" }), ["PIN"]);
    assert.deepEqual(await filtered({ descriptionContains: "nothing says this" }), []);
  });
});

Deno.test("a role that no element can have is answered with those that are near", async () => {
  await fixture({}, async ({ tool }) => {
    const { elements, left } = await explored(tool, { ...SETTINGS, filter: { role: "AXButon" } });
    assert.deepEqual(elements, []);
    assert.match(left, /no element has the role "AXButon".*AXButton/i);
  });
});

Deno.test("an element that is told twice by its place in the tree is told once", async () => {
  await fixture({}, async ({ tool }) => {
    const { elements } = await explored(tool, { ...SETTINGS, filter: { titleContains: "e" }, limit: 500 });
    const ids = [...all(elements)].map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });
});

Deno.test("hidden elements are left out, and said to be, unless they are asked for", async () => {
  await fixture({}, async ({ tool }) => {
    const { elements, left } = await explored(tool, { ...SETTINGS, limit: 1000 });
    assert.ok([...all(elements)].every(({ state }) => state.includes("visible") || state.length === 0));
    assert.match(left, /\d+ hidden \(includeHidden\)/);
    const whole = await explored(tool, { ...SETTINGS, includeHidden: true, limit: 1000 });
    assert.ok([...all(whole.elements)].some(({ state }) => state.includes("hidden")));
    assert.doesNotMatch(whole.left, /hidden/);
  });
});

Deno.test("a limit bounds all elements, nearest the top first, and what is beyond is counted", async () => {
  await fixture({}, async ({ tool }) => {
    const { elements, left } = await explored(tool, { ...SETTINGS, limit: 5 });
    assert.equal([...all(elements)].length, 5);
    assert.match(left, /^Shown: 5 elements\. Left out: \d+ more beyond limit 5/);
    const matches = await explored(tool, { ...SETTINGS, elementTypes: ["textfield"], limit: 2 });
    assert.deepEqual(matches.elements.map(({ title }) => title), ["Name", "E-mail"]);
  });
});

Deno.test("a depth bounds the levels below each element, and that there is more is said", async () => {
  await fixture({}, async ({ tool }) => {
    const { elements, left } = await explored(tool, { ...SETTINGS, maxDepth: 1 });
    const [app] = elements;
    assert.ok(
      app?.children?.every(({ children, capabilities }) =>
        children === undefined && capabilities.includes("hasChildren")
      ),
    );
    assert.match(left, /deeper than maxDepth 1/);
    assert.deepEqual((await explored(tool, { ...SETTINGS, maxDepth: 0 })).elements[0]?.children, undefined);
  });
});

Deno.test("an id answers as element, with what is below, until its element is gone", async () => {
  await fixture({}, async ({ tool, desktop }) => {
    const { elements } = await explored(tool, SETTINGS);
    const { id, ...theme } = named(elements, "Theme");
    const one = await explored(tool, { scope: "element", elementId: id });
    assert.equal(one.elements.length, 1);
    assert.equal(one.elements[0]?.id, id, "the same element keeps its id");
    assert.deepEqual({ ...one.elements[0], id: "" }, { ...theme, id: "" });
    desktop.quit("sim.settings", { force: true });
    assert.match(
      await kindOfFailure(tool, { scope: "element", elementId: id }),
      /^(ElementStale|AppNotRunning)$/,
    );
  });
});

Deno.test("a path and an accessible id answer as element too", async () => {
  await fixture({}, async ({ tool }) => {
    const path =
      'macos://ui/AXApplication[@bundleIdentifier="sim.settings"]//AXCheckBox[@AXTitle="Notify me"]';
    assert.equal(
      (await explored(tool, { scope: "element", elementId: path })).elements[0]?.title,
      "Notify me",
    );
    assert.equal((await explored(tool, { scope: "element", elementId: "name" })).elements[0]?.title, "Name");
  });
});

Deno.test("a point gives the element that a pointer would reach there", async () => {
  await fixture({ applications: ["sim.editor", "sim.settings"] }, async ({ tool }) => {
    const { elements } = await explored(tool, SETTINGS);
    const { frame, id } = named(elements, "Play sounds");
    const x = frame.x + Math.floor(frame.width / 2), y = frame.y + Math.floor(frame.height / 2);
    const there = await explored(tool, { scope: "position", x, y });
    assert.deepEqual(there.elements.map((element) => element.id), [id]);
    assert.equal(await kindOfFailure(tool, { scope: "position", x: -5, y: 100_000 }), "ElementNotFound");
  });
});

Deno.test("the focused application is the one whose window is active", async () => {
  await fixture({ applications: ["sim.editor", "sim.settings"] }, async ({ tool, desktop }) => {
    const focused = async () => (await explored(tool, { scope: "focused", maxDepth: 0 })).elements[0]?.title;
    for (const title of ["Untitled - Editor", "Settings"]) {
      const window = (await desktop.windows()).find((one) => one.title === title);
      await desktop.window(window?.id ?? -1, { do: "activate" });
      assert.equal(await focused(), title === "Settings" ? "Settings" : "Editor");
    }
  });
});

Deno.test("the system is every application that may be seen", async () => {
  const applications = ["sim.editor", "sim.settings", "sim.calculator"];
  await fixture({
    applications,
    security: {
      mode: "normal",
      blocked: ({ id }) => id === "sim.editor" ? "denied" : undefined,
      onChange: () => () => {},
    },
  }, async ({ tool }) => {
    const { elements } = await explored(tool, { scope: "system", maxDepth: 1 });
    assert.deepEqual(elements.map(({ title }) => title), ["Settings", "Calculator"]);
    assert.ok(elements.every(({ children }) => children?.[0]?.role === "AXWindow"));
    assert.equal(
      await kindOfFailure(tool, { scope: "application", bundleId: "sim.editor" }),
      "SecurityBlocked",
    );
  });
});

Deno.test("an application that does not answer is named, and the others are told", async () => {
  await fixture({
    applications: ["sim.editor", "sim.settings"],
    faults: [{
      fault: "fail",
      code: "timeout",
      when: { call: "snapshot", app: "sim.editor", times: "always" },
    }],
  }, async ({ tool }) => {
    const { elements, left } = await explored(tool, { scope: "system", maxDepth: 1 });
    assert.deepEqual(elements.map(({ title }) => title), ["Settings"]);
    assert.match(left, /all of "Editor" \(\d+\), which did not answer/);
  });
});

const REFUSED: readonly (readonly [string, Args, RegExp])[] = [
  ["no scope", {}, /scope/],
  ["a scope that is none", { scope: "world" }, /scope/],
  ["no bundleId", { scope: "application" }, /bundleId/],
  ["an empty bundleId", { scope: "application", bundleId: "" }, /bundleId/],
  ["no elementId", { scope: "element" }, /elementId/],
  ["no y", { scope: "position", x: 1 }, /y/],
  ["a depth below 0", { scope: "focused", maxDepth: -1 }, /maxDepth/],
  ["a depth that is a text", { scope: "focused", maxDepth: "3" }, /maxDepth/],
  ["a limit of 0", { scope: "focused", limit: 0 }, /limit/],
  ["a limit below 0", { scope: "focused", limit: -3 }, /limit/],
  ["a limit that is a fraction", { scope: "focused", limit: 1.5 }, /limit/],
  ["a huge limit", { scope: "focused", limit: 1e9 }, /limit/],
  ["a type that is none", { scope: "focused", elementTypes: ["knob"] }, /elementTypes/],
  ["an empty filter text", { scope: "focused", filter: { titleContains: "" } }, /titleContains/],
  ["a filter that is none", { scope: "focused", filter: { title: "x" } }, /titleContains/],
  ["a property that is none", { scope: "focused", depth: 3 }, /depth/],
];
for (const [what, args, says] of REFUSED) {
  Deno.test(`${what} is an error of the call (-32602) that names it`, async () => {
    await fixture({ applications: [] }, async ({ tool }) => {
      await assert.rejects(
        tool(NAME, args),
        (error) => error instanceof ProtocolError && error.code === -32602 && says.test(error.message),
      );
    });
  });
}

Deno.test("a fraction of a level and more levels than there are are taken", async () => {
  await fixture({}, async ({ tool }) => {
    assert.ok((await explored(tool, { ...SETTINGS, maxDepth: 1.7 })).elements[0]?.children);
    assert.ok((await explored(tool, { ...SETTINGS, maxDepth: 1e9 })).elements.length === 1);
  });
});

Deno.test("no such application, one that does not run, and no such element are distinguished", async () => {
  await fixture({}, async ({ tool }) => {
    const application = (bundleId: string) => kindOfFailure(tool, { scope: "application", bundleId });
    assert.equal(await application("com.example.nowhere"), "AppNotFound");
    assert.equal(await application("sim.editor"), "AppNotRunning");
    for (
      const elementId of [
        "el-zzzzzzzz",
        "nowhere",
        'macos://ui/AXApplication[@bundleIdentifier="sim.settings"]/AXSheet',
      ]
    ) {
      assert.equal(await kindOfFailure(tool, { scope: "element", elementId }), "ElementNotFound", elementId);
    }
  });
});
