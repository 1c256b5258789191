/** Reads the message header without parsing the rest: what an acknowledgement, the duplicate check and the queue need. */

import { messagesIn } from './batch.ts';
import { declaredCharset, decodeText } from './charset.ts';
import { readIdentifiers } from './identifiers.ts';
import { type Message, parseMessage, Segment } from './message.ts';

/** MSH. A missing field is ''. Composite fields have their first component. */
export interface MessageHeader {
  /** The whole segment, for fields that are echoed as sent. */
  segment: Segment;
  delimiters: Message['delimiters'];
  /** MSH-3 */
  sendingApplication: string;
  /** MSH-4 */
  sendingFacility: string;
  /** MSH-5 */
  receivingApplication: string;
  /** MSH-6 */
  receivingFacility: string;
  /** MSH-7 as sent; see `time.ts`. */
  sentAt: string;
  /** MSH-9.1, e.g. 'ADT' */
  messageCode: string;
  /** MSH-9.2, e.g. 'A01' */
  trigger: string;
  /** MSH-9.3, e.g. 'ADT_A01' */
  structure: string;
  /** MSH-10 */
  controlId: string;
  /** MSH-11: P, T or D */
  processingId: string;
  /** MSH-12, e.g. '2.5.1' */
  version: string;
  /** MSH-15 */
  acceptAcknowledgement: string;
  /** MSH-16 */
  applicationAcknowledgement: string;
  /** MSH-18 */
  charset: string;
}

/** In bytes; the rest of a longer header is not read. */
const LONGEST_HEADER = 64 * 1024;

/** Returns the header of the first message in a frame; null without a readable MSH. */
export function readHeader(bytes: Uint8Array): MessageHeader | null {
  const message = firstMessage(bytes);
  return message === null ? null : readMessageHeader(message);
}

/** Returns the header of a message from `splitMessages`, which begins with MSH. */
export function readMessageHeader(message: Buffer): MessageHeader | null {
  const line = /^[^\r\n]*/.exec(message.toString('latin1', 0, LONGEST_HEADER))?.[0] ?? '';
  const parsed = parseMessage(decodeText(message.subarray(0, line.length), declaredCharset(message)).text);
  return parsed === null ? null : headerOf(parsed);
}

/** Returns the header of a parsed message. */
export function headerOf(message: Message): MessageHeader {
  const msh = message.header;
  return {
    segment: msh,
    delimiters: message.delimiters,
    sendingApplication: msh.component(3).trim(),
    sendingFacility: msh.component(4).trim(),
    receivingApplication: msh.component(5).trim(),
    receivingFacility: msh.component(6).trim(),
    sentAt: msh.component(7).trim(),
    messageCode: msh.component(9, 1).trim().toUpperCase(),
    trigger: msh.component(9, 2).trim().toUpperCase(),
    structure: msh.component(9, 3).trim().toUpperCase(),
    controlId: msh.component(10).trim(),
    processingId: msh.component(11).trim().toUpperCase(),
    version: msh.component(12).trim(),
    acceptAcknowledgement: msh.component(15).trim().toUpperCase(),
    applicationAcknowledgement: msh.component(16).trim().toUpperCase(),
    charset: msh.component(18).trim(),
  };
}

const MAX_KEY = 100;
/** In bytes; an identifier after that is not looked for. */
const LONGEST_PID = 64 * 1024;

/**
 * Returns the first identifier in PID-3 or PID-2 of a message from `splitMessages`, or ''. It only keeps the messages of one patient in
 * order; it doesn't identify the patient.
 */
export function patientKey(message: Buffer, { delimiters }: MessageHeader): string {
  const pid = /[\r\n][ \t]*PID([^A-Za-z0-9\r\n][^\r\n]*)/i.exec(message.toString('latin1'))?.[1];
  if (pid === undefined) return '';
  const segment = new Segment('PID', `PID${pid.slice(0, LONGEST_PID)}`, delimiters);
  const [first] = [...readIdentifiers(segment, 3), ...readIdentifiers(segment, 2)];
  return (first?.value ?? '').replace(/\p{Cc}/gu, '').slice(0, MAX_KEY);
}

function firstMessage(bytes: Uint8Array): Buffer | null {
  const [message = null] = messagesIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  return message;
}
