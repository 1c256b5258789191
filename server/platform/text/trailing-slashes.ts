/** Returns the text without slashes at its end. Not an expression: `\/+$` takes quadratic time. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
