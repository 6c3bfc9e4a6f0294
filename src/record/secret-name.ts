/** The name of a secret after the field that takes it: "Password entry" is PASSWORD_ENTRY. */
export function secretName(field: string): string {
  const name = field.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 40);
  return name === "" ? "PASSWORD" : /^[0-9]/.test(name) ? `SECRET_${name}` : name;
}
