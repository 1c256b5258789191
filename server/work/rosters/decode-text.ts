/** Decodes the bytes of a file as text, in pieces, whatever the encoding. */
import { TextDecoder } from 'node:util';
import type { RosterEncoding } from '#contract/rosters.ts';
import { refuseOtherKinds } from './file-kinds.ts';

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const SAMPLE = 4096;

/** Collects enough bytes to detect a byte order mark or UTF-16 if the first piece is short. */
async function* withFullSample(source: Bytes): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const piece of source) {
    if (start === null) yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    else {
      start = Buffer.concat([start, piece]);
      if (start.length < SAMPLE) continue;
      yield start;
      start = null;
    }
  }
  if (start !== null) yield start;
}

function wideEncoding(start: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  // Without a byte order mark, each letter of the header has a zero byte beside it.
  if (start.length > 3 && start[1] === 0 && start[3] === 0) return 'utf-16le';
  return start.length > 3 && start[0] === 0 && start[2] === 0 ? 'utf-16be' : null;
}

export interface Text {
  pieces: AsyncIterable<string>;
  /** Decodes a cell of those pieces. */
  decodeCell: (cell: string) => string;
  /** How the cells so far were decoded. ASCII is UTF-8, too. */
  encoding: () => RosterEncoding;
}

/**
 * Returns the text with all line ends as '\n', including CR LF and bare CR. UTF-16 is decoded in the pieces. Otherwise the pieces hold one
 * character per byte, and `decodeCell` decodes UTF-8, or Windows-1252 for a cell that is not UTF-8. That reads files that mix both, such as
 * exports joined by hand, and needs only one pass.
 */
export async function decodeText(source: Bytes): Promise<Text> {
  const pieces = withFullSample(source);
  const first = await pieces.next();
  const start = first.done ? Buffer.alloc(0) : first.value;
  refuseOtherKinds(start);
  const wide = wideEncoding(start);
  const decoder = wide === null ? null : new TextDecoder(wide);
  const decode = (piece: Buffer): string =>
    decoder ? decoder.decode(piece, { stream: true }) : piece.toString('latin1');
  const withoutBom = start.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? start.subarray(3) : start;
  async function* decoded(): AsyncGenerator<string> {
    yield decode(withoutBom);
    for await (const piece of pieces) yield decode(piece);
    if (decoder) yield decoder.decode();
  }
  const text = withPlainLineEnds(decoded());
  return wide === null
    ? { pieces: text, ...byteDecoder() }
    : { pieces: text, decodeCell: (cell) => cell, encoding: () => 'UTF_16' };
}

async function* withPlainLineEnds(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let endedInReturn = false;
  for await (const piece of pieces) {
    if (piece === '') continue;
    const text = endedInReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    endedInReturn = piece.endsWith('\r');
    yield text.replace(/\r\n?/g, '\n');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const windows1252 = new TextDecoder('windows-1252');

function byteDecoder(): Omit<Text, 'pieces'> {
  const seen = { utf8: false, windows1252: false };
  const decodeCell = (cell: string): string => {
    if (!/[\u0080-\u00ff]/.test(cell)) return cell;
    const bytes = Buffer.from(cell, 'latin1');
    try {
      const text = utf8.decode(bytes);
      seen.utf8 = true;
      return text;
    } catch {
      seen.windows1252 = true;
      return windows1252.decode(bytes);
    }
  };
  const encoding = (): RosterEncoding =>
    !seen.windows1252 ? 'UTF_8' : seen.utf8 ? 'UTF_8_AND_WINDOWS_1252' : 'WINDOWS_1252';
  return { decodeCell, encoding };
}
