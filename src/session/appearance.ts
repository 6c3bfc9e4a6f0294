import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { defined } from "../base/defined.ts";
import type { Session } from "./session.ts";
import { themeOf } from "./settings/theme.ts";

/** What decides how applications on a desktop look, as that desktop says it. */
export interface Appearance {
  /** "linux"; "simulated" of a simulated desktop. */
  readonly platform: string;
  /** Pixels of the screen to one of the toolkit's: what a private desktop was asked for, GDK_SCALE of an attached one, else "1". */
  readonly scale: string;
  /** GTK_THEME, else `gtk-theme-name` of GTK 3's settings.ini, else "default"; ":dark" behind it for its dark side. */
  readonly theme: string;
  /** The family that fontconfig gives for `gtk-font-name` of settings.ini, or for "Sans 10", and the size. */
  readonly font: string;
}

/** Milliseconds for asking fontconfig; it takes ten. */
const ASKING = 5_000;
const existing = new WeakMap<Session, Promise<Appearance>>();

/** What decides how applications look there; asked once a session. */
export function appearanceOf(session: Session): Promise<Appearance> {
  let found = existing.get(session);
  if (!found) existing.set(session, found = ask(session));
  return found;
}

async function ask(session: Session): Promise<Appearance> {
  if (session.kind === "simulated") {
    return { platform: "simulated", scale: "1", theme: "default", font: "none" };
  }
  const { scale, dpi, theme = "light" } = session.settings ?? {};
  // A private desktop has an environment of its own.
  const ours = (name: string) => session.kind === "attached" ? process.env[name] || undefined : undefined;
  const settings = await settingsIn(session.home);
  const font = settings.get("gtk-font-name") ?? "Sans 10";
  const [, name = font, size = "10"] = /^(.*?)[ ,]+(\d+(?:\.\d+)?)$/.exec(font) ?? [];
  return {
    platform: process.platform,
    scale: scale === undefined ? ours("GDK_SCALE") ?? "1" : String(scale),
    theme: `${ours("GTK_THEME") ?? settings.get("gtk-theme-name") ?? "default"}${
      themeOf(theme).dark ? ":dark" : ""
    }`,
    font: `${await family(name, session.home)} ${size}${dpi === undefined ? "" : ` at ${dpi} dpi`}`,
  };
}

async function settingsIn(home: string | undefined): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (home === undefined) return found;
  let text: string;
  try {
    text = await readFile(join(home, ".config/gtk-3.0/settings.ini"), "utf8");
  } catch {
    return found; // a desktop without one has the defaults
  }
  for (const [, key = "", value = ""] of text.matchAll(/^\s*(gtk-[\w-]+)\s*=\s*(.*?)\s*$/gm)) {
    found.set(key, value);
  }
  return found;
}

/** What a font's name stands for here; the name itself where fontconfig is not there to ask. */
function family(name: string, home: string | undefined): Promise<string> {
  const env = { PATH: process.env["PATH"] ?? "", ...defined({ HOME: home }) };
  return new Promise((resolve) => {
    execFile("fc-match", ["-f", "%{family[0]}", name], { env, timeout: ASKING }, (error, output) => {
      resolve(error || output.trim() === "" ? name : output.trim());
    });
  });
}
