#!/usr/bin/env bash
# Faults put into a copy of the macOS core, one at a time: the tests must fail for each. Ends with 1 where one goes unseen.
# Each line: the test that sees it | the file | what becomes of it (sed -E; \x7c is a bar in what it becomes) | what it is.
set -uo pipefail
cd "$(dirname "$0")/../.."
make -s macos-test >/dev/null 2>&1 || { echo "mutants: the tests fail without any"; exit 1; }
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/native" && cp -a Makefile macos.mk include src macos linux watcher tests "$copy/native" && mkdir -p "$copy/native/build/macos" && cp -a build/macos/gcc "$copy/native/build/macos"
cd "$copy/native" || exit 1
seen=0 unseen=0
while IFS='|' read -r test file change what; do
  test=${test// /} file=${file// /}
  [ -n "$test" ] || continue
  cp -a "$file" "$copy/kept"
  sed -E -i "$change" "$file"
  if cmp -s "$file" "$copy/kept"; then echo "mutants: this changes nothing any more:$what"; unseen=$((unseen + 1)); continue; fi
  if ! make -s WARN=-std=c11 "build/macos/gcc/$test" >"$copy/log" 2>&1; then
    echo "mutants: does not compile:$what"; tail -3 "$copy/log"; unseen=$((unseen + 1))
  elif timeout 120 "build/macos/gcc/$test" >"$copy/log" 2>&1; then
    echo "mutants: NOT seen by $test:$what"; unseen=$((unseen + 1))
  else seen=$((seen + 1)); fi
  cp -a "$copy/kept" "$file" && touch "$file"
done <<'LIST'
test_errors | macos/ask.c | s/(\.what = PERFORM.*)/\1 once(job, \&m, true, 600);/ | an act is sent twice
test_errors | macos/ask.c | s/case kAXErrorActionUnsupported: return act \? BACKSTEP_E_UNSURE/case kAXErrorActionUnsupported: return act ? BACKSTEP_E_UNSUPPORTED/ | -25205 and -25206 after an act mean that it did not happen
test_errors | macos/ask.c | s/case kAXErrorAPIDisabled: return BACKSTEP_E_PERMISSION/case kAXErrorAPIDisabled: return BACKSTEP_E_APP_ERROR/ | a missing grant is an application's error
test_hang | macos/ask.c | s/AXUIElementSetMessagingTimeout\(m->of, m->timeout\);// | a message has no timeout of its own
test_hang | macos/job.h | s/BS_ASKING 16u/BS_ASKING 64u/ | as many threads hang as there are applications that do
test_hang | macos/lane.c | s/    if \(now->stays\) leave_behind\(now\);// | a second menu that is opened keeps its application
test_second | macos/ask.c | s/bs_guarded\(send_message, m\)/(send_message(m), 0)/ | exceptions are not caught
test_read | macos/roles.c | s/return \(bs_role\)\{40, BS_T_EDITABLE . BS_T_SECRET\}/return (bs_role){61, BS_T_EDITABLE \x7c BS_T_TEXT}/ | the value of a password field is asked for
test_acts | macos/acts.c | s/name \&\& has\(names, name\)/name/ | actions that an element has not are sent
test_acts | macos/acts.c | s/^    bs_cf_drop\(names\);// | a list of names is not released
test_acts | macos/acts.c | s/\? BACKSTEP_OK : raise_window\(job, window\)/? BACKSTEP_OK : BACKSTEP_OK/ | the keyboard stays in another window
test_acts | macos/keyboard.c | s/bool there = !window .*/bool there = !window;/; s/there = top .. CFEqual\(top, now\)/there = false/ | a window that has the keyboard is raised
test_acts | macos/row.c | s/ .. !bs_keyboard_within\(job, element, NULL\)// | what has the focus in a window without the keyboard has the focus
test_life | macos/handle.c | s/\(AXUIElementRef\)CFRetain\(one->element\) : NULL/one->element : NULL/ | an element is released once too often
test_large | macos/handle.c | s/one->hash == hash \&\& CFEqual\(one->element, element\)/one->hash == hash/ | equal hashes are equal elements
test_text | macos/cf.c | s/^CFIndex bs_units\(CFStringRef text, int32_t characters\) \{/&\n    if (text) return characters;/ | offsets are not converted on the way down
test_text | macos/cf.c | s/^int32_t bs_characters\(CFStringRef text, CFIndex units\) \{/&\n    if (text) return (int32_t)units;/ | offsets are not converted on the way up
test_second | macos/input.c | s/held . stroke\.flags/stroke.flags/ | modifiers are not stamped
test_second | macos/watch.c | s/    if \(ours\) return event;// | what this session does is taken for a person's
test_looks | macos/row.c | s/row->units = CFStringGetLength\(plain\)/row->units = bs_characters(plain, CFStringGetLength(plain))/ | the place of a text ends before its last emoji
test_looks | macos/walk.c | s/if \(w->tree\.nodes\[i\]\.name\) continue;/continue;/ | what has a label and no title has no name
test_looks | macos/looks.c | s/^    bs_cf_drop\(part\);// | an attributed string is not released
test_second | macos/keys.c | s/define UNITS 20u/define UNITS 40u/ | more text in an event than it takes
LIST
echo "mutants: $seen seen, $unseen not"
[ "$unseen" = 0 ]
