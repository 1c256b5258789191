/** Bytes of an XML document → text, by its byte order mark, else by the encoding that its declaration names (XML 1.0, appendix F). */
import { SEND_AGAIN, Unreadable } from './unreadable.ts';

/** Bytes that are decoded at once. */
const CHUNK = 64 * 1024;
/** A declaration after blanks is none (XML 1.0, 2.8); some senders write a line end before it. */
const MISPLACED = /^(\s{1,200})<\?xml[^>]{0,300}\?>/;
const DECLARED = /^\s{0,200}<\?xml[^>]{0,200}?encoding\s{0,20}=\s{0,20}["']([A-Za-z0-9._-]{1,40})["']/;

/** Returns the text in pieces. Throws Unreadable for an unknown encoding or bytes that are not text in it. */
export function* decodeXml(bytes: Uint8Array): Generator<string> {
  const label = encodingOf(bytes);
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(label, { fatal: true });
  } catch {
    throw new Unreadable(`The encoding that the XML declaration names is unknown. Send the document in UTF-8.`);
  }
  for (let at = 0; at < bytes.length || at === 0; at += CHUNK) {
    const piece = bytes.subarray(at, at + CHUNK);
    let text: string;
    try {
      text = decoder.decode(piece, { stream: at + CHUNK < bytes.length });
    } catch {
      const line = newlinesIn(bytes.subarray(0, at)) + 1;
      const what = `From line ${line} on, the document has bytes that are not text in its encoding (${label}). ${SEND_AGAIN}`;
      throw new Unreadable(what);
    }
    yield at === 0 ? text.replace(MISPLACED, '$1') : text;
  }
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  const declared = DECLARED.exec(
    Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 400))
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, ''),
  );
  const label = declared?.[1]?.toLowerCase() ?? 'utf-8';
  // A document that can be read up to here as single bytes is not in UTF-16, whatever it says.
  // ASCII is part of UTF-8; as a label, it would stand for windows-1252.
  return label.startsWith('utf-16') || label.endsWith('ascii') ? 'utf-8' : label;
}

function newlinesIn(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === 0x0a) count += 1;
  return count;
}
