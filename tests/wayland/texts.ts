/** 279 characters: what a European keyboard has, Greek and Cyrillic, signs, each at least once. */
function many(): string {
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, k) => String.fromCodePoint(first + k)).join("");
  return from(0x21, 0x7e) + " " + from(0xa1, 0xac) + from(0xae, 0xff) + from(0x391, 0x3a1) +
    from(0x3b1, 0x3c9) +
    from(0x410, 0x431) + "„“”‚‘’–—…€™";
}

/** What is typed, by what it is. */
export const TEXTS: Readonly<Record<string, string>> = {
  "279 characters": [...many()].slice(0, 279).join(""),
  "Chinese, Japanese and Korean": "世界 こんにちは カタカナ 안녕하세요 漢字",
};
