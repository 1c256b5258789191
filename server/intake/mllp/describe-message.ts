import { patientKey, readHeader } from '#server/intake/hl7/header.ts';
import type { ReceivedMessage } from '#server/intake/messages/message-store.ts';

/** An HL7 v2 message as the store takes it. `remote`: where it came from. */
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
    sendingApplication: header?.sendingApplication ?? '',
    sendingFacility: header?.sendingFacility ?? '',
    controlId: header?.controlId ?? '',
    messageType: header ? [header.messageCode, header.trigger].filter(Boolean).join('^') : '',
    patientKey: header ? patientKey(raw, header) : '',
    unreadable: header ? undefined : 'MSH: the frame holds no readable header segment.',
  };
}
