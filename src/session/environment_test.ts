import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { baseFolder, desktopEnvironment, foldersOf } from "./environment.ts";

const users = {
  PATH: "/usr/bin",
  HOME: "/home/me",
  DISPLAY: ":0",
  WAYLAND_DISPLAY: "wayland-0",
  DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/1000/bus",
  AT_SPI_BUS_ADDRESS: "unix:path=/run/user/1000/at-spi/bus",
  GTK_MODULES: "gail:atk-bridge",
  GTK_THEME: "Dark",
  LC_ALL: "de_DE.UTF-8",
  XAUTHORITY: "/home/me/.Xauthority",
  API_TOKEN: "secret",
  LD_LIBRARY_PATH: "/opt/lib",
};

Deno.test("nothing of the user's desktop, secrets or language reaches a private one", () => {
  const environment = desktopEnvironment("abc234", foldersOf("/tmp/bs-abc234"), users);
  for (
    const name of [
      "DISPLAY",
      "WAYLAND_DISPLAY",
      "AT_SPI_BUS_ADDRESS",
      "GTK_MODULES",
      "GTK_THEME",
      "LC_ALL",
      "API_TOKEN",
    ]
  ) assert.equal(environment[name], undefined, name);
  assert.notEqual(environment["XAUTHORITY"], "/home/me/.Xauthority");
  assert.equal(environment["DBUS_SESSION_BUS_ADDRESS"], "unix:path=/tmp/bs-abc234/run/bus");
  assert.equal(environment["HOME"], "/tmp/bs-abc234/home");
  assert.equal(environment["PATH"], "/usr/bin");
  assert.equal(environment["LD_LIBRARY_PATH"], "/opt/lib");
  assert.equal(environment["BACKSTEP_DESKTOP"], "abc234");
});

Deno.test("the user has a name, also where no variable tells it", () => {
  const names = (users: Record<string, string>) => {
    const { USER, LOGNAME } = desktopEnvironment("abc234", foldersOf("/tmp/bs-abc234"), users);
    return [USER, LOGNAME];
  };
  assert.deepEqual(names({ USER: "me", LOGNAME: "me" }), ["me", "me"]);
  assert.deepEqual(names({ LOGNAME: "me" }), ["me", "me"]);
  assert.deepEqual(names({ USER: "", LOGNAME: "me" }), ["me", "me"]);
  const { username } = userInfo();
  assert.deepEqual(names({}), [username, username]);
});

Deno.test("every folder that applications write to lies in the desktop's own", () => {
  const environment = desktopEnvironment("abc234", foldersOf("/tmp/bs-abc234"), users);
  const own = [
    "HOME",
    "TMPDIR",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
  ];
  for (const name of own) assert.match(environment[name] ?? "", /^\/tmp\/bs-abc234\//, name);
});

Deno.test("paths of sockets fit in what the kernel takes", () => {
  const { runtime } = foldersOf("/tmp/bs-abc234");
  assert.ok(`${runtime}/at-spi2-XXXXXX/socket`.length < 108);
});

Deno.test("input methods are off", () => {
  const environment = desktopEnvironment("abc234", foldersOf("/tmp/bs-abc234"), { GTK_IM_MODULE: "ibus" });
  assert.equal(environment["GTK_IM_MODULE"], "gtk-im-context-simple");
  assert.equal(environment["QT_IM_MODULE"], "");
  assert.equal(environment["XMODIFIERS"], "@im=none");
});

Deno.test("desktops lie in the folder for temporary files, unless a bus or a shell would read its path otherwise", () => {
  assert.equal(baseFolder("/tmp"), "/tmp");
  assert.equal(baseFolder("/var/folders/a-b_c.d"), "/var/folders/a-b_c.d");
  for (const odd of ["/tmp/my files", "/tmp/a,b", "/tmp/a&b", "/tmp/$x", "here", "", `/${"x".repeat(60)}`]) {
    assert.equal(baseFolder(odd), "/tmp", odd);
  }
});
