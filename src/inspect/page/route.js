/// <reference lib="dom" />

/** The report of the run that is open: the parts of the report's page read it here. @type {any} */
export const data = { trees: [], files: [] };
/** Its pictures, by name, as Base64 of PNG. @type {Map<string, string>} */
const pictures = new Map();

/** Opens another run. @param {any} report @param {Record<string, string>} images */
export function opened(report, images) {
  Object.assign(data, report);
  pictures.clear();
  for (const [name, base64] of Object.entries(images)) pictures.set(name, base64);
}

/** Where a page of a report is; here the address holds the token, and stays. */
export function route() {
  return { file: 0, attempt: 0, item: -1 };
}

export function address() {
  return location.hash;
}

/** @param {string | undefined} name */
export function pictureAddress(name) {
  const base64 = name === undefined ? undefined : pictures.get(name);
  return base64 === undefined ? undefined : `data:image/png;base64,${base64}`;
}
