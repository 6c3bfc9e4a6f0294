import { BackstepError } from "../base/error.ts";
import { VERSION } from "../base/version.ts";
import { Inspector, type InspectorOptions } from "./inspector.ts";
import { type Part, type Question, type Routes, routesOf } from "./routes.ts";
import { serve, type Served } from "./serve.ts";

/** A page whose desktop comes and goes: that of a worker, or of no desktop at all. Its address stays. */
export class DeskPage {
  readonly #parts: readonly Part[];
  #served: Served | undefined;
  #now: { readonly inspector: Inspector; readonly routes: Routes } | undefined;
  readonly #viewers = new Set<{ tell(event: string, data: unknown): void }>();

  private constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  static async open(parts: readonly Part[] = []): Promise<DeskPage> {
    const page = new DeskPage(parts);
    page.#served = await serve(page.#routes());
    return page;
  }

  get url(): string {
    return this.#served?.url ?? "";
  }

  /** Tells every page. */
  tell(event: string, data: unknown): void {
    for (const viewer of this.#viewers) viewer.tell(event, data);
  }

  /** Shows a desktop from now on, with further parts of the page. */
  show(options: InspectorOptions, parts: (inspector: Inspector) => readonly Part[]): Inspector {
    const inspector = new Inspector(options);
    this.#now = { inspector, routes: routesOf(inspector, [...this.#parts, ...parts(inspector)]) };
    this.#served?.renew();
    return inspector;
  }

  /** Shows no desktop any more. */
  async hide(): Promise<void> {
    const now = this.#now;
    this.#now = undefined;
    if (now === undefined) return;
    await this.#served?.renew();
    await now.inspector.close();
  }

  async close(): Promise<void> {
    await this.hide();
    await this.#served?.close();
  }

  #routes(): Routes {
    const own: { readonly [name: string]: Question } = Object.assign(
      {},
      ...this.#parts.map(({ questions }) => questions),
    );
    const now = () => this.#now?.routes;
    return {
      get screen() {
        return now()?.screen;
      },
      notices: async (viewer, app) => {
        this.#viewers.add(viewer);
        const routes = now();
        if (routes) {
          const end = await routes.notices(viewer, app);
          return async () => {
            this.#viewers.delete(viewer);
            await end();
          };
        }
        viewer.tell("hello", {
          version: VERSION,
          label: "",
          kind: "none",
          states: [],
          scaffolding: 0,
          parts: [],
        });
        viewer.tell("no-app", {
          message: "No test runs here now.",
          hint: "Its desktop is shown when one does.",
        });
        for (const part of this.#parts) {
          for (const [event, data] of Object.entries(part.hello?.() ?? {})) viewer.tell(event, data);
        }
        return () => {
          this.#viewers.delete(viewer);
          return Promise.resolve();
        };
      },
      ask: async (name, body) => {
        const routes = now();
        if (routes) return await routes.ask(name, body);
        const asked = Object.hasOwn(own, name) ? own[name] : undefined;
        if (asked !== undefined) return await asked(body);
        throw new BackstepError("not_found", "There is no desktop here now");
      },
    };
  }
}
