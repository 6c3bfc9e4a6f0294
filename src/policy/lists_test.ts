import { equal } from "node:assert/strict";
import { blockedBy } from "./lists.ts";
import type { AppIdentity } from "./security.ts";

const VAULT: AppIdentity = {
  name: "KeePassXC",
  names: ["KeePassXC - Passwords"],
  id: "org.keepassxc.KeePassXC",
  pid: 7,
  windowClass: "keepassxc-window",
  executable: "/usr/bin/keepassxc-bin",
};

Deno.test("without lists nothing is blocked", () => {
  equal(blockedBy({ allowed: [], denied: [] }, VAULT), undefined);
});

Deno.test("an application is denied by its name, id, window class or program, in any case", () => {
  for (
    const name of [
      "keepassxc",
      "KEEPASSXC - passwords",
      "org.keepassxc.KeePassXC",
      "org.keepassxc.keepassxc.desktop",
      "KeePassXC-Window",
      "keepassxc-bin",
      "/usr/bin/keepassxc-bin",
      " KeePassXC ",
      "ＫｅｅＰａｓｓＸＣ",
    ]
  ) equal(blockedBy({ allowed: [], denied: [name] }, VAULT), "it is denied", name);
});

Deno.test("a part of a name means nothing", () => {
  for (const name of ["KeePass", "keepassxc.KeePassXC", "7", "bin"]) {
    equal(blockedBy({ allowed: [], denied: [name] }, VAULT), undefined, name);
  }
});

Deno.test("where some are allowed, only these are; denied goes before allowed", () => {
  equal(blockedBy({ allowed: ["Calculator"], denied: [] }, VAULT), "it is not among those allowed");
  equal(blockedBy({ allowed: ["keepassxc"], denied: [] }, VAULT), undefined);
  equal(blockedBy({ allowed: ["keepassxc"], denied: ["org.keepassxc.KeePassXC"] }, VAULT), "it is denied");
});

Deno.test("what nothing is known of is blocked as soon as a list names any", () => {
  const nobody = { name: "", pid: 0 };
  equal(blockedBy({ allowed: [], denied: [] }, nobody), undefined);
  equal(blockedBy({ allowed: [], denied: ["x"] }, nobody), "its application is unknown");
});
