import type { ResourceContents, ResourceProvider } from "../server/resource.ts";
import { PIXEL } from "./media.ts";

const STATIC: readonly (ResourceContents & { readonly name: string })[] = [
  {
    name: "static-text",
    uri: "test://static-text",
    mimeType: "text/plain",
    text: "This is the content of the static text resource.",
  },
  { name: "static-binary", uri: "test://static-binary", mimeType: "image/png", blob: PIXEL },
  { name: "watched-resource", uri: "test://watched-resource", mimeType: "text/plain", text: "Watched." },
];

/** The resources that the protocol's conformance suites read. */
export const conformanceResources: ResourceProvider = {
  resources: STATIC.map(({ name, uri, mimeType }) => ({
    name,
    uri,
    mimeType,
    title: name,
    description: `A fixture of the conformance suites: ${name}`,
  })),
  templates: [{
    name: "template",
    uriTemplate: "test://template/{id}/data",
    title: "template",
    description: "A fixture of the conformance suites: data for an id",
    mimeType: "application/json",
  }],
  read(uri) {
    const [, id] = /^test:\/\/template\/([^/]{1,100})\/data$/.exec(uri) ?? [];
    if (id !== undefined) {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return Promise.resolve([{ uri, mimeType: "application/json", text: data }]);
    }
    const found = STATIC.find((each) => each.uri === uri);
    if (found === undefined) return Promise.resolve(undefined);
    const { name: _name, ...contents } = found;
    return Promise.resolve([contents]);
  },
  watch(uri) {
    const existing = uri === "test://watched-resource";
    return Promise.resolve(existing ? { close: () => Promise.resolve() } : undefined);
  },
  complete: (_template, _variable, value) =>
    Promise.resolve(["123", "456"].filter((id) => id.startsWith(value))),
};
