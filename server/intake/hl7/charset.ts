/** Decodes bytes by MSH-18 (HL7 table 0211). Never throws: bytes that don't fit become U+FFFD or another charset is tried, with a warning. */
import { isAscii } from 'node:buffer';

/** `charset` names the encoding that was used. Warnings hold no message text. */
interface DecodedText {
  text: string;
  charset: string;
  warnings: string[];
}

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
 * Decodes a message or a part of it. `declared` is MSH-18 as sent, with repetitions; by default it is read from the bytes. A byte order
 * mark overrides it and is removed. NUL characters are removed, because PostgreSQL's text type can't hold them.
 */
export function decodeText(bytes: Uint8Array, declared: string = declaredCharset(bytes)): DecodedText {
  const warnings: string[] = [];
  const decoded = decode(bytes, declared, warnings);
  const text = decoded.text.includes('\0') ? decoded.text.replaceAll('\0', '') : decoded.text;
  if (text.length !== decoded.text.length) warnings.push('NUL characters were removed');
  return { text, charset: decoded.charset, warnings };
}

/** Returns MSH-18 as sent, or ''. Reads the first line only, byte by byte. */
export function declaredCharset(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString('latin1');
  const header = /(?:^|[^A-Za-z0-9])MSH([^\r\n]+)/i.exec(start)?.[1];
  return header === undefined ? '' : (header.split(header.charAt(0))[17]?.trim() ?? '');
}

/** Of UTF-8; made once, because a message is read for its acknowledgement in less time than a decoder is made. */
const STRICT_UTF_8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array, declared: string, warnings: string[]): { text: string; charset: string } {
  const mark = BYTE_ORDER_MARKS.find((m) => m.bytes.every((byte, index) => bytes[index] === byte));
  if (mark !== undefined) return { text: new TextDecoder(mark.encoding).decode(bytes), charset: mark.encoding };
  if (declared === '') return guess(bytes);
  const encoding = encodingOf(declared);
  if (encoding === null) {
    warnings.push("MSH-18 isn't a known character set");
    return guess(bytes);
  }
  const strict = tryDecode(bytes, encoding);
  if (strict !== null) return { text: strict, charset: encoding };
  warnings.push(`MSH-18 declares ${encoding}, but the bytes aren't`);
  return encoding === 'us-ascii' || encoding === 'utf-8'
    ? guess(bytes)
    : { text: new TextDecoder(encoding).decode(bytes), charset: encoding };
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

function guess(bytes: Uint8Array): { text: string; charset: string } {
  const text = tryDecode(bytes, 'utf-8');
  return text === null
    ? { text: new TextDecoder('windows-1252').decode(bytes), charset: 'windows-1252' }
    : { text, charset: 'utf-8' };
}

function tryDecode(bytes: Uint8Array, encoding: string): string | null {
  if (encoding === 'us-ascii') return isAscii(bytes) ? Buffer.from(bytes).toString('latin1') : null;
  try {
    return (encoding === 'utf-8' ? STRICT_UTF_8 : new TextDecoder(encoding, { fatal: true })).decode(bytes);
  } catch {
    return null;
  }
}
