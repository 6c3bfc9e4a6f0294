/** A name that an environment variable may have in a file or on a command line. */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

const ELSEWHERE = "the application would be on another desktop than the one that is looked at";
const HOME = "the application would leave the HOME of the desktop, whose files are protected and end with it";
const FOREIGN = "it puts foreign code into the program, which then speaks for it";
const OURS = "by it the processes of a desktop are found and ended";

/** Variables that a launch may not set, and why. */
const REFUSED: readonly (readonly [name: RegExp, why: string])[] = [
  [/^(DISPLAY|WAYLAND_DISPLAY|WAYLAND_SOCKET|XAUTHORITY|GDK_BACKEND|QT_QPA_PLATFORM)$/, ELSEWHERE],
  [/^(DBUS_\w+|AT_SPI_BUS_ADDRESS|XDG_RUNTIME_DIR|XDG_SESSION_TYPE)$/, ELSEWHERE],
  [/^(HOME|TMPDIR|XDG_(CONFIG|CACHE|DATA|STATE)_HOME)$/, HOME],
  [/^LD_(PRELOAD|AUDIT)$/, FOREIGN],
  [/^BACKSTEP_\w+$/, OURS],
];

/** Why a launch may not set a variable of the environment; undefined: it may. */
export function whyRefused(name: string): string | undefined {
  return REFUSED.find(([pattern]) => pattern.test(name))?.[1];
}
