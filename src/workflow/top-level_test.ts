import { head, refuses } from "./_refusal.ts";

refuses({
  "no name": { source: "steps: []", at: "1:1", message: 'the workflow needs "name"' },
  "no steps": { source: "name: n", at: "1:1", message: 'the workflow needs "steps"' },
  "a misspelt key": {
    source: "name: n\nstpes: []",
    at: "2:1",
    message: 'unknown key "stpes" in the workflow',
    hint: 'Did you mean "steps"?',
  },
  "a name that is a number": {
    source: "name: 7\nsteps: []",
    at: "1:7",
    message: "name takes a text",
    hint: '"7"',
  },
  "an unknown session": {
    source: head("session: isolatd"),
    at: "2:10",
    message: 'session cannot be the text "isolatd"',
    hint: 'Did you mean "isolated"?',
  },
  "an unknown on_failure": {
    source: head("on_failure: rolback"),
    at: "2:13",
    message: "on_failure",
    hint: '"rollback"',
  },
  "a timeout without a unit": {
    source: head("timeout: '60'"),
    at: "2:10",
    message: "takes a duration",
    hint: '"10s"',
  },
  "a negative timeout": { source: head("timeout: -1"), at: "2:10", message: "takes a duration" },
  "files that are no list": { source: head("files: a"), at: "2:8", message: "files takes a list" },
  "a file that is no path": { source: head("files: [7]"), at: "2:9", message: "a file takes a text" },
  "an unknown on_conflict": {
    source: head("on_conflict: overwrite"),
    at: "2:14",
    message: "on_conflict cannot be",
  },
  "an unknown status": {
    source: head("expect: { status: fail }"),
    at: "2:19",
    message: "expect.status cannot be",
  },
  "tags that are a text": { source: head("tags: smoke"), at: "2:7", message: "tags takes a list" },
  "locks that are a text": { source: head("locks: printer"), at: "2:8", message: "locks takes a list" },
  "needs that are misspelt": {
    source: head("needs: { program: [gedit] }"),
    at: "2:10",
    message: 'unknown key "program" in needs',
    hint: 'Did you mean "programs"?',
  },
  "a skip without a reason": { source: head("skip: true"), at: "2:7", message: "skip takes a text" },
  "a variable of no type": {
    source: head("vars: { x: { type: strng } }"),
    at: "2:20",
    message: 'the type of "x" cannot be the text "strng"',
    hint: 'Did you mean "string"?',
  },
  "a default of another type": {
    source: head("vars: { x: { type: number, default: a } }"),
    at: "2:37",
    message: 'the default of "x" is the text "a", not a number',
  },
  "a variable without value": {
    source: head("vars: { x: }"),
    at: "2:12",
    message: 'the variable "x" has no value',
  },
  "a placeholder as a default": {
    source: head("vars: { x: '{{env.X}}' }"),
    at: "2:12",
    message: "a default cannot",
  },
  "a secret in the clear, under its name": {
    source: head("secrets: { PIN: hunter2! }"),
    at: "2:17",
    message: "it must be said where the secret comes from",
  },
  "a secret from two places": {
    source: head("secrets: { PIN: { env: PIN, file: ~/.pin } }"),
    at: "2:17",
    message: "a secret comes from one place",
  },
  "a secret from a place that there is not": {
    source: head("secrets: { PIN: { vault: x } }"),
    at: "2:19",
    message: "where a secret comes from",
  },
  "a secret from a variable that cannot be one": {
    source: head("secrets: { PIN: { env: 'my pin' } }"),
    at: "2:24",
    message: "no name of an environment variable",
  },
  "a secret in the clear": {
    source: head("secrets: ['hunter2!']"),
    at: "2:11",
    message: "a secret is the name of an environment variable",
  },
});

refuses({
  "a desktop that is a text": {
    source: head("desktop: large"),
    at: "2:10",
    message: "desktop takes a map",
  },
  "a misspelt setting": {
    source: head("desktop: { local: de_DE.UTF-8 }"),
    at: "2:12",
    message: 'unknown key "local" in desktop',
    hint: 'Did you mean "locale"?',
  },
  "a size without a height": {
    source: head("desktop: { size: '1280' }"),
    at: "2:18",
    message: "desktop.size: it is written as 1280x800",
  },
  "half a scale": { source: head("desktop: { scale: 1.5 }"), at: "2:19", message: "desktop.scale" },
  "dots that are none": { source: head("desktop: { dpi: 9 }"), at: "2:17", message: "from 48 to 480" },
  "a language instead of a locale": {
    source: head("desktop: { locale: german }"),
    at: "2:20",
    message: "desktop.locale: it is written as de_DE.UTF-8",
  },
  "a monitor that is not on the screen": {
    source: head("desktop: { size: 800x600, monitors: [640x480, 640x480] }"),
    at: "2:10",
    message: "its monitors take 1280x480, and its screen has 800x600",
  },
  "a service that is no name": {
    source: head("desktop: { services: ['a b'] }"),
    at: "2:23",
    message: "it is a name on the bus",
  },
  "a desktop for the user's own": {
    source: head("session: attach\ndesktop: { scale: 2 }"),
    at: "3:10",
    message: "desktop is for a private desktop, and the session is attach",
  },
});
