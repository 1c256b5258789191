/** How documents are shown: times in words, and the HTML elements of a narrative. Without zod: the browser loads it as it is. */
import type { DocumentHeader, NarrativeKind, Period } from './clinical-documents.ts';
import { DAY } from './durations.ts';
import { linkInWords } from './link-words.ts';

/**
 * Returns a time of a document as people in the US read it: '11/21/2026 3:42 PM', '11/21/2026', '11/2026', '2026'. The time of day is the
 * author's own; an offset is named, because the reader may be elsewhere.
 */
export function dateInWords(time: string): string {
  const [, year = time, month, day, hour, minute, offset] =
    /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::\d\d)?(Z|[+-]\d\d:\d\d)?)?)?)?$/.exec(time) ?? [];
  if (month === undefined) return year;
  if (day === undefined) return `${month}/${year}`;
  const date = `${month}/${day}/${year}`;
  if (hour === undefined) return date;
  const hours = Number(hour);
  const clock = `${String(hours % 12 || 12).padStart(2, '0')}:${minute ?? '00'} ${hours < 12 ? 'AM' : 'PM'}`;
  return `${date} ${clock}${offset === undefined ? '' : offset === 'Z' ? ' UTC' : ` (UTC${offset})`}`;
}

/** Whether a document is dated more than a day after it was received, which no time zone explains. */
export const isDatedAhead = (writtenAt: string, receivedAt: string): boolean =>
  Date.parse(writtenAt) > Date.parse(receivedAt) + DAY;

/** Returns a period: one date, 'from – to', 'since from' or 'until to'. */
export function periodInWords({ from, to }: Period, inWords = dateInWords): string {
  if (from !== null && to !== null) return from === to ? inWords(from) : `${inWords(from)} – ${inWords(to)}`;
  if (from !== null) return `since ${inWords(from)}`;
  return to === null ? '' : `until ${inWords(to)}`;
}

/** The patient of the page on which a document is read. */
export interface PatientOfPage {
  firstName: string;
  lastName: string;
  /** YYYY-MM-DD */
  dateOfBirth: string | null;
}

/** Returns the person whom a document says it is about: 'Holloway, Patricia, born 06/01/2004'. */
export function subjectInWords({ name, birthDate }: DocumentHeader['patient']): string {
  const names = [name?.family, name?.given].filter(Boolean).join(', ') || 'Name not in the document';
  return `${names}, ${birthDate === null ? 'birth date not in the document' : `born ${dateInWords(birthDate)}`}`;
}

const lettersOf = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toUpperCase();
const firstWordOf = (text: string): string => lettersOf(text.trim().split(/[\s-]/, 1)[0] ?? '');
const isOther = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b;

/** Returns a caution if name or birth date in a document aren't those of the page's patient; else null. What either lacks is no difference. */
export function subjectCaution({ name, birthDate }: DocumentHeader['patient'], patient: PatientOfPage): string | null {
  const isOtherName =
    name !== null &&
    (isOther(lettersOf(name.family), lettersOf(patient.lastName)) ||
      (isOther(lettersOf(name.given), lettersOf(patient.firstName)) &&
        isOther(firstWordOf(name.given), firstWordOf(patient.firstName))));
  const isOtherDate = isOther(birthDate ?? '', patient.dateOfBirth ?? '');
  if (!isOtherName && !isOtherDate) return null;
  const what = isOtherName && isOtherDate ? 'name and birth date' : isOtherName ? 'name' : 'birth date';
  const verb = isOtherName && isOtherDate ? 'differ' : 'differs';
  return `The ${what} in this document ${verb} from this patient's. Check that it's about this patient before you rely on it.`;
}

/** Returns the origin of a document that no system sent; '' of another one. */
export const uploadedInWords = ({ uploadedBy, uploadedFor }: Origin): string =>
  uploadedBy === null ? '' : `Uploaded by ${linkInWords({ name: uploadedBy, organization: uploadedFor })}`;

type Origin = { uploadedBy: string | null; uploadedFor?: string | null | undefined };

/** The HTML element by which each kind of narrative is shown. The other kinds need more than an element. */
export const NARRATIVE_ELEMENTS: Readonly<Partial<Record<NarrativeKind, string>>> = {
  paragraph: 'p',
  list: 'ul',
  orderedList: 'ol',
  item: 'li',
  table: 'table',
  head: 'thead',
  body: 'tbody',
  foot: 'tfoot',
  row: 'tr',
  headerCell: 'th',
  cell: 'td',
  caption: 'caption',
  bold: 'strong',
  italics: 'em',
  underline: 'u',
  strike: 's',
  sub: 'sub',
  sup: 'sup',
  link: 'u',
};
