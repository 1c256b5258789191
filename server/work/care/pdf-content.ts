/**
 * Whether a PDF may do something when it is opened: run a script, start a program, call up an address, or open another file. Pure. Names are searched
 * in all bytes, because what a reader takes for an object depends on its tables, and in object streams, which are compressed.
 */
import { constants, inflateSync } from 'node:zlib';

/**
 * ISO 32000-2: a script (12.6.4.17), a program (12.6.4.6), another file or one that is attached (12.6.4.3, 12.6.4.4, 7.11.4), sending what was
 * filled in, or fetching it (12.7.6.2, 12.7.6.4), Flash and 3D (13.7), forms with scripts (XFA).
 */
const ACTIVE =
  /\/(?:JavaScript|Launch|GoTo[RE]|SubmitForm|ImportData|EmbeddedFiles?|RichMedia|XFA)(?=[\0\s()<>[\]{}/%]|$)/;
/** An address that is called up as soon as the file or a page is opened (12.6.3). One that waits for a click is an ordinary link. */
const AT_ONCE = /\/(?:OpenAction|AA)\s{0,9}<</g;
const ADDRESS = /\/S\s{0,9}\/URI\b/;
/** Characters of an action. */
const LONGEST_ACTION = 400;
/** Object streams (7.5.7) begin with numbers of objects and where they are. */
const OBJECTS_BEGIN = /^\s*(?:%|\d+\s+\d+)/;

/** Bytes of a stream that are read to see what it is. */
const GLANCE = 256;
/** What is looked at in one file: so many streams, and so many bytes of their contents. */
const MOST_STREAMS = 20_000;
const MOST_INFLATED = 64 * 1024 * 1024;

/** Returns why a PDF is refused; null if nothing was found. 'unreadable': its objects cannot be looked at, such as in an encrypted file. */
export function activeContentOf(bytes: Buffer): 'active' | 'unreadable' | null {
  const text = bytes.toString('latin1');
  if (isActive(text)) return 'active';
  let [streams, left, dictionaryAt] = [0, MOST_INFLATED, 0];
  for (const { index, 0: keyword } of text.matchAll(/(?<!end)stream[ \t]*(?:\r\n|\r|\n)/g)) {
    const start = index + keyword.length;
    const dictionary = withoutEscapes(text.slice(dictionaryAt, index));
    dictionaryAt = start;
    const isNamed = /\/ObjStm\b/.test(dictionary);
    const first = inflated(bytes.subarray(start, start + GLANCE), left) ?? '';
    const isRead = isNamed || OBJECTS_BEGIN.test(first);
    const content = isRead ? inflated(bytes.subarray(start), left) : first;
    // A predictor changes the bytes of a name once more.
    if ((isRead && content === null) || (isNamed && /\/Predictor\b/.test(dictionary))) return 'unreadable';
    if (isActive(content ?? '')) return 'active';
    streams += 1;
    left -= content?.length ?? 0;
    if (left <= 0 || streams > MOST_STREAMS) return 'unreadable';
  }
  return null;
}

/** Names may be written with #xx for any letter (7.3.5). */
const withoutEscapes = (text: string): string =>
  text.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

function isActive(text: string): boolean {
  const plain = withoutEscapes(text);
  if (ACTIVE.test(plain)) return true;
  return [...plain.matchAll(AT_ONCE)].some(({ index }) => {
    const [action = ''] = plain.slice(index, index + LONGEST_ACTION).split('endobj', 1);
    return ADDRESS.test(action);
  });
}

/** Returns the content of a stream, or of its first bytes; null if it is compressed in another way, encrypted, or larger than the limit. */
function inflated(bytes: Buffer, limit: number): string | null {
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, limit) };
    return inflateSync(bytes, options).toString('latin1');
  } catch {
    return null;
  }
}
