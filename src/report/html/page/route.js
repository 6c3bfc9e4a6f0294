// @ts-check
/// <reference lib="dom" />

/** @typedef {import("../model.ts").ReportData} ReportData */

/** What is shown: it stands in the address, so that a place can be sent to somebody. */
/** @typedef {{ file: number, attempt: number, item: number }} Route */

/** @type {ReportData} */
export const data = JSON.parse(document.getElementById("data")?.textContent ?? "{}");

/** `#2.1.7`: file, try and line of the timeline, from 0; -1: the first that says something. @returns {Route} */
export function route() {
  const [file = 0, attempt = -1, item = -1] = location.hash.slice(1).split(".").map((part) => {
    const number = parseInt(part, 10);
    return Number.isNaN(number) ? undefined : number;
  });
  return { file, attempt, item };
}

/** @param {number} file @param {number} [attempt] @param {number} [item] */
export function address(file, attempt = -1, item = -1) {
  return `#${file}.${attempt}.${item}`;
}

/** A picture by its name, as an address; undefined: it was left out. @param {string | undefined} name */
export function pictureAddress(name) {
  const text = name === undefined ? undefined : document.getElementById(`p-${name}`)?.textContent;
  return text ? `data:image/png;base64,${text}` : undefined;
}
