import type { Application } from "../desktop.ts";

/** Milliseconds after which applications are listed again, although none was heard to come or to go. */
const LISTED = 1_000;
/** The same where one of them did not answer: it may at any time. */
const LISTED_SILENT = 100;
/** Where every application is itself. */
const ROOT = "/org/a11y/atspi/accessible/root";

/**
 * The last list of applications, for who asks for a recent one: until one is heard to come, to go or to be called otherwise. The registry
 * tells of the first two, and whoever is in no list has come.
 */
export class ListedApplications {
  #listed: { readonly applications: readonly Application[]; readonly until: number } | undefined;
  #changes = 0;

  /** To be called before they are listed. */
  begin(): number {
    return this.#changes;
  }

  /** A list came. It is not kept where one came or went meanwhile. */
  keep(applications: readonly Application[], begun: number): void {
    const lasts = applications.some(({ silent }) => silent === true) ? LISTED_SILENT : LISTED;
    const until = performance.now() + lasts;
    this.#listed = begun === this.#changes ? { applications, until } : undefined;
  }

  /** As they were listed, while that stands; undefined: they are to be listed. */
  recent(): readonly Application[] | undefined {
    return this.#listed !== undefined && performance.now() <= this.#listed.until
      ? this.#listed.applications
      : undefined;
  }

  /** Something was reported. */
  reported(bus: string, path: string, event: string): void {
    const renamed = path === ROOT && event.startsWith("object:property-change:accessible-name");
    if (renamed || !this.#listed?.applications.some((one) => one.bus === bus)) this.forget();
  }

  /** One of them is gone, or events were lost. */
  forget(): void {
    this.#changes++;
    this.#listed = undefined;
  }
}
