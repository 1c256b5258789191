/** A document that a system posted → facts and the document. Pure. */
import { hash } from 'node:crypto';
import type { FeedSettings } from '#contract/feed-settings.ts';
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import { factsOf, patientOf } from './clinical-facts.ts';
import { describeDocument } from './describe.ts';
import type { ReceivedDocument } from './received-document.ts';

export type DocumentReading =
  | { kind: 'documents'; facts: AdtFacts; documents: ReceivedDocument[]; warnings: string[] }
  | { kind: 'not-acted-on' | 'quarantine'; reason: string };

/** Returns what a posted document says. A reason is for its sender, and holds nothing of the document. */
export function readPosted(bytes: Buffer, settings: FeedSettings): DocumentReading {
  const document = describeDocument(bytes, settings);
  if (document.problem !== null) return { kind: 'quarantine', reason: document.problem };
  if (document.model === null) {
    return {
      kind: 'quarantine',
      reason: 'This is no clinical document. Send C-CDA (XML), or other files in HL7 v2 (MDM or ORU).',
    };
  }
  const patient = patientOf(document.model.header);
  if ('reason' in patient) return { kind: 'quarantine', reason: patient.reason };
  const facts = factsOf(patient, {
    controlId: document.number ?? '',
    sentAt: document.writtenAt,
    facilityIdentifier: '',
    contentHash: hash('sha256', bytes, 'hex'),
  });
  return { kind: 'documents', facts, documents: [document], warnings: [] };
}
