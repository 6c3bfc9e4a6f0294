import assert from "node:assert/strict";
import { optional } from "./optional.ts";

const packages = ["tesseract.js", "@tesseract.js-data/eng"];
const notFound = (message: string) => Object.assign(new Error(message), { code: "ERR_MODULE_NOT_FOUND" });

Deno.test("a package that is not installed is named, with the command that installs all that belongs to it", async () => {
  const said = [
    "Cannot find package '@tesseract.js-data/eng' imported from /p/ocr-backend.js",
    'Import "@tesseract.js-data/eng" not a dependency',
  ];
  for (const message of said) {
    await assert.rejects(optional("read the picture", packages, () => Promise.reject(notFound(message))), {
      code: "missing",
      message: "Cannot read the picture: the npm package @tesseract.js-data/eng is not installed",
      hint: "Install it beside backstep: npm install tesseract.js @tesseract.js-data/eng",
    });
  }
});

Deno.test("what is broken inside of a package, and any other fault, is not called a missing package", async () => {
  for (
    const fault of [notFound("Cannot find module '/n/tesseract.js/src/index.js'"), new Error("tesseract.js")]
  ) {
    await assert.rejects(optional("read the picture", packages, () => Promise.reject(fault)), fault);
  }
});

Deno.test("what is installed is returned", async () => {
  assert.equal(await optional("read", packages, () => Promise.resolve(7)), 7);
});
