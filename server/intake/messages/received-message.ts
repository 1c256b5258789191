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

/** A duplicate has the same MSH-3, MSH-4 and MSH-10 and the same bytes. A known MSH-10 with other bytes is a new message. */
function digestOf({ source, sendingApplication, sendingFacility, controlId, raw }: ReceivedMessage): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([source, sendingApplication, sendingFacility, controlId]))
    .update(raw)
    .digest();
}

/** Returns a signed 32-bit hash of the sender and the patient. */
function laneOf({ sendingApplication, sendingFacility, patientKey }: ReceivedMessage): number {
  return hash('sha256', JSON.stringify([sendingApplication, sendingFacility, patientKey]), 'buffer').readInt32BE();
}
