/** A document in a message, before it is stored. */
import type { ClinicalDocument } from '#contract/clinical-documents.ts';
import type { DocumentKind } from '#contract/documents.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';

export interface ReceivedDocument {
  /** What the message does with the document of the number. A CANCEL has no bytes. */
  act: 'NEW' | 'ADDENDUM' | 'REPLACE' | 'CANCEL';
  number: string | null;
  /** The document that this one replaces or adds to. */
  parentNumber: string | null;
  kind: DocumentKind;
  mediaType: string;
  bytes: Buffer | null;
  /** What a clinical document says; null for another one, and for one that can't be read. */
  model: ClinicalDocument | null;
  /** Why it can't be read. */
  problem: string | null;
  /** The file within a clinical document. */
  file: { mediaType: string; bytes: Buffer } | null;
  title: string;
  typeCode: string | null;
  type: string | null;
  author: string | null;
  custodian: string | null;
  writtenAt: Moment | null;
  /** As the document says it. */
  written: string | null;
  isRestricted: boolean;
  /** Numbers of the visit, as the facility writes them. */
  visitNumbers: string[];
  /** YYYY-MM-DD */
  visitDay: string | null;
  /** Who at the facility uploaded it by a link; null if a system sent it. */
  uploadedBy: string | null;
  /** The organization that asked for it. */
  uploadedFor: string | null;
}
