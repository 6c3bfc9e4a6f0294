/** A page of so many elements: headings, text, buttons, fields, check boxes, lists. Its title says when it is there. */
export function page(elements: number): string {
  const parts: string[] = [];
  for (let i = 0; i < elements; i += 17) {
    parts.push(
      `<section><h2>Part ${i}</h2><p>Some words about part ${i}.</p><button title="Press ${i}">Button ${i}</button>`,
      `<input value="${i}" aria-label="Field ${i}"><label><input type=checkbox> Check ${i}</label>`,
      `<ul><li>One ${i}</li><li>Two ${i}</li></ul></section>`,
    );
  }
  return `<!doctype html><meta charset=utf-8><title>loading</title>${parts.join("\n")}` +
    `<script>onload = () => requestAnimationFrame(() => setTimeout(() => document.title = "ready", 100));</script>`;
}
