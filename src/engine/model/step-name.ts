/** "click button "Save" of gedit": the action and what it acts on, bounded. */
export function nameOf(operation: string, subject: string | undefined): string {
  const name = subject === undefined ? operation : `${operation} ${subject}`;
  return name.length > 120 ? `${name.slice(0, 119)}…` : name;
}
