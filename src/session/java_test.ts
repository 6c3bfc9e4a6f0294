import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { javaBridge, withJavaBridge } from "./java.ts";

const bridge = { jar: "/j/bridge.jar", libraries: "/l/jni" };
const OURS = "-Xbootclasspath/a:/j/bridge.jar -Dsun.boot.library.path=/l/jni " +
  "-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper";

Deno.test("Java gets its bridge where that is installed, and nothing where it is not", () => {
  assert.equal(withJavaBridge({ A: "b" }, bridge)["JAVA_TOOL_OPTIONS"], OURS);
  assert.deepEqual(withJavaBridge({ A: "b" }, undefined), { A: "b" });
});

Deno.test("what JAVA_TOOL_OPTIONS holds stays and prevails; whoever names assistive technologies has decided", () => {
  const own = withJavaBridge({ JAVA_TOOL_OPTIONS: "-Xmx64m" }, bridge);
  assert.equal(own["JAVA_TOOL_OPTIONS"], `${OURS} -Xmx64m`);
  const none = { JAVA_TOOL_OPTIONS: "-Djavax.accessibility.assistive_technologies=" };
  assert.equal(withJavaBridge(none, bridge), none);
});

Deno.test("the bridge is found with its library, whatever the machine's architecture", () => {
  const root = mkdtempSync(join(tmpdir(), "bs-java-"));
  try {
    const jar = join(root, "bridge.jar");
    assert.equal(javaBridge(jar, root), undefined);
    writeFileSync(jar, "");
    assert.equal(javaBridge(jar, root), undefined);
    const jni = join(root, "riscv64-linux-gnu/jni");
    mkdirSync(jni, { recursive: true });
    writeFileSync(join(jni, "libatk-wrapper.so"), "");
    assert.deepEqual(javaBridge(jar, root), { jar, libraries: jni });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
