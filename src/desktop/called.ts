import type { Application } from "./element.ts";

/** Does an application call itself this: by its id, its name, its process id, or the id that its name is made of? */
export function isCalled(application: Application, name: string): boolean {
  const wanted = withoutSuffix(name);
  if (application.id !== undefined && withoutSuffix(application.id) === wanted) return true;
  if (application.name.toLowerCase() === name.toLowerCase()) return true;
  if (/^\d+$/.test(name) && application.pid === Number(name)) return true;
  return application.id === undefined && /^[\w-]+(\.[\w-]+){2,}$/.test(wanted) &&
    nameFits(application.name, wanted);
}

/** What an application calls itself; one that never said so by its process. */
export function nameOrProcess({ name, pid }: Pick<Application, "name" | "pid">): string {
  return name === "" ? `process ${pid}` : name;
}

/** An application for an error: what it calls itself, in quotes; one that never said so by its process. */
export function quotedName({ name, pid }: Pick<Application, "name" | "pid">): string {
  return name === "" ? `process ${pid}` : JSON.stringify(name);
}

/** An id whatever its case, and whether it ends in ".desktop". */
export function withoutSuffix(id: string): string {
  return id.toLowerCase().replace(/\.desktop$/, "");
}

/** Many applications call themselves after the last part of their id: org.gnome.Calculator is "gnome-calculator". */
export function nameFits(name: string, id: string): boolean {
  const parts = id.split(".");
  const last = parts.at(-1) ?? "";
  const lower = name.toLowerCase();
  return lower === last || lower === `${parts.at(-2) ?? ""}-${last}` || lower === id;
}
