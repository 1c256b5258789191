/** The files and texts in OBX segments (HL7 v2.5.1, 7.4.2 and 2.A.24). */
import { textOf } from '#server/intake/hl7/field-values.ts';
import type { Segment } from '#server/intake/hl7/message.ts';

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

/** ED: source application & type & subtype & encoding & data. Some senders leave the first components out. */
function fileIn(segment: Segment): Attachment | null {
  if (typeOf(segment) !== 'ED') return null;
  const encoding = ENCODINGS[segment.component(5, 4).trim().toUpperCase()];
  const data = segment.component(5, 5);
  if (encoding === undefined || data.trim() === '') return null;
  const bytes = Buffer.from(encoding === 'utf8' ? data : data.replace(/\s+/g, ''), encoding);
  return bytes.length === 0 ? null : { bytes, ...named(segment) };
}
