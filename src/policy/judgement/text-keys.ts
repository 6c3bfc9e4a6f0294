const NAMED: ReadonlyMap<string, string> = new Map([
  ["\n", "Return"],
  ["\r", "Return"],
  ["\t", "Tab"],
  ["\b", "BackSpace"],
  ["\x1b", "Escape"],
  ["\x7f", "Delete"],
  [" ", "Space"],
]);

/** The keys that a text is typed with, by names of `keys.ts`; a control character that has none stays what it is. */
export function inputKeys(text: string): string[] {
  return [...text].map(keyOfCharacter);
}

/** The key of one character. */
export function keyOfCharacter(character: string): string {
  return NAMED.get(character) ?? character;
}
