#!/usr/bin/env bash
# On a Mac: builds the core with Apple's compiler, starts a form of AppKit that writes down what happens to it, tries each action on it, and
# writes what came of it to macos-probe.json. docs/how-to/macos.md says what becomes of that. Nobody has run it on a Mac yet.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(uname -s)" != Darwin ]; then echo "probe: this is no Mac; make -C native macos-probe runs the same over the stand-in"; exit 2; fi
command -v clang >/dev/null && command -v make >/dev/null || { echo "probe: xcode-select --install brings clang and make"; exit 2; }
make -C native macos
folder=$(mktemp -d)
form=""
trap '[ -z "$form" ] || kill "$form" 2>/dev/null; rm -rf "$folder"' EXIT
clang -std=c11 -O2 -o "$folder/probe" native/tests/macos/probe/probe.c native/src/bytes.c native/build/macos/libbackstep.dylib -Wl,-rpath,"$PWD/native/build/macos"
: >"$folder/account"
osascript -l JavaScript native/tests/macos/probe/form.js "$folder/account" &
form=$!
for _ in $(seq 100); do grep -q ready "$folder/account" && break; sleep 0.1; done
grep -q ready "$folder/account" || { echo "probe: the form did not start"; exit 1; }
set +e
"$folder/probe" "$form" "$folder/account" >"$folder/claims"
code=$?
set -e
{
  echo "{"
  echo "  \"system\": \"macOS $(sw_vers -productVersion) ($(sw_vers -buildVersion)), $(sysctl -n machdep.cpu.brand_string), $(uname -m)\","
  echo "  \"commit\": \"$(git rev-parse HEAD 2>/dev/null || echo unknown)\","
  echo "  \"claims\": ["
  sed -e 's/^/    /' -e '$!s/$/,/' "$folder/claims"
  echo "  ]"
  echo "}"
} >macos-probe.json
echo "probe: macos-probe.json has $(wc -l <"$folder/claims" | tr -d ' ') claims"
exit $code
