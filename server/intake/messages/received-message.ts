/** A message before it is stored: what came in, and what is derived from it for the store. */
import { createHash, hash } from 'node:crypto';

/** A message as it came in. */
export interface ReceivedMessage {
  source: 'MLLP' | 'FHIR' | 'CCDA' | 'MANUAL' | 'LINK';
  raw: Buffer;
  receivedAt: Date;
  /** The sender's network address, for the message log. */
  remote: string | null;
  sendingApplication: string;
  sendingFacility: string;
  controlId: string;
  messageType: string;
  /** The patient's identifier as the source writes it; keeps the messages of one patient in order. */
  patientKey: string;
  enteredBy?: string;
  /** Why the message can't be processed at all: it goes from the queue to quarantine. */
  unreadable?: string;
}

/** A row for the table of messages. */
export interface NewMessage extends ReceivedMessage {
  /** Equal for a message and its resends. */
  digest: Buffer;
  /** Messages in the same lane are processed in order. */
  lane: number;
}

export interface StoredMessage {
  id: string;
}

export function toRow(message: ReceivedMessage): NewMessage {
  return { ...message, digest: digestOf(message), lane: laneOf(message) };
}

/** Bytes of MSH-10 in a digest. HL7 v2.5.1 allows it 20 characters. */
const CONTROL_ID = 20;
const HASH = 32;
export const DIGEST_BYTES = 4 + CONTROL_ID + HASH;

/**
 * A duplicate has the same MSH-3, MSH-4 and MSH-10 and the same bytes. A known MSH-10 with other bytes is a new message. The hash of all that comes after the
 * sender and the end of MSH-10, which most senders count up, so that new digests come next to each other in the index (docs/decisions/0127).
 */
function digestOf({ source, sendingApplication, sendingFacility, controlId, raw }: ReceivedMessage): Buffer {
  const digest = Buffer.alloc(DIGEST_BYTES);
  hash('sha256', JSON.stringify([source, sendingApplication, sendingFacility]), 'buffer').copy(digest, 0, 0, 4);
  digest.write(controlId.slice(-CONTROL_ID), 4, CONTROL_ID);
  createHash('sha256')
    .update(JSON.stringify([source, sendingApplication, sendingFacility, controlId]))
    .update(raw)
    .digest()
    .copy(digest, DIGEST_BYTES - HASH);
  return digest;
}

/** Returns a signed 32-bit hash of the sender and the patient. */
function laneOf({ sendingApplication, sendingFacility, patientKey }: ReceivedMessage): number {
  return hash('sha256', JSON.stringify([sendingApplication, sendingFacility, patientKey]), 'buffer').readInt32BE();
}
