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

/**
 * Returns the bytes of each message, unchanged, as views of `bytes`. Line ends and framing bytes after the last segment are left out, so
 * that a message is the same alone and in a batch. Empty for a frame without MSH.
 */
export function splitMessages(bytes: Buffer): Buffer[] {
  const lines = headerLines(bytes);
  return lines.flatMap((line, index) =>
    line.name === 'MSH' ? [trimmed(bytes, line.at, lines[index + 1]?.from ?? bytes.length)] : [],
  );
}

function headerLines(bytes: Buffer): HeaderLine[] {
  const lines: HeaderLine[] = [];
  let at = 0;
  while (at < bytes.length) {
    const from = at;
    at = skipBlanks(bytes, from);
    const name = headerName(bytes, at);
    if (name !== null) lines.push({ name, from, at });
    while (at < bytes.length && !isLineEnd(bytes[at])) at += 1;
  }
  return lines;
}

/** The initials of MSH and the envelope segments; one comparison rules out most lines. */
const INITIALS = new Set([...'MFBmfb'].map((letter) => letter.charCodeAt(0)));

function headerName(bytes: Buffer, at: number): string | null {
  if (!INITIALS.has(bytes[at] ?? 0)) return null;
  const name = bytes.toString('latin1', at, at + 3).toUpperCase();
  const next = bytes.toString('latin1', at + 3, at + 4);
  if (name === 'MSH' || name === 'FHS' || name === 'BHS') return isDelimiter(next) ? name : null;
  return (name === 'BTS' || name === 'FTS') && !/^[A-Za-z0-9]$/.test(next) ? name : null;
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
