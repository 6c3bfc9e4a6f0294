import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const VALIDATOR = fileURLToPath(new URL("../tools/references/node_modules/xmllint-wasm", import.meta.url));
const SCHEMA = fileURLToPath(new URL("fixtures/junit.xsd", import.meta.url));

/** Is the validator there? `tools/setup.sh --references` brings it. */
export const canValidate = existsSync(VALIDATOR);

/** What libxml2 has to say against a JUnit file; empty: it is valid. */
export function faultsOfJunit(xml: string): string {
  const program = `
    const { validateXML } = require(${JSON.stringify(VALIDATOR)});
    const { xml, schema } = JSON.parse(require("fs").readFileSync(0, "utf8"));
    validateXML({ xml: [{ fileName: "junit.xml", contents: xml }], schema: [schema] }).then((result) => {
      if (!result.valid) console.log(result.rawOutput || JSON.stringify(result.errors));
    }, (error) => console.log(String(error)));`;
  const input = JSON.stringify({ xml, schema: readFileSync(SCHEMA, "utf8") });
  const finished = spawnSync("node", ["-e", program], { input, encoding: "utf8", timeout: 30_000 });
  return `${finished.stdout ?? ""}${finished.stderr ?? ""}${finished.error?.message ?? ""}`.trim();
}
