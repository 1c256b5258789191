/** Reads the message header without parsing the rest: what an acknowledgement, the duplicate check and the queue need. */

import { messagesIn } from './batch.ts';
import { decodeText } from './charset.ts';
import { readDelimiters } from './delimiters.ts';
import { readIdentifiers } from './identifiers.ts';
import { type Message, Segment } from './message.ts';

/** MSH. A missing field is ''. Composite fields have their first component. */
export interface MessageHeader {
  /** The whole segment, for fields that are echoed as sent. */
  segment: Segment;
  delimiters: Message['delimiters'];
  /** MSH-3 */
  sendingApplication: string;
  /** MSH-4 */
  sendingFacility: string;
  /** MSH-9.1, e.g. 'ADT' */
  messageCode: string;
  /** MSH-9.2, e.g. 'A01' */
  trigger: string;
  /** MSH-10 */
  controlId: string;
  /** MSH-11: P, T or D */
  processingId: string;
  /** MSH-15 */
  acceptAcknowledgement: string;
  /** MSH-16 */
  applicationAcknowledgement: string;
}

/** In bytes; the rest of a longer header is not read. */
const LONGEST_HEADER = 64 * 1024;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** Returns the header of the first message in a frame; null without a readable MSH. */
export function readHeader(bytes: Uint8Array): MessageHeader | null {
  const message = firstMessage(bytes);
  return message === null ? null : readMessageHeader(message);
}

/** Returns the header of a message from `splitMessages`, which begins with MSH. */
export function readMessageHeader(message: Buffer): MessageHeader | null {
  const text = decodeText(firstLine(message));
  const delimiters = readDelimiters(text.slice(0, 20));
  return delimiters === null ? null : headerOf({ header: new Segment('MSH', text, delimiters), delimiters });
}

function firstLine(message: Buffer): Buffer {
  const start = message.subarray(0, LONGEST_HEADER);
  const line = upTo(start, CARRIAGE_RETURN);
  return upTo(line, LINE_FEED);
}

function upTo(bytes: Buffer, mark: number): Buffer {
  const end = bytes.indexOf(mark);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/** Returns the header of a parsed message. */
export function headerOf({ header: msh, delimiters }: Pick<Message, 'header' | 'delimiters'>): MessageHeader {
  return {
    segment: msh,
    delimiters,
    sendingApplication: msh.component(3).trim(),
    sendingFacility: msh.component(4).trim(),
    messageCode: msh.component(9, 1).trim().toUpperCase(),
    trigger: msh.component(9, 2).trim().toUpperCase(),
    controlId: msh.component(10).trim(),
    processingId: msh.component(11).trim().toUpperCase(),
    acceptAcknowledgement: msh.component(15).trim().toUpperCase(),
    applicationAcknowledgement: msh.component(16).trim().toUpperCase(),
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
  const first = readIdentifiers(segment, 3)[0] ?? readIdentifiers(segment, 2)[0];
  return (first?.value ?? '').replace(/\p{Cc}/gu, '').slice(0, MAX_KEY);
}

function firstMessage(bytes: Uint8Array): Buffer | null {
  const [message = null] = messagesIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  return message;
}
