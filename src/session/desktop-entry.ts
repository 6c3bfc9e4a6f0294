/** What an application's desktop entry says, as far as launching it is concerned. */
export interface DesktopEntry {
  /** Its file's path below `applications`, slashes as dashes, without ".desktop": "org.gnome.Calculator". */
  readonly id: string;
  readonly file: string;
  /** In the user's language. */
  readonly name: string;
  /** As written, not localised: what scripts say. */
  readonly plainName: string;
  readonly exec: string;
  readonly tryExec: string;
  readonly icon: string;
  /** WM_CLASS of its windows, "" when not told. */
  readonly windowClass: string;
  /** Not to be shown in menus; it can be launched all the same. */
  readonly noDisplay: boolean;
  /** Deleted by the user: as if it were not there. */
  readonly hidden: boolean;
}

/**
 * Parses the text of a `.desktop` file. Undefined when it is no application, or has no name or command line. Rules of
 * the Desktop Entry Specification 1.5: only the group [Desktop Entry] counts, the first of equal keys wins, and string
 * values know the escapes \s \n \t \r \\.
 */
export function parseDesktopEntry(
  text: string,
  at: { readonly id: string; readonly file: string },
  locale = "C",
): DesktopEntry | undefined {
  const keys = mainGroup(text);
  const value = (key: string) => unescape(keys.get(key) ?? "");
  const plainName = value("Name");
  if (value("Type") !== "Application" || plainName === "" || value("Exec") === "") return undefined;
  const localised = localeKeys("Name", locale).find((key) => keys.has(key));
  return {
    ...at,
    name: localised === undefined ? plainName : value(localised),
    plainName,
    exec: value("Exec"),
    tryExec: value("TryExec"),
    icon: value("Icon"),
    windowClass: value("StartupWMClass"),
    noDisplay: value("NoDisplay") === "true",
    hidden: value("Hidden") === "true",
  };
}

function mainGroup(text: string): Map<string, string> {
  const keys = new Map<string, string>();
  let inside = false;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("[")) {
      if (inside) break;
      inside = line.trim() === "[Desktop Entry]";
      continue;
    }
    const equals = line.indexOf("=");
    if (!inside || equals < 1 || line.startsWith("#")) continue;
    const key = line.slice(0, equals).trim();
    if (!keys.has(key)) keys.set(key, line.slice(equals + 1).trim());
  }
  return keys;
}

/** The keys to try for a locale such as "sr_YU.UTF-8@Latn", best first ("Localized values for keys"). */
function localeKeys(key: string, locale: string): string[] {
  const match = /^([a-zA-Z]+)(?:_([a-zA-Z]+))?(?:\.[^@]*)?(?:@(.+))?$/.exec(locale);
  if (match === null || match[1] === "C" || match[1] === "POSIX") return [];
  const [, language, country, modifier] = match;
  return [
    ...(country && modifier ? [`${language}_${country}@${modifier}`] : []),
    ...(country ? [`${language}_${country}`] : []),
    ...(modifier ? [`${language}@${modifier}`] : []),
    `${language}`,
  ].map((name) => `${key}[${name}]`);
}

const ESCAPES: Readonly<Record<string, string>> = { s: " ", n: "\n", t: "\t", r: "\r", "\\": "\\" };

function unescape(value: string): string {
  return value.replace(/\\(.)/g, (whole, letter: string) => ESCAPES[letter] ?? whole);
}
