import { z } from "zod";
import { BackstepError } from "../../base/error.ts";
import { monitorsOf, screenFor } from "./monitors.ts";

/** What kind of display a private desktop has. */
export type DisplayKind = "x11" | "wayland";

/** What a private desktop is to be like: its screen, how applications on it look, and what they find on its bus. */
export interface DesktopSettings {
  /** "x11" (Xvfb, the default) or "wayland" (sway without hardware). */
  readonly display?: DisplayKind | undefined;
  /** Of the screen, in pixels: "1920x1080". Default: what the monitors take, else 1280x800. */
  readonly size?: string | undefined;
  /** Parts of the screen: "1280x800", to the right of the one before, or "1280x800+0+0" at a place. */
  readonly monitors?: readonly string[] | undefined;
  /** Pixels of the screen to one of a toolkit's: 1, 2, 3 or 4. */
  readonly scale?: number | undefined;
  /** Dots an inch, by which fonts are sized; default 96. */
  readonly dpi?: number | undefined;
  /** Language and conventions: "de_DE.UTF-8"; default C.UTF-8. */
  readonly locale?: string | undefined;
  /** "light", "dark", or a GTK theme such as "HighContrast" or "Adwaita:dark". */
  readonly theme?: string | undefined;
  /** Services that its session bus starts when they are called: "org.gnome.evolution.dataserver.*"; default none. */
  readonly services?: readonly string[] | undefined;
}

const PIXELS: readonly [least: number, most: number] = [64, 16_384];
const fits = (pixels: number) => pixels >= PIXELS[0] && pixels <= PIXELS[1];
const screens = (text: string) => screenFor(monitorsOf([text]));
const reaches = ({ width, height }: { readonly width: number; readonly height: number }) =>
  fits(width) && fits(height);

/** What is wrong with a text is said in whole sentences: it is shown with its place in a file, and on the command line. */
export const DesktopSettingsSchema: z.ZodType<DesktopSettings> = z.strictObject({
  display: z.enum(["x11", "wayland"], "it is x11 or wayland").optional()
    .describe("The kind of display: x11 or wayland; default x11."),
  size: z.string().regex(/^\d{2,5}x\d{2,5}$/, { error: "it is written as 1280x800", abort: true })
    .refine((text) => reaches(screens(text)), `width and height are ${PIXELS[0]} to ${PIXELS[1]} pixels`)
    .optional().describe(
      "Of the screen, in pixels: 1920x1080; default what the monitors take, else 1280x800.",
    ),
  monitors: z.array(
    z.string().regex(/^\d{2,5}x\d{2,5}(\+\d{1,5}\+\d{1,5})?$/, {
      error: "it is written as 1280x800, or 1280x800+0+0",
      abort: true,
    })
      .refine((text) => reaches(screens(text)), `width and height are ${PIXELS[0]} to ${PIXELS[1]} pixels`),
  ).min(1).max(8).optional()
    .describe("Parts of the screen: 1280x800, to the right of the one before, or 1280x800+0+0 at a place."),
  scale: z.int().min(1, "it is a whole number from 1 to 4").max(4, "it is a whole number from 1 to 4")
    .optional()
    .describe("Pixels of the screen to one of a toolkit's: 1 to 4; default 1."),
  dpi: z.int().min(48, "it is a whole number from 48 to 480").max(480, "it is a whole number from 48 to 480")
    .optional().describe("Dots an inch, by which fonts are sized: 48 to 480; default 96."),
  locale: z.string()
    .regex(/^(C|POSIX|[a-z]{2,3}_[A-Z]{2})(\.[A-Za-z0-9-]+)?(@[a-z]+)?$/, "it is written as de_DE.UTF-8")
    .optional().describe("Language and conventions: de_DE.UTF-8; default C.UTF-8."),
  theme: z.string()
    .regex(
      /^[A-Za-z0-9][\w.+-]*(:dark)?$/,
      "it is light, dark, or the name of a GTK theme such as HighContrast",
    )
    .optional().describe("light, dark, or a GTK theme such as HighContrast or Adwaita:dark; default light."),
  services: z.array(
    z.string().regex(
      /^[A-Za-z_-][\w-]*(\.[\w-]+)*(\.\*)?$/,
      "it is a name on the bus, org.example.Service, or a beginning and .*",
    ),
  ).max(100).optional()
    .describe("Services that its session bus starts when they are called: org.gnome.evolution.dataserver.*."),
});

/** Throws `invalid`, naming the setting, for what no desktop can have. */
export function requireSettings(settings: DesktopSettings): void {
  const parsed = DesktopSettingsSchema.safeParse(settings);
  if (parsed.success && settings.display === "wayland" && settings.dpi !== undefined) {
    throw new BackstepError("invalid", "Cannot start a private desktop: dpi: Wayland has none", {
      hint: "Use `scale`, or `display: x11`.",
    });
  }
  if (parsed.success) return;
  const [issue] = parsed.error.issues;
  throw new BackstepError(
    "invalid",
    `Cannot start a private desktop: ${issue?.path.join(".") || "its settings"}: ${
      issue?.message ?? "it cannot be"
    }`,
    { hint: "A workflow file says the same as `desktop:`; see docs/how-to/environment.md." },
  );
}

/** The screen that they ask for; undefined: they leave it open. Throws `invalid` where a monitor is not on the screen. */
export function screenOf(
  { size, monitors }: DesktopSettings,
): { readonly width: number; readonly height: number } | undefined {
  const taken = monitors && screenFor(monitorsOf(monitors));
  const screen = size === undefined ? taken : screens(size);
  if (taken === undefined || screen === undefined) return screen;
  if (taken.width <= screen.width && taken.height <= screen.height && reaches(screen)) return screen;
  throw new BackstepError(
    "invalid",
    `Cannot start a private desktop: its monitors take ${taken.width}x${taken.height}, and its screen has ${screen.width}x${screen.height}`,
    {
      hint: `Leave \`size\` out, or make it ${taken.width}x${taken.height}; at most ${
        PIXELS[1]
      } are possible.`,
    },
  );
}

/** What of `wanted` is otherwise on a desktop that has `found`, in words; empty: it is as wanted. */
export function unlike(wanted: DesktopSettings, found: DesktopSettings): string[] {
  const shown = (value: unknown) => value === undefined ? "the default" : String(value);
  const { display, size, monitors, scale, dpi, locale, theme, services } = wanted;
  const pairs: readonly (readonly [name: string, wanted: unknown, found: unknown])[] = [
    ["display", display, found.display ?? "x11"],
    ["size", size, found.size],
    ["monitors", monitors, found.monitors],
    ["scale", scale, found.scale],
    ["dpi", dpi, found.dpi],
    ["locale", locale, found.locale],
    ["theme", theme, found.theme],
    ["services", services, found.services],
  ];
  return pairs.filter(([, a, b]) => a !== undefined && shown(a) !== shown(b))
    .map(([name, a, b]) => `${name} is ${shown(b)}, not ${shown(a)}`);
}
