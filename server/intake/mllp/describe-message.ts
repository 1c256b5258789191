import { patientKey, readHeader } from '#server/intake/hl7/header.ts';
import type { ReceivedMessage } from '#server/intake/messages/received-message.ts';

/** In characters. Real values are far shorter, and PostgreSQL's indexes don't take much longer ones. The bytes keep the whole value. */
const LONGEST_FIELD = 250;
const field = (value = ''): string => value.slice(0, LONGEST_FIELD);

/** Returns an HL7 v2 message in the form that the store takes. `remote` is the sender's network address. */
export function describeMessage(
  raw: Buffer,
  receivedAt: Date,
  remote: string,
  header = readHeader(raw),
): ReceivedMessage {
  return {
    source: 'MLLP',
    raw,
    receivedAt,
    remote,
    sendingApplication: field(header?.sendingApplication),
    sendingFacility: field(header?.sendingFacility),
    controlId: field(header?.controlId),
    messageType: field(header ? [header.messageCode, header.trigger].filter(Boolean).join('^') : ''),
    patientKey: header ? patientKey(raw, header) : '',
    unreadable: header
      ? undefined
      : "The frame has no readable MSH segment. Check the sender's framing and its first segment.",
  };
}
