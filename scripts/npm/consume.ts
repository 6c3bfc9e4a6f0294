/**
 * Programs that use the installed package, compiled as strictly as its users may: each export has a type, and no type is an
 * `any` because something that it is made of was not found.
 *
 * @module
 */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REFERENCES, ROOT } from "./place.ts";
import { must, run } from "./run.ts";

/** What a type that takes others is written with. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  Camel: '<"wait-idle">',
  CliDeclaration: "<string>",
  InputOf: '<OperationNamed<"wait-idle">>',
  IsUnion: "<string>",
  Method: "<string, string>",
  OperationDeclaration: "<string, string, string>",
  OperationNamed: '<"wait-idle">',
  OutputOf: '<OperationNamed<"wait-idle">>',
  RequiredKeys: "<{ name: string }>",
  Schema: "<string>",
  SchemaVerdict: "<string>",
  ScriptOptions: "<{ title: string }>",
  Short: "<{ name: string }>",
  TypedOperation: '<"wait-idle", string, string>',
  ViewsDeclaration: "<string>",
};

/** The names that a module of re-exports exports: its types, and the others. */
export function exportsOf(module: string): { readonly types: string[]; readonly values: string[] } {
  const types: string[] = [], values: string[] = [];
  for (const [, only, names = ""] of module.matchAll(/^export (type )?\{([^}]*)\} from/gm)) {
    for (const name of names.split(",").map((word) => word.trim()).filter((word) => word !== "")) {
      (only === undefined ? values : types).push(name.replace(/^.* as /, ""));
    }
  }
  return { types, values };
}

/** A program that is wrong once for each type: an `any` would take what none of them takes. */
function typesProgram(types: readonly string[]): string {
  return [
    `import type { ${types.join(", ")} } from "backstep";`,
    "declare const sign: unique symbol;",
    "declare const nothing: { readonly likeNoOther: typeof sign };",
    ...types.flatMap((name) => [
      `type A${name} = ${name}${ARGUMENTS[name] ?? ""};`,
      `// @ts-expect-error this is no ${name}`,
      `export const is${name}: A${name} = nothing;`,
    ]),
    "",
  ].join("\n");
}

/** Compiles the consumers in a project that has the package installed. Rejects with the compiler's words. */
export async function consume(project: string): Promise<string> {
  const module = readFileSync(join(project, "node_modules/backstep/mod.d.ts"), "utf8");
  const { types, values } = exportsOf(module);
  const uses = join(ROOT, "scripts/npm/consumer/uses.ts");
  const used = readFileSync(uses, "utf8");
  const unused = values.filter((name) => !used.includes(`  ${name},\n`));
  if (unused.length > 0) throw new Error(`scripts/npm/consumer/uses.ts does not use ${unused.join(", ")}`);
  cpSync(uses, join(project, "uses.ts"));
  writeFileSync(join(project, "types.ts"), typesProgram(types));
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        target: "es2023",
        module: "nodenext",
        types: ["node"],
        typeRoots: [join(REFERENCES, "@types")],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
      },
      files: ["uses.ts", "types.ts"],
    }),
  );
  const tsc = join(REFERENCES, "typescript/bin/tsc");
  const { code, stdout, stderr } = await run("node", [tsc, "--project", "tsconfig.json"], { cwd: project });
  if (code !== 0) throw new Error(`a consumer does not compile:\n${stdout}${stderr}`.slice(0, 20_000));
  return `${types.length} types and ${values.length} values are used, rightly and wrongly`;
}

/** What two judges of packages say of the tarball. Rejects where one finds an error. */
export async function judged(tarball: string): Promise<string> {
  const attw = join(REFERENCES, "@arethetypeswrong/cli/dist/index.js");
  await must("node", [attw, tarball, "--profile", "esm-only", "--no-emoji", "--no-color"], { cwd: ROOT });
  const publint = join(REFERENCES, "publint/src/cli.js");
  await must("node", [publint, tarball, "--strict"], { cwd: ROOT });
  return "arethetypeswrong and publint find nothing";
}
