/** Escape sequences in text (HL7 v2.5.1, 2.7): `\F\` and the like for delimiters, `\Xhh..\` for bytes, `\.br\` for a line break. */
import type { Delimiters } from './delimiters.ts';

const NUL = /\0/g;

/** Returns the text with escape sequences resolved; unknown sequences stay. NUL characters are removed, because PostgreSQL can't store them. */
export function unescapeText(raw: string, delimiters: Delimiters): string {
  const mark = delimiters.escape;
  let start = mark === '' ? -1 : raw.indexOf(mark);
  if (start < 0) return raw;
  let text = '';
  let from = 0;
  while (start >= 0) {
    const end = raw.indexOf(mark, start + 1);
    if (end < 0) break;
    const meaning = meaningOf(raw.slice(start + 1, end), delimiters);
    if (meaning === null) {
      // The closing mark can also open the next sequence.
      start = end;
      continue;
    }
    text += raw.slice(from, start) + meaning;
    from = end + 1;
    start = raw.indexOf(mark, from);
  }
  return (text + raw.slice(from)).replace(NUL, '');
}

/** Returns text that a field can hold, with delimiters and line ends escaped. */
export function escapeText(text: string, delimiters: Delimiters): string {
  if (text === '') return text;
  let escaped = '';
  for (const character of text) escaped += sequenceFor(character, delimiters);
  return escaped;
}

function meaningOf(sequence: string, delimiters: Delimiters): string | null {
  switch (sequence) {
    case 'F':
      return delimiters.field;
    case 'S':
      return delimiters.component;
    case 'T':
      return delimiters.subcomponent;
    case 'R':
      return delimiters.repetition;
    case 'E':
      return delimiters.escape;
    case '.br':
      return '\n';
    default:
      return /^X(?:[0-9A-Fa-f]{2})+$/.test(sequence) ? textOfBytes(Buffer.from(sequence.slice(1), 'hex')) : null;
  }
}

/** The standard leaves the bytes' character set to each site. Reads valid UTF-8 as such, anything else as Latin-1. */
function textOfBytes(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

function sequenceFor(character: string, { field, component, subcomponent, repetition, escape }: Delimiters): string {
  if (escape === '') return character;
  switch (character) {
    case field:
      return `${escape}F${escape}`;
    case component:
      return `${escape}S${escape}`;
    case subcomponent:
      return `${escape}T${escape}`;
    case repetition:
      return `${escape}R${escape}`;
    case escape:
      return `${escape}E${escape}`;
    case '\r':
      return `${escape}X0D${escape}`;
    case '\n':
      return `${escape}X0A${escape}`;
    default:
      return character;
  }
}
