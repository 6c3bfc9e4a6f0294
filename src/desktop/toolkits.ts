import type { Application } from "./element.ts";
import { Role } from "./roles.ts";

/** Is an application made with GTK 4? It calls itself "GTK", GTK 3 "gtk". */
export function isGtk4(
  { toolkit, toolkitVersion }: Pick<Application, "toolkit" | "toolkitVersion">,
): boolean {
  return toolkit.toLowerCase() === "gtk" && toolkitVersion.startsWith("4");
}

/** Is an application made with GTK 3? */
export function isGtk3(
  { toolkit, toolkitVersion }: Pick<Application, "toolkit" | "toolkitVersion">,
): boolean {
  return toolkit.toLowerCase() === "gtk" && toolkitVersion.startsWith("3");
}

/**
 * Does an application do what an accessible action sets off inside of its D-Bus dispatch? GTK 3 does. LibreOffice, which calls
 * itself GTK 3, has menus and buttons of its own, does it later, and tells of items that they show while their menu is closed.
 */
export function actsInDispatch(
  application: Pick<Application, "name" | "toolkit" | "toolkitVersion">,
): boolean {
  return hasGtk3Widgets(application);
}

/** Are its controls those of GTK 3 itself? LibreOffice calls itself GTK 3, and has its own. */
export function hasGtk3Widgets(
  application: Pick<Application, "name" | "toolkit" | "toolkitVersion">,
): boolean {
  return isGtk3(application) && !isOffice(application);
}

/** Is it LibreOffice, which calls itself GTK 3 and draws for itself? */
export function isOffice({ name }: Pick<Application, "name">): boolean {
  return name === "soffice";
}

/** Is an application made with GTK, 3 or 4? */
export function isGtk({ toolkit }: Pick<Application, "toolkit">): boolean {
  return toolkit.toLowerCase() === "gtk";
}

/** Is an application made with Qt? 5 and 6 both call themselves "Qt". */
export function isQt({ toolkit }: Pick<Application, "toolkit">): boolean {
  return toolkit.toLowerCase() === "qt";
}

/** A list of a `select` that is shown outside of its page. */
export interface ListApart {
  /** Its AtspiRole. */
  readonly list: number;
  /** The action of the box that opens it. */
  readonly opens: string;
  /** The action of an item that chooses it; undefined: it is clicked. */
  readonly chooses: string | undefined;
  /** Is it in another window than the page? */
  readonly ownWindow: boolean;
}

/**
 * What has to be known of a browser's engine to drive it, beside what its trees tell. One row an engine: whoever needs such a
 * fact asks `webFactsOf`, and never for a name.
 */
export interface WebFacts {
  /** EditableText is offered by everything that has a text, answers true, and changes nothing: it counts as not offered. */
  readonly deafFields: boolean;
  /**
   * Selection.SelectChild changes what is chosen and no event tells the page; and asked for a chosen child that is chosen no
   * more, the browser dies (ESR 140, `refSelectionCB`). Selection counts as not offered, and is never asked.
   */
  readonly fatalSelection: boolean;
  /** Value.CurrentValue on a spin button changes the number and no event tells the page: it is typed. */
  readonly silentSpins: boolean;
  /** The list of a `select` opens outside of the page, and only what is clicked there is chosen; undefined: it is in the page. */
  readonly listsApart: ListApart | undefined;
  /** The action that opens what is shut is still called so while it is open, and shuts it. */
  readonly expandToggles: boolean;
  /** A spin button tells its number by its text; the Value of a part of a date is 0, whatever it shows. */
  readonly numbersInTexts: boolean;
  /** A summary is called after its marker, too: "▸ Details", and "▾ Details" once it is open. */
  readonly namesWithMarkers: boolean;
  /** Places, values, actions and attributes of a page come only once somebody has asked for them; until then they read empty. */
  readonly fillsOnDemand: boolean;
  /** Its own controls are told in logical pixels, what is inside a page in the screen's. */
  readonly screenPages: boolean;
  /** Nobody is told what was scrolled into view: only a place tells whether something shows. */
  readonly showsByPlace: boolean;
  /** Milliseconds that pass at least between two reports of where things lie: a place may be as old as that. */
  readonly placesEvery: number;
  /**
   * Changes are reported some 10 to 40 ms after they happened, and places as late as `placesEvery` says; a hit test makes a page
   * report all that changed until then within a few milliseconds.
   */
  readonly reportsAtHitTest: boolean;
  /**
   * The first answer of what lies at a point is a guess by the places of elements, which knows nothing of `z-index` and
   * `pointer-events`. The page is asked meanwhile, and answers to the next question.
   */
  readonly guessesHits: boolean;
  /**
   * What is in a text that cannot be edited is in names, too: of its element, and of the runs of text in it. The texts of the
   * browser's own controls are worked out once, and stay empty where that was before they had a name.
   */
  readonly namesTellTexts: boolean;
}

/** Why what `silentSpins` and `listsApart` say is not done otherwise. */
export const UNHEARD = "the page would not notice it";

const CHROMIUM: WebFacts = {
  deafFields: false,
  fatalSelection: false,
  silentSpins: false,
  listsApart: undefined,
  expandToggles: false,
  numbersInTexts: false,
  namesWithMarkers: false,
  fillsOnDemand: false,
  screenPages: true,
  showsByPlace: true,
  placesEvery: 500,
  reportsAtHitTest: true,
  guessesHits: true,
  namesTellTexts: true,
};

/** Firefox and Thunderbird. */
const GECKO: WebFacts = {
  deafFields: true,
  fatalSelection: true,
  silentSpins: true,
  listsApart: { list: Role.menu, opens: "open", chooses: "click", ownWindow: false },
  expandToggles: true,
  numbersInTexts: true,
  namesWithMarkers: true,
  fillsOnDemand: true,
  screenPages: false,
  showsByPlace: false,
  placesEvery: 0,
  reportsAtHitTest: false,
  guessesHits: false,
  namesTellTexts: false,
};

/** WebKitGTK: what Tauri, Epiphany and others of GNOME show pages with, in windows of GTK. See `embedded.ts`. */
const WEBKIT: WebFacts = {
  deafFields: false,
  fatalSelection: false,
  silentSpins: false,
  listsApart: { list: Role.treeTable, opens: "select", chooses: undefined, ownWindow: true },
  expandToggles: false,
  numbersInTexts: false,
  namesWithMarkers: false,
  fillsOnDemand: false,
  screenPages: false,
  showsByPlace: false,
  placesEvery: 0,
  reportsAtHitTest: false,
  guessesHits: false,
  namesTellTexts: false,
};

const ENGINES: ReadonlyMap<string, WebFacts> = new Map([
  ["chromium", CHROMIUM],
  ["gecko", GECKO],
  ["webkitgtk", WEBKIT],
]);

/** What is known of a browser's engine; undefined: its windows are no web pages. */
export function webFactsOf({ toolkit }: Pick<Application, "toolkit">): WebFacts | undefined {
  return ENGINES.get(toolkit.toLowerCase());
}

/** Is it a Java application of AWT or Swing, told by java-atk-wrapper? */
export function isSwing({ toolkit }: Pick<Application, "toolkit">): boolean {
  return toolkit === "J2SE-access-bridge";
}

/** Is a combo box without an entry called after what it shows? */
export function namesByChoice(application: Pick<Application, "toolkit">): boolean {
  return isQt(application) || isSwing(application);
}

/**
 * Do items of lists, tables and trees get another address whenever their parent is asked for its children, while the old
 * one still answers for the same item?
 */
export function readdressesItems(application: Pick<Application, "toolkit">): boolean {
  return isQt(application) || isSwing(application);
}

/**
 * Does each row of a tree hold the selection of the rows right below it, and does a table tell all cells of a row as
 * selected where its row is? What is chosen there is told by the rows and cells themselves.
 */
export function choosesByRow(application: Pick<Application, "toolkit">): boolean {
  return isSwing(application);
}

/** Is a number set one step after the other, since a value that is written arrives nowhere? */
export function takesSteps(application: Pick<Application, "toolkit">): boolean {
  return isSwing(application);
}

/** Does the field of a combo box or spin button give what is written there to its box only once it is left? */
export function keepsWhenLeft(application: Pick<Application, "toolkit">): boolean {
  return isSwing(application);
}

/** Does a menu stay open when one of its items is chosen by its action, and are the places of its items told wrongly? */
export function leavesMenusOpen(application: Pick<Application, "toolkit">): boolean {
  return isSwing(application);
}

/** Are lists of combo boxes drawn inside of the window that they belong to? Their boxes tell that they are open. */
export function opensInside(application: Pick<Application, "toolkit">): boolean {
  return isSwing(application);
}

/** Is it told by the accessibility of macOS? Roles and actions are AX's own there, and places are the screen's, in points. */
export function isMac({ toolkit }: Pick<Application, "toolkit">): boolean {
  return toolkit === "AX";
}

/** Are its windows web pages? */
export function isWeb(application: Pick<Application, "toolkit">): boolean {
  return webFactsOf(application) !== undefined;
}

/**
 * Does only the place of an element tell whether it shows? GTK 4 gives no room to what does not show and says so in no
 * state; Chromium tells nobody what was scrolled into view; macOS has no such attribute.
 */
export function showsByPlace(application: Pick<Application, "toolkit" | "toolkitVersion">): boolean {
  return isGtk4(application) || isMac(application) || webFactsOf(application)?.showsByPlace === true;
}

/**
 * Do the places of single elements say as much as those of a whole tree? LibreOffice's are corrected by what lies around them,
 * Swing's states by their parents, Firefox fills in on demand what it tells.
 */
export function tellsByElement(application: Application): boolean {
  if (isOffice(application) || isSwing(application)) return false;
  if (isQt(application)) return true;
  return isGtk3(application) || isGtk4(application) || webFactsOf(application)?.fillsOnDemand === false;
}

/**
 * Is each element asked again where what is kept of its application is used? Qt announces few changes: what is kept of it is but
 * what an element is described as and which interfaces it has.
 */
export function asksKeptAgain(application: Pick<Application, "toolkit">): boolean {
  return isQt(application);
}

/**
 * Are role, name and id of its elements used as it tells them? LibreOffice's, Swing's and Firefox's are corrected, and macOS has
 * roles of its own.
 */
export function saysWhatItIs(application: Application): boolean {
  if (isOffice(application) || isSwing(application) || isMac(application)) return false;
  return webFactsOf(application)?.fillsOnDemand !== true;
}
