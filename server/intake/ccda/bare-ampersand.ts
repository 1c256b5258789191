/**
 * Where a document that can't be read has an ampersand that begins no entity, the most frequent mistake of senders that put XML together from texts:
 * "Smith & Sons". The parser takes what follows for the name of an entity, and notices it far below, or at the end of the document.
 */

/** `offset` in characters; `line` and `column` count from 1. */
export interface Place {
  offset: number;
  line: number;
  column: number;
}

/** Longest name of an entity that is looked for; XML's own have four letters. */
const LONGEST_NAME = 64;
const ENTITY = /^&(#\d+|#x[\da-f]+|[\p{L}_:][\p{L}\p{N}_:.-]*);/iu;
/** What holds ampersands that mean nothing. */
const LITERALS: readonly (readonly [begin: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/** Returns the first such ampersand; null if there is none. Linear. */
export function bareAmpersandIn(text: string): Place | null {
  for (let at = nextSign(text, 0); at >= 0; at = nextSign(text, at)) {
    if (text[at] === '&') {
      if (!ENTITY.test(text.slice(at, at + LONGEST_NAME))) return placeOf(text, at);
      at += 1;
      continue;
    }
    const literal = LITERALS.find(([begin]) => text.startsWith(begin, at));
    if (literal === undefined) {
      at += 1;
      continue;
    }
    const end = text.indexOf(literal[1], at + literal[0].length);
    if (end < 0) return null;
    at = end + literal[1].length;
  }
  return null;
}

function nextSign(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x26 || code === 0x3c) return at;
  }
  return -1;
}

function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const start = before.lastIndexOf('\n') + 1;
  return { offset, line: before.split('\n').length, column: before.length - start + 1 };
}
