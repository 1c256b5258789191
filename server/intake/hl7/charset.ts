/** Decodes bytes by MSH-18 (HL7 table 0211). Never throws: bytes that don't fit become U+FFFD, or another charset is tried. */
import { isAscii } from 'node:buffer';

/** Names from table 0211, and what senders write instead → names that TextDecoder knows. */
const ENCODINGS: Readonly<Record<string, string>> = {
  ASCII: 'us-ascii',
  'US-ASCII': 'us-ascii',
  'ISO IR6': 'us-ascii',
  'ISO IR14': 'shift_jis',
  'ISO IR87': 'iso-2022-jp',
  'ISO IR159': 'iso-2022-jp',
  'ISO IR149': 'euc-kr',
  'KS X 1001': 'euc-kr',
  'GB 18030-2000': 'gb18030',
  'GB 18030': 'gb18030',
  GB18030: 'gb18030',
  GBK: 'gb18030',
  GB2312: 'gb18030',
  'BIG-5': 'big5',
  BIG5: 'big5',
  SHIFT_JIS: 'shift_jis',
  'EUC-JP': 'euc-jp',
  UNICODE: 'utf-8',
  'UNICODE UTF-8': 'utf-8',
  'UTF-8': 'utf-8',
  UTF8: 'utf-8',
  // If MSH-18 can be read byte by byte, the message isn't UTF-16, whatever MSH-18 says.
  'UNICODE UTF-16': 'utf-8',
  'UTF-16': 'utf-8',
};

const BYTE_ORDER_MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/**
 * Returns the text of a message, or of a part of it that begins with MSH. A byte order mark overrides MSH-18 and is removed. NUL characters are removed,
 * because PostgreSQL's text type can't hold them.
 */
export function decodeText(bytes: Uint8Array): string {
  const text = decode(bytes);
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/** Returns MSH-18 as sent, or ''. Reads the first line only, byte by byte. */
function declaredCharset(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString('latin1');
  const header = /(?:^|[^A-Za-z0-9])MSH([^\r\n]+)/i.exec(start)?.[1];
  return header === undefined ? '' : (header.split(header.charAt(0))[17]?.trim() ?? '');
}

/** Encodings of one byte per character, as TextDecoder names them. */
const ONE_BYTE = /^(?:iso-8859|windows)-/;

/** Of UTF-8; made once, because a message is read for its acknowledgement in less time than a decoder is made. */
const STRICT_UTF_8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  const mark = BYTE_ORDER_MARKS.find((m) => m.bytes.every((byte, index) => bytes[index] === byte));
  if (mark !== undefined) return new TextDecoder(mark.encoding).decode(bytes);
  const declared = declaredCharset(bytes);
  const encoding = declared === '' ? null : encodingOf(declared);
  if (encoding === null) return guess(bytes);
  // Beyond ASCII, text of one byte per character is hardly ever valid UTF-8. Interface engines convert the text and leave MSH-18 as it was.
  const strict = (ONE_BYTE.test(encoding) ? tryDecode(bytes, 'utf-8') : null) ?? tryDecode(bytes, encoding);
  if (strict !== null) return strict;
  const isOftenWrong = encoding === 'us-ascii' || encoding === 'utf-8';
  return isOftenWrong ? guess(bytes) : new TextDecoder(encoding).decode(bytes);
}

/** The first repetition is the default character set, but Japanese messages shift into the others by escape bytes. */
function encodingOf(declared: string): string | null {
  const names = declared.split(/[~,]/).map((name) => name.trim().toUpperCase().replaceAll('_', '-'));
  const known = names.map(lookUp);
  if (known.includes('iso-2022-jp')) return 'iso-2022-jp';
  return known[0] ?? known.find((name) => name !== null) ?? null;
}

function lookUp(name: string): string | null {
  const part = /^(?:ISO[- ]?)?8859[/-](\d{1,2})$/.exec(name)?.[1];
  const label = part === undefined ? (ENCODINGS[name] ?? ENCODINGS[name.replaceAll('-', '_')]) : `iso-8859-${part}`;
  const windows = /^(?:WINDOWS|CP)-?(125[0-8])$/.exec(name)?.[1];
  try {
    return label === 'us-ascii' ? label : new TextDecoder(label ?? `windows-${windows}`).encoding;
  } catch {
    return null;
  }
}

const guess = (bytes: Uint8Array): string => tryDecode(bytes, 'utf-8') ?? new TextDecoder('windows-1252').decode(bytes);

function tryDecode(bytes: Uint8Array, encoding: string): string | null {
  if (encoding === 'us-ascii') return isAscii(bytes) ? Buffer.from(bytes).toString('latin1') : null;
  try {
    return (encoding === 'utf-8' ? STRICT_UTF_8 : new TextDecoder(encoding, { fatal: true })).decode(bytes);
  } catch {
    return null;
  }
}
