/** Reading an element: its parts by name, its attributes, its text. */
import { LONGEST_TEXT } from './limits.ts';
import type { Element } from './xml-tree.ts';

/** Returns the first child with the name. */
export function child(element: Element | undefined, name: string): Element | undefined {
  if (element === undefined) return undefined;
  const parts = element.children;
  for (let index = 0; index < parts.length; index += 1) {
    const each = parts[index] as Element | string;
    if (typeof each !== 'string' && each.name === name) return each;
  }
  return undefined;
}

/** Returns the children with the name, or all of them. */
export function children(element: Element | undefined, name?: string): Element[] {
  const found: Element[] = [];
  if (element === undefined) return found;
  for (const each of element.children) {
    if (typeof each !== 'string' && (name === undefined || each.name === name)) found.push(each);
  }
  return found;
}

/** Returns the first element at the end of a path of names. */
export function at(element: Element | undefined, ...path: readonly string[]): Element | undefined {
  let found = element;
  for (const name of path) found = child(found, name);
  return found;
}

/** Returns an attribute without blanks around it; undefined if it is absent or empty. */
export function attribute(element: Element | undefined, name: string): string | undefined {
  if (element === undefined) return undefined;
  const { attributes } = element;
  for (let index = 0; index < attributes.length; index += 2) {
    if (attributes[index] === name) return attributes[index + 1]?.trim() || undefined;
  }
  return undefined;
}

/** Returns the text of an element and of all in it, with single blanks; undefined if there is none. */
export function textOf(element: Element | undefined): string | undefined {
  if (element === undefined || element.children.length === 0) return undefined;
  const [only] = element.children;
  if (element.children.length === 1 && typeof only === 'string') return inOneLine(only) || undefined;
  const pieces: string[] = [];
  collect(element, pieces, 0);
  return inOneLine(pieces.join(' ')) || undefined;
}

/** Collects the texts in an element, and returns how long they are. */
function collect(from: Element, pieces: string[], before: number): number {
  let length = before;
  for (const each of from.children) {
    if (length > LONGEST_TEXT * 4) break;
    if (typeof each === 'string') {
      pieces.push(each);
      length += each.length;
    } else length = collect(each, pieces, length);
  }
  return length;
}

/** Returns a text with single blanks, cut off where it is too long. */
export function inOneLine(text: string): string {
  // Most texts are a line already.
  if (text.length <= LONGEST_TEXT && !/[^\S ]|\s\s/.test(text)) return text.trim();
  const line = text
    .slice(0, LONGEST_TEXT * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
}
