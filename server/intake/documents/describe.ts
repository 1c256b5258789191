/** Bytes → a document, as far as they say themselves what it is. */

import type { FeedSettings } from '#contract/feed-settings.ts';
import { isDischargeSummary } from '#server/intake/ccda/loinc-names.ts';
import { readDocument } from '#server/intake/ccda/read-document.ts';
import { Unreadable } from '#server/intake/ccda/unreadable.ts';
import { momentOf, numberOf, visitNumbersOf } from './clinical-facts.ts';
import { contentTypeOf } from './content-type.ts';
import type { ReceivedDocument } from './received-document.ts';

const TITLES = {
  CCDA: 'Clinical document',
  PDF: 'PDF document',
  RTF: 'Text document (RTF)',
  TEXT: 'Text document',
  IMAGE: 'Picture',
  OTHER: 'File',
} as const;

/** Returns the document in these bytes. A clinical document that can't be read is one with a problem. */
export function describeDocument(bytes: Buffer, settings: Pick<FeedSettings, 'timeZone'>): ReceivedDocument {
  const { kind, mediaType } = contentTypeOf(bytes);
  const plain: ReceivedDocument = {
    act: 'NEW',
    number: null,
    parentNumber: null,
    kind,
    mediaType,
    bytes,
    model: null,
    problem: null,
    file: null,
    title: TITLES[kind],
    typeCode: null,
    type: null,
    author: null,
    custodian: null,
    writtenAt: null,
    written: null,
    isRestricted: false,
    visitNumbers: [],
    visitDay: null,
    uploadedBy: null,
    uploadedFor: null,
  };
  if (kind !== 'CCDA') return plain;
  try {
    return clinical(plain, bytes, settings);
  } catch (error) {
    if (error instanceof Unreadable) return { ...plain, problem: error.message };
    throw error;
  }
}

function clinical(plain: ReceivedDocument, bytes: Buffer, settings: Pick<FeedSettings, 'timeZone'>): ReceivedDocument {
  const { document, file } = readDocument(bytes);
  const { header } = document;
  const replaced = header.related.find(({ relation }) => relation === 'RPLC');
  const added = header.related.find(({ relation }) => relation === 'APND');
  const [author] = header.authors;
  return {
    ...plain,
    act: replaced ? 'REPLACE' : added ? 'ADDENDUM' : 'NEW',
    number: numberOf(header.id),
    parentNumber: numberOf((replaced ?? added)?.id ?? null),
    model: document,
    file,
    title: header.title,
    typeCode: header.typeCode,
    type: header.type,
    author: author?.name ?? author?.organization ?? null,
    custodian: header.custodian,
    writtenAt: momentOf(header.writtenAt, settings),
    written: header.writtenAt,
    isRestricted: isRestricted(header.confidentiality),
    visitNumbers: visitNumbersOf(header),
    visitDay: header.encounter?.when?.from?.slice(0, 10) ?? null,
  };
}

/** R and V (HL7 v3), and their counterparts in HL7 v2 (table 0272): anything but normal and unrestricted. */
export const isRestricted = (confidentiality: string | null): boolean =>
  /^(R|V|RE|VR|1|2|3|4|5)$/i.test(confidentiality ?? '');

/** Whether the type (LOINC), or the words of a sender that has codes of its own, say that it is a discharge summary. */
export const saysDischarge = (typeCode: string | null, words: string | null): boolean =>
  isDischargeSummary(typeCode) || /\bdischarge\s+summary\b/i.test(words ?? '');
