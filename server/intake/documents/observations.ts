/** The files and texts in OBX segments (HL7 v2.5.1, 7.4.2 and 2.A.24). */
import { textOf } from '#server/intake/hl7/field-values.ts';
import type { Segment } from '#server/intake/hl7/message.ts';
import { isProgram } from './content-type.ts';

export interface Attachment {
  bytes: Buffer;
  /** The code of OBX-3; null if it is empty. */
  code: string | null;
  /** OBX-3; null if it is empty. */
  title: string | null;
}

const ENCODINGS: Readonly<Record<string, 'base64' | 'hex' | 'utf8'>> = {
  BASE64: 'base64',
  HEX: 'hex',
  A: 'utf8',
  '': 'base64',
};
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const HEX = /^([0-9A-Fa-f]{2})*$/;
const TEXTS = /^(TX|FT|ST|CF)$/;

/** Returns encapsulated files (ED), or all lines of text as one document. References (RP) are not fetched. */
export function attachmentsOf(observations: readonly Segment[]): Attachment[] {
  const files = observations.flatMap((segment) => fileIn(segment) ?? []);
  if (files.length > 0) return files;
  const texts = observations.filter((segment) => TEXTS.test(typeOf(segment)));
  const lines = texts.flatMap((segment) => segment.repetitions(5).map((_, index) => segment.component(5, 1, index)));
  const text = lines.join('\n').replace(/\.br\\?/g, '\n');
  const [first] = texts;
  return text.trim() === '' || !first ? [] : [{ bytes: Buffer.from(text), ...named(first) }];
}

const typeOf = (segment: Segment): string => segment.component(2).trim().toUpperCase();
const named = (segment: Segment): Pick<Attachment, 'code' | 'title'> => {
  const code = textOf(segment, 3) ?? null;
  return { code, title: textOf(segment, 3, 2) ?? code };
};

/** Returns why a file in these segments can't be stored, naming the segment and field; null if all can. */
export function problemIn(observations: readonly Segment[]): string | null {
  for (const [index, segment] of observations.entries()) {
    if (typeOf(segment) !== 'ED') continue;
    const where = `OBX-5 of OBX ${index + 1}`;
    const encoding = encodingOf(segment);
    if (encoding === undefined) return `${where} has an encoding (component 4) other than Base64, Hex or A.`;
    const data = dataOf(segment);
    if (encoding === 'base64' && !BASE64.test(data)) return `${where} is not Base64 (component 5).`;
    if (encoding === 'hex' && !HEX.test(data)) return `${where} is not hexadecimal (component 5).`;
    if (isProgram(fileIn(segment)?.bytes)) return `${where} is a program, not a document.`;
  }
  return null;
}

const encodingOf = (segment: Segment) => ENCODINGS[segment.component(5, 4).trim().toUpperCase()];

/** Returns the data of a file as sent, of encoded data without line ends. */
const dataOf = (segment: Segment): string => {
  const data = segment.component(5, 5);
  return encodingOf(segment) === 'utf8' ? data : data.replace(/\\?\.br\\?|\s+/g, '');
};

/** ED: source application & type & subtype & encoding & data. Some senders leave the first components out. */
function fileIn(segment: Segment): Attachment | null {
  if (typeOf(segment) !== 'ED') return null;
  const encoding = encodingOf(segment);
  const data = dataOf(segment);
  if (encoding === undefined || data.trim() === '') return null;
  const bytes = Buffer.from(data, encoding);
  return bytes.length === 0 ? null : { bytes, ...named(segment) };
}
