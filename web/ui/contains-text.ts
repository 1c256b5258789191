/** Returns whether `text` contains `part`, regardless of case. */
export const containsText = (text: string, part: string): boolean =>
  text.toLocaleLowerCase().includes(part.toLocaleLowerCase());
