/** An application that nobody tuned Backstep for, nor the other way round. */
export interface Untuned {
  /** The program, and the Debian package it comes from: without it the application is skipped. */
  readonly needs: readonly [program: string, from: string];
  /** Runs in CI too; the others run nightly. */
  readonly ci?: true;
  /** What the disk holds after the workflow: files in HOME, `*` for any name, and what is in them. */
  readonly disk?: Readonly<Record<string, RegExp>>;
  /** What is known to fail in it, and why. A run that passes says that this can go. */
  readonly fails?: { readonly workflow?: string; readonly twin?: string };
}

/** By the name of the folder that holds `workflow.yaml` and `twin.yaml`, and in `home/` what lies in HOME before. */
export const APPLICATIONS: Readonly<Record<string, Untuned>> = {
  appfinder: {
    needs: ["/usr/bin/xfce4-appfinder", "xfce4-appfinder"],
  },
  audacity: {
    needs: ["/usr/bin/audacity", "audacity"],
    disk: { "tone.wav": /^RIFF/ },
  },
  calendar: {
    needs: ["/usr/bin/gnome-calendar", "gnome-calendar"],
    disk: { ".local/share/evolution/calendar/system/calendar.ics": /LOCATION:Main street/ },
  },
  catfish: {
    needs: ["/usr/bin/catfish", "catfish"],
    disk: { "reports/report-2025.txt": /^two\n$/ },
  },
  characters: {
    needs: ["/usr/bin/gnome-characters", "gnome-characters"],
  },
  chess: {
    needs: ["/usr/games/gnome-chess", "gnome-chess"],
    disk: {
      ".config/glib-2.0/settings/keyfile":
        /board-side='black'[^]*move-format='lan'|move-format='lan'[^]*board-side='black'/,
    },
  },
  clocks: {
    needs: ["/usr/bin/gnome-clocks", "gnome-clocks"],
  },
  contacts: {
    needs: ["/usr/bin/gnome-contacts", "gnome-contacts"],
    disk: { ".local/share/evolution/addressbook/system/contacts.db": /Ada Lovelace/ },
  },
  epiphany: {
    needs: ["/usr/bin/epiphany-browser", "epiphany-browser"],
    disk: { "form.mhtml": /Ada Lovelace true Green 8/ },
  },
  evince: {
    needs: ["/usr/bin/evince", "evince"],
    disk: { "copy.pdf": /^%PDF/ },
  },
  featherpad: {
    needs: ["/usr/bin/featherpad", "featherpad"],
    disk: { "notes.txt": /^one\ntwo\n?$/ },
  },
  filezilla: {
    needs: ["/usr/bin/filezilla", "filezilla"],
    disk: { ".config/filezilla/sitemanager.xml": /<Host>ftp.example.org<\/Host>/ },
  },
  firefox: {
    needs: ["/usr/bin/firefox-esr", "firefox-esr"],
    disk: { "Downloads/page.html": /Agree/ },
  },
  focuswriter: {
    needs: ["/usr/bin/focuswriter", "focuswriter"],
    disk: { "lines.txt": /^The first line\.\nThe second one\.\n?$/ },
  },
  galculator: {
    needs: ["/usr/bin/galculator", "galculator"],
  },
  geany: {
    needs: ["/usr/bin/geany", "geany"],
    disk: { "notes.txt": /^new old line\n/ },
  },
  gedit: {
    needs: ["/usr/bin/gedit", "gedit"],
    ci: true,
    disk: { "notes.txt": /^the very first line\nsecond line\n?$/ },
  },
  ghex: {
    needs: ["/usr/bin/ghex", "ghex"],
    disk: { "data.txt": /^hello Worl/ },
  },
  "gnome-calculator": {
    needs: ["/usr/bin/gnome-calculator", "gnome-calculator"],
    ci: true,
  },
  gnote: {
    needs: ["/usr/bin/gnote", "gnote"],
  },
  gpick: {
    needs: ["/usr/bin/gpick", "gpick"],
    disk: { "mine.gpa": /./ },
  },
  gnucash: {
    needs: ["/usr/bin/gnucash", "gnucash"],
  },
  gnumeric: {
    needs: ["/usr/bin/gnumeric", "gnumeric"],
  },
  gramps: {
    needs: ["/usr/bin/gramps", "gramps"],
    disk: { ".gramps/grampsdb/*/sqlite.db": /Byron/ },
  },
  homebank: {
    needs: ["/usr/bin/homebank", "homebank"],
    disk: { "purse.xhb": /wording="bread and butter"/ },
  },
  inkscape: {
    needs: ["/usr/bin/inkscape", "inkscape"],
    disk: { "drawing.svg": /<svg/ },
  },
  kate: {
    needs: ["/usr/bin/kate", "kate"],
    disk: { "notes.txt": /Hello/ },
  },
  kcalc: {
    needs: ["/usr/bin/kcalc", "kcalc"],
  },
  keepassxc: {
    needs: ["/usr/bin/keepassxc", "keepassxc"],
    disk: { "mine.kdbx": /./ },
  },
  kmymoney: {
    needs: ["/usr/bin/kmymoney", "kmymoney"],
    disk: { "Money.xml": /Otto/ },
  },
  "kirigami-gallery": {
    needs: ["/usr/bin/kirigami2gallery", "kirigami-gallery and qml-module-org-kde-kirigami2"],
  },
  l3afpad: {
    needs: ["/usr/bin/l3afpad", "l3afpad"],
    disk: { "notes.txt": /last line/ },
  },
  librecad: {
    needs: ["/usr/bin/librecad", "librecad"],
    disk: { "line.dxf": /\nLINE\n[^]*\n 11\n10\n 21\n20\n/ },
  },
  "libreoffice-calc": {
    needs: ["/usr/bin/localc", "libreoffice-calc libreoffice-gtk3"],
    disk: { "sums.ods": /^PK/ },
  },
  "libreoffice-writer": {
    needs: ["/usr/bin/lowriter", "libreoffice-writer libreoffice-gtk3"],
    disk: { "letter.odt": /^PK/ },
  },
  lyx: {
    needs: ["/usr/bin/lyx", "lyx"],
    disk: { "words.lyx": /\nSome words of a document\.\n[^]*\nA second paragraph\.\n/ },
  },
  meld: {
    needs: ["/usr/bin/meld", "meld"],
    disk: { "c.txt": /^one\nnew line\n/ },
  },
  mousepad: {
    needs: ["/usr/bin/mousepad", "mousepad"],
    ci: true,
    disk: { "notes.txt": /^the first line\nsecond line\n?$/ },
  },
  okular: {
    needs: ["/usr/bin/okular", "okular"],
    disk: { "copy.pdf": /^%PDF/ },
  },
  plaintext: {
    needs: [
      "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/mainwindows/application/application",
      "qtbase5-examples",
    ],
    ci: true,
    disk: { "notes.txt": /^first line$/ },
  },
  planner: {
    needs: ["/usr/bin/planner", "planner"],
    disk: { "door.planner": /name="Paint the door"/ },
  },
  poedit: {
    needs: ["/usr/bin/poedit", "poedit"],
    disk: { "german.po": /fuzzy\nmsgid "Save file"\nmsgstr "Datei speichern"/ },
  },
  qalculate: {
    needs: ["/usr/bin/qalculate-gtk", "qalculate-gtk"],
  },
  qbittorrent: {
    needs: ["/usr/bin/qbittorrent", "qbittorrent"],
    disk: { ".config/qBittorrent/qBittorrent.conf": /AddExtensionToIncompleteFiles=true/ },
  },
  qpdfview: {
    needs: ["/usr/bin/qpdfview", "qpdfview"],
    disk: { "copy.pdf": /^%PDF/ },
  },
  qt5ct: {
    needs: ["/usr/bin/qt5ct", "qt5ct"],
  },
  quodlibet: {
    needs: ["/usr/bin/quodlibet", "quodlibet"],
    disk: { ".config/quodlibet/config": /nobody@example\.org/ },
  },
  rednotebook: {
    needs: ["/usr/bin/rednotebook", "rednotebook"],
    disk: {
      [`.rednotebook/data/${new Date().toISOString().slice(0, 7)}.txt`]: /Dear diary,\s+today was \*\*fine/,
    },
  },
  remmina: {
    needs: ["/usr/bin/remmina", "remmina"],
  },
  scribus: {
    needs: ["/usr/bin/scribus", "scribus"],
    disk: { "Poster.sla": /ANZPAGES="3"/ },
  },
  speedcrunch: {
    needs: ["/usr/bin/speedcrunch", "speedcrunch"],
    disk: { "sums.json": /6\*7/ },
  },
  sqlitebrowser: {
    needs: ["/usr/bin/sqlitebrowser", "sqlitebrowser"],
    disk: { "people.db": /Bobby/ },
  },
  tellico: {
    needs: ["/usr/bin/tellico", "tellico"],
    disk: { "books.tc": /^PK/ },
  },
  terminal: {
    needs: ["/usr/bin/xfce4-terminal", "xfce4-terminal"],
    disk: { "shell.txt": /^written\n$/, "said.txt": /echo written/ },
  },
  "text-editor": {
    needs: ["/usr/share/applications/org.gnome.TextEditor.desktop", "gnome-text-editor"],
    disk: { "notes.txt": /^the first line\nsecond line\n?$/ },
  },
  texstudio: {
    needs: ["/usr/bin/texstudio", "texstudio"],
    disk: { "paper.tex": /^A first line\.\n\\textbf\{bold\}/ },
  },
  textedit: {
    needs: ["/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/richtext/textedit/textedit", "qtbase5-examples"],
    ci: true,
    disk: { "notes.html": /first line/ },
  },
  thunar: {
    needs: ["/usr/bin/thunar", "thunar"],
    disk: { "Archive/letter.txt": /./ },
  },
  thunderbird: {
    needs: ["/usr/bin/thunderbird", "thunderbird"],
    disk: { "book.csv": /Lovelace/ },
  },
  transmission: {
    needs: ["/usr/bin/transmission-gtk", "transmission-gtk"],
  },
  xournalpp: {
    needs: ["/usr/bin/xournalpp", "xournalpp"],
    disk: { "notes.xopp": /./ },
  },
  xterm: {
    needs: ["/usr/bin/xterm", "xterm"],
    disk: { "shell.txt": /^written\n$/ },
  },
  zim: {
    needs: ["/usr/bin/zim", "zim"],
    disk: { "Notebooks/Ideas/Home.txt": /A first idea/ },
  },
};
