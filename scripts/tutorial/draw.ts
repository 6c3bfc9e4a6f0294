/** A character and how it is painted. */
interface Cell {
  readonly text: string;
  readonly paint: string;
}

/** Pixels of a character, and of what is around the text. */
const WIDE = 8.4, HIGH = 19, AROUND = 16, BAR = 30;
const COLOURS: Readonly<Record<string, string>> = {
  "1": "bold",
  "2": "dim",
  "31": "bad",
  "32": "good",
  "33": "warn",
  "36": "accent",
};
// deno-lint-ignore no-control-regex -- a terminal's control bytes
const TOKEN = /\x1b\[\??(\d*(?:;\d+)*)([A-Za-z])|\r|\n|\x07|./gsu;

/** What a terminal of so many columns showed at the end, as an SVG picture: its text, where it stood, in its colours. */
export function drawTerminal(written: string, columns: number): string {
  const lines = playedLines(written);
  const width = Math.round(columns * WIDE + 2 * AROUND), height = BAR + lines.length * HIGH + 2 * AROUND;
  const rows = lines.map((line, row) => {
    const y = BAR + AROUND + row * HIGH + 13;
    return spans(line).map(({ at, text, paint }) =>
      `<text x="${(AROUND + at * WIDE).toFixed(1)}" y="${y}"${paint === "" ? "" : ` class="${paint}"`} ` +
      `textLength="${([...text].length * WIDE).toFixed(1)}" xml:space="preserve">${escaped(text)}</text>`
    ).join("");
  });
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map((colour, n) =>
    `<circle cx="${18 + n * 20}" cy="15" r="6" fill="${colour}"/>`
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<style>text{font:14px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#d4d7dd}.bold{font-weight:bold;fill:#fff}.dim{fill:#8b919c}.bad{fill:#f47067}.good{fill:#6bc46d}.warn{fill:#e0b252}.accent{fill:#56b6c2}</style>
<rect width="${width}" height="${height}" rx="8" fill="#1d2027"/>
${dots.join("")}
${rows.filter((row) => row !== "").join("\n")}
</svg>
`;
}

/** The lines that stand there at the end. */
function playedLines(written: string): Cell[][] {
  const lines: Cell[][] = [[]];
  let column = 0;
  let paint = "";
  for (const [token, codes = "", final] of written.matchAll(TOKEN)) {
    const line = lines.at(-1) ?? [];
    if (token === "\r") column = 0;
    else if (token === "\n") {
      lines.push([]);
      column = 0;
    } else if (final === "K") line.splice(column);
    else if (final === "m") paint = codes.split(";").reduce((_, code) => COLOURS[code] ?? "", "");
    else if (final === undefined && token !== "\x07") line[column++] = { text: token, paint };
  }
  // The prompt that came last waits for what is typed next.
  while (lines.length > 1 && /^(\$ ?)?$/.test(textOf(lines.at(-1)))) lines.pop();
  return lines;
}

function textOf(line: readonly Cell[] | undefined): string {
  return (line ?? []).map((cell) => cell?.text ?? " ").join("");
}

/** Characters that are painted alike and stand beside each other. */
function spans(line: readonly Cell[]): { at: number; text: string; paint: string }[] {
  const found: { at: number; text: string; paint: string }[] = [];
  for (const [at, { text, paint }] of line.entries()) {
    const last = found.at(-1);
    if (last?.paint === paint) last.text += text;
    else found.push({ at, text, paint });
  }
  return found.filter(({ text }) => text.trim() !== "");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
