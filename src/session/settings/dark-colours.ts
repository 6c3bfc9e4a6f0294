/** Colours of one kind of surface, as kdeglobals writes them. */
function surface(kind: string, background: string): string[] {
  return [
    `[Colors:${kind}]`,
    `BackgroundNormal=${background}`,
    `BackgroundAlternate=${background}`,
    "ForegroundNormal=238,238,236",
    "ForegroundInactive=146,149,149",
    "ForegroundLink=98,160,234",
    "ForegroundVisited=192,97,203",
    "DecorationFocus=53,132,228",
    "DecorationHover=53,132,228",
  ];
}

/** The lines of kdeglobals by which Qt and KDE applications are dark: the tones of GTK's dark Adwaita. */
export const DARK_COLOURS: readonly string[] = [
  "[General]",
  "ColorScheme=BackstepDark",
  "[KDE]",
  "widgetStyle=Fusion",
  ...surface("Window", "53,53,53"),
  ...surface("Button", "60,60,60"),
  ...surface("View", "45,45,45"),
  ...surface("Tooltip", "30,30,30"),
  ...surface("Selection", "21,83,158"),
];
