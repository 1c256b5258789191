import { LONGEST_COMPONENT } from '#server/intake/hl7/field-limits.ts';
import { ASK_SENDER } from '#server/intake/hl7/field-values.ts';
import { type MessageHeader, patientKey, readHeader } from '#server/intake/hl7/header.ts';
import type { ReceivedMessage } from '#server/intake/messages/received-message.ts';

/** Returns an HL7 v2 message in the form that the store takes. One with an overlong MSH field is stored in quarantine, listed by the field's beginning. `remote` is the sender's network address. */
export function describeMessage(
  raw: Buffer,
  receivedAt: Date,
  remote: string,
  header = readHeader(raw),
): ReceivedMessage {
  const {
    sendingApplication = '',
    sendingFacility = '',
    controlId = '',
    messageCode = '',
    trigger = '',
  } = header ?? {};
  const messageType = [messageCode, trigger].filter(Boolean).join('^');
  const fields = {
    'MSH-3': sendingApplication,
    'MSH-4': sendingFacility,
    'MSH-9': messageType,
    'MSH-10': controlId,
  };
  const tooLong = Object.entries(fields).find(([, text]) => text.length > LONGEST_COMPONENT)?.[0];
  const listed = (text: string) => text.slice(0, LONGEST_COMPONENT);
  return {
    source: 'MLLP',
    raw,
    receivedAt,
    remote,
    sendingApplication: listed(sendingApplication),
    sendingFacility: listed(sendingFacility),
    controlId: listed(controlId),
    messageType: listed(messageType),
    patientKey: header ? patientKey(raw, header) : '',
    unreadable: reasonUnreadable(header, tooLong),
  };
}

function reasonUnreadable(header: MessageHeader | null, tooLong: string | undefined): string | undefined {
  if (!header) return "The frame has no readable MSH segment. Check the sender's framing and its first segment.";
  return tooLong && `${tooLong} has a component longer than ${LONGEST_COMPONENT} characters. ${ASK_SENDER}`;
}
