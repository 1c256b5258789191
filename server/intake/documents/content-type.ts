/** What a document is, by its first bytes: senders label files in many ways. */
import type { DocumentKind } from '#contract/documents.ts';

export interface ContentType {
  kind: DocumentKind;
  mediaType: string;
}

const SIGNATURES: readonly [bytes: string, type: ContentType][] = [
  ['25504446', { kind: 'PDF', mediaType: 'application/pdf' }],
  ['7b5c727466', { kind: 'RTF', mediaType: 'application/rtf' }],
  ['89504e470d0a1a0a', { kind: 'IMAGE', mediaType: 'image/png' }],
  ['ffd8ff', { kind: 'IMAGE', mediaType: 'image/jpeg' }],
  ['47494638', { kind: 'IMAGE', mediaType: 'image/gif' }],
];
/** TIFF is a picture that browsers don't show. */
const TIFF = /^(49492a00|4d4d002a)/;

/** Returns what the bytes are. XML with a ClinicalDocument is CCDA, whether or not it is well-formed. */
export function contentTypeOf(bytes: Uint8Array): ContentType {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 8192));
  const hex = start.toString('hex', 0, 8);
  const signature = SIGNATURES.find(([begins]) => hex.startsWith(begins));
  if (signature) return signature[1];
  if (TIFF.test(hex)) return { kind: 'OTHER', mediaType: 'image/tiff' };
  const text = start.toString('latin1').replaceAll('\0', '');
  if (text.includes('ClinicalDocument') && /^[^<]{0,100}</.test(text))
    return { kind: 'CCDA', mediaType: 'application/xml' };
  return isText(bytes)
    ? { kind: 'TEXT', mediaType: 'text/plain' }
    : { kind: 'OTHER', mediaType: 'application/octet-stream' };
}

/** Windows, Linux and macOS programs, and Java classes. */
const PROGRAM = /^(4d5a|7f454c46|cafebabe|feedfac[ef]|c[ef]faedfe)/;

/** Whether the bytes are a program. A text that happens to begin like one is none. */
export function isProgram(bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && PROGRAM.test(Buffer.from(bytes.subarray(0, 4)).toString('hex')) && !isText(bytes);
}

/** Whether the bytes are text: without control characters other than tabs, line ends and page breaks. */
function isText(bytes: Uint8Array): boolean {
  for (const byte of bytes.subarray(0, 65_536)) {
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c) return false;
  }
  return bytes.length > 0;
}
