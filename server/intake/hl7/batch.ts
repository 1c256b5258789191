/** Splits a frame or file that holds a batch (HL7 v2.5.1, 2.10.3) or simply several messages in a row. */
import { isDelimiter } from './delimiters.ts';

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const VERTICAL_TAB = 0x0b;
const FILE_SEPARATOR = 0x1c;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/** A line that begins a message (MSH) or belongs to an envelope (FHS, BHS, BTS, FTS). `at` is where its name starts, `from` where the blanks before it start. */
interface HeaderLine {
  name: string;
  from: number;
  at: number;
}

/** Larger than any batch of a day, and small enough to take in without keeping other senders waiting. */
const MOST_MESSAGES = 10_000;

/** A frame or file has more messages than are read at once. */
export class TooManyMessagesError extends Error {
  override readonly name = 'TooManyMessagesError';
  readonly first: Buffer;

  constructor(most: number, first: Buffer) {
    super(`The batch has more than ${most.toLocaleString('en-US')} messages. Nothing was stored. Send smaller batches`);
    this.first = first;
  }
}

/**
 * Returns the bytes of each message, unchanged, as views of `bytes`. Line ends and framing bytes after the last segment are left out, so
 * that a message is the same alone and in a batch. Empty for a frame without MSH. Throws TooManyMessagesError above `most`.
 */
export function splitMessages(bytes: Buffer, most = MOST_MESSAGES): Buffer[] {
  const messages: Buffer[] = [];
  for (const message of messagesIn(bytes)) {
    if (messages.length >= most) throw new TooManyMessagesError(most, messages[0] ?? message);
    messages.push(message);
  }
  return messages;
}

/** Yields the messages of `splitMessages` and reads no further than it is asked to. */
export function* messagesIn(bytes: Buffer): Generator<Buffer> {
  let last: HeaderLine | null = null;
  for (const line of headerLines(bytes)) {
    if (last?.name === 'MSH') yield trimmed(bytes, last.at, line.from);
    last = line;
  }
  if (last?.name === 'MSH') yield trimmed(bytes, last.at, bytes.length);
}

function* headerLines(bytes: Buffer): Generator<HeaderLine> {
  let at = 0;
  while (at < bytes.length) {
    const from = at;
    at = skipBlanks(bytes, from);
    const name = headerName(bytes, at);
    if (name !== null) yield { name, from, at };
    while (at < bytes.length && !isLineEnd(bytes[at])) at += 1;
  }
}

/** Returns three letters as one number, the same for both cases. Comparing numbers rules out a line before any text is made of it. */
const packed = (first = 0, second = 0, third = 0): number => (first << 16) | (second << 8) | third | 0x202020;

const NAMES = new Map(['MSH', 'FHS', 'BHS', 'BTS', 'FTS'].map((name) => [packed(...Buffer.from(name)), name]));

function headerName(bytes: Buffer, at: number): string | null {
  const name = NAMES.get(packed(bytes[at], bytes[at + 1], bytes[at + 2]));
  if (name === undefined) return null;
  const next = bytes.toString('latin1', at + 3, at + 4);
  if (name === 'MSH' || name === 'FHS' || name === 'BHS') return isDelimiter(next) ? name : null;
  return /^[A-Za-z0-9]$/.test(next) ? null : name;
}

/** Returns the position after line ends, blanks, framing bytes and byte order marks. */
function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined) return at;
    if (isLineEnd(byte) || isFraming(byte) || byte === 0x20 || byte === 0x09) at += 1;
    else if (BYTE_ORDER_MARK.every((mark, index) => bytes[at + index] === mark)) at += 3;
    else return at;
  }
}

function trimmed(bytes: Buffer, start: number, end: number): Buffer {
  let last = end;
  while (last > start && (isLineEnd(bytes[last - 1]) || isFraming(bytes[last - 1]))) last -= 1;
  return bytes.subarray(start, last);
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === CARRIAGE_RETURN || byte === LINE_FEED;
}

function isFraming(byte: number | undefined): boolean {
  return byte === VERTICAL_TAB || byte === FILE_SEPARATOR;
}
