import { dateInWords, isDatedAhead, uploadedInWords } from '#contract/document-words.ts';
import type { CcdEntry, DocumentKind } from '#contract/documents.ts';
import { formatDate, formatDateTime } from '../ui/format/date.ts';

export const KINDS: Record<DocumentKind, string> = {
  CCDA: 'Clinical document',
  PDF: 'PDF',
  RTF: 'Text (RTF)',
  TEXT: 'Text',
  IMAGE: 'Picture',
  OTHER: 'File',
};

/** Returns what a document is: its type, else the kind of file. */
export const typeInWords = ({ type, kind, isAddendum, isRestricted, problem }: CcdEntry): string =>
  [
    problem === null ? (type ?? KINDS[kind]) : "Can't be read as a clinical document",
    isAddendum && 'addendum',
    isRestricted && 'restricted (42 CFR Part 2)',
  ]
    .filter(Boolean)
    .join(', ');

/** Returns a time of a document: with an offset, in the user's zone like other times; else as the author wrote it. */
export const timeInWords = (time: string): string =>
  /(?:Z|[+-]\d\d:\d\d)$/.test(time) && time.includes('T') ? formatDateTime(time) : dateInWords(time);

/** Returns when it was written; else when it was received, which is said. */
export const writtenInWords = ({ writtenAt, receivedAt }: CcdEntry): string =>
  writtenAt === null
    ? `Received ${formatDate(receivedAt)}`
    : `${timeInWords(writtenAt)}${isDatedAhead(writtenAt, receivedAt) ? ` (a later date than when it came, ${formatDate(receivedAt)})` : ''}`;

/** Returns the visit's days at the facility; null for a document without a visit. */
export const visitInWords = ({
  encounterId,
  encounterStartDate: from,
  encounterEndDate: to,
}: CcdEntry): string | null =>
  encounterId === null ? null : `${from ? formatDate(from) : 'Start not recorded'} – ${to ? formatDate(to) : 'now'}`;

/** Returns where it is from: the facility, its author, and who uploaded it if no system sent it. */
export const originInWords = ({ encounterFacilityName, author, ...entry }: CcdEntry): string =>
  [encounterFacilityName, author, uploadedInWords(entry)].filter(Boolean).join(' · ');

export const sizeInWords = (bytes: number): string =>
  `${Math.max(1, Math.round(bytes / 1024)).toLocaleString('en-US')}\u00a0kB`;
