/** Documents of a patient: what facilities sent, and what the user may open. */
import { z } from 'zod';
import { clinicalDocument } from './clinical-documents.ts';
import { id, instant, instantOrDay } from './primitives.ts';

export const DOCUMENT_KINDS = ['CCDA', 'PDF', 'RTF', 'TEXT', 'IMAGE', 'OTHER'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export const documentUuid = z.uuid();

/** The first six fields are the specification's. */
export const ccdEntry = z.object({
  /** Null for a document that belongs to no visit. */
  encounterId: id.nullable(),
  encounterFacilityName: z.string(),
  encounterFacilityType: z.string(),
  encounterStartDate: instantOrDay.nullable(),
  encounterEndDate: instantOrDay.nullable(),
  uuid: documentUuid,
  kind: z.enum(DOCUMENT_KINDS),
  title: z.string(),
  /** The name of its type; null if the sender doesn't say. */
  type: z.string().nullable(),
  author: z.string().nullable(),
  /** As the document writes it (`contract/clinical-documents.ts`); null if it doesn't say. */
  writtenAt: z.string().nullable(),
  receivedAt: instant,
  /** Bytes. */
  size: z.number().int(),
  isDischargeSummary: z.boolean(),
  /** Whether it adds to another document. */
  isAddendum: z.boolean(),
  /** Sent by a 42 CFR Part 2 facility, or marked as restricted: shown only with a consent, and under a notice. */
  isRestricted: z.boolean(),
  /** Why it can't be shown as a clinical document. */
  problem: z.string().nullable(),
  /** The name that whoever uploaded it by a link gave; null if a system sent it. */
  uploadedBy: z.string().nullable(),
  /** The organization that asked for it by the link; null or absent if that is not known. */
  uploadedFor: z.string().nullish(),
});
export type CcdEntry = z.infer<typeof ccdEntry>;

/** A medication of a document, compared with the document before. */
export const medicationChange = z.object({
  /** STOPPED: the later list says so. REMOVED: it doesn't name it. */
  change: z.enum(['ADDED', 'STOPPED', 'REMOVED', 'CHANGED']),
  name: z.string(),
  /** Dose, route and how often; null if the document doesn't say. */
  before: z.string().nullable(),
  after: z.string().nullable(),
});

export const ccdSummary = z.object({
  entry: ccdEntry,
  /** Null if it is no clinical document, or can't be read. */
  document: clinicalDocument.nullable(),
  /** The words of a text, or of an RTF file without its layout; null for another kind. */
  text: z.string().nullable(),
  /** The file to show or save: a PDF or picture, also within a clinical document. */
  file: z.object({ mediaType: z.string(), size: z.number().int() }).nullable(),
  /**
   * What changed in the medication list since the last document of an earlier visit, else of an earlier day, that has such a list; `since…` is null
   * if there is none. Null if this document has no medication list.
   */
  medicationChanges: z
    .object({
      sinceUuid: documentUuid.nullable(),
      sinceTitle: z.string().nullable(),
      sinceWrittenAt: z.string().nullable(),
      changes: z.array(medicationChange),
    })
    .nullable(),
});
export type CcdSummary = z.infer<typeof ccdSummary>;

/** What a visit has of discharge documents. */
export const dischargeInfo = z.object({
  encounterId: id,
  /** The current discharge summary; null if there is none, or the user may not see it. */
  dischargeSummaryUuid: documentUuid.nullable(),
  /** The latest clinical document of the visit, one that can be read if there is any. */
  ccdUuid: documentUuid.nullable(),
});
export type DischargeInfo = z.infer<typeof dischargeInfo>;

/** A token of a document or FHIR feed. */
export const documentToken = z.object({
  id,
  /** Its last four characters. */
  ending: z.string(),
  createdAt: instant,
  createdBy: z.string().nullable(),
  /** Set when another token takes its place. */
  expiresAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
});
export type DocumentToken = z.infer<typeof documentToken>;
/** `token` is answered this once; only its hash is stored. */
export const newDocumentToken = documentToken.extend({ token: z.string() });
