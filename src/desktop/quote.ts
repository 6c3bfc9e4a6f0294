/** A string in double quotes, with the escapes that selectors know. */
export function quote(text: string): string {
  const escaped = text.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n").replace(/\t/g, "\\t").replace(
    /\r/g,
    "\\r",
  )
    // deno-lint-ignore no-control-regex -- control characters would be invisible in a message
    .replace(/[\u0000-\u001f\u007f]/g, (char) => `\\u{${char.charCodeAt(0).toString(16)}}`);
  return `"${escaped}"`;
}
