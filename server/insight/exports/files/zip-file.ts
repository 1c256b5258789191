/**
 * Writes a ZIP archive as a stream (PKWARE APPNOTE 6.3.10): entries of unknown size are followed by a data descriptor (4.3.9), and the
 * central directory comes last. Without ZIP64, so no part may exceed 4 GiB.
 */
import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipEntry {
  name: string;
  content: Iterable<string> | AsyncIterable<string>;
}

/** Thrown when an archive would need ZIP64. */
export class ZipTooLargeError extends Error {
  override name = 'ZipTooLargeError';
}

interface Written {
  name: Buffer;
  crc: number;
  compressed: number;
  size: number;
  offset: number;
}

const LARGEST = 0xffff_ffff;
const VERSION = 20;
/** Bit 3: sizes follow the data. Bit 11: names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;
/** 1980-01-01, the earliest day: the archive does not say when it was made. */
const DAY = 0x21;
/** Fast. A higher level takes several times as long for a tenth less. */
const LEVEL = 1;

/** Yields the archive. Throws ZipTooLargeError above 4 GiB, and what the entries throw. */
export async function* zipFile(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let offset = 0;
  for await (const { name, content } of entries) {
    const entry: Written = { name: Buffer.from(name), crc: 0, compressed: 0, size: 0, offset };
    const head = localHeader(entry.name);
    yield head;
    offset += head.length;
    for await (const part of deflated(content, entry)) {
      entry.compressed += part.length;
      offset += part.length;
      if (offset > LARGEST || entry.size > LARGEST) throw new ZipTooLargeError('The archive is too large');
      yield part;
    }
    const descriptor = bytes(16, [0x08074b50, 4], [entry.crc, 4], [entry.compressed, 4], [entry.size, 4]);
    yield descriptor;
    offset += descriptor.length;
    written.push(entry);
  }
  yield directory(written, offset);
}

/** Compresses the content, and counts it in `entry`. */
function deflated(content: ZipEntry['content'], entry: Written): AsyncIterable<Buffer> {
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const text of content) {
      const part = Buffer.from(text);
      entry.crc = crc32(part, entry.crc);
      entry.size += part.length;
      yield part;
    }
  }
  // An error of the content destroys the last stream with it, so it reaches whoever reads that.
  return pipeline(Readable.from(counted()), createDeflateRaw({ level: LEVEL, chunkSize: 1 << 17 }), () => {});
}

type Field = readonly [value: number, width: 2 | 4];

/** Returns these numbers, the least significant byte first. */
function bytes(size: number, ...fields: Field[]): Buffer {
  const buffer = Buffer.alloc(size);
  let at = 0;
  for (const [value, width] of fields) at = buffer.writeUIntLE(value, at, width);
  return buffer;
}

const localHeader = (name: Buffer): Buffer =>
  Buffer.concat([
    bytes(
      30,
      [0x04034b50, 4],
      [VERSION, 2],
      [FLAGS, 2],
      [DEFLATE, 2],
      [0, 2],
      [DAY, 2],
      [0, 4],
      [0, 4],
      [0, 4],
      [name.length, 2],
    ),
    name,
  ]);

const directoryEntry = ({ name, crc, compressed, size, offset }: Written): Buffer => {
  const head = bytes(
    46,
    ...([
      [0x02014b50, 4],
      [VERSION, 2],
      [VERSION, 2],
      [FLAGS, 2],
      [DEFLATE, 2],
      [0, 2],
      [DAY, 2],
    ] as const),
    ...([
      [crc, 4],
      [compressed, 4],
      [size, 4],
      [name.length, 2],
    ] as const),
  );
  head.writeUInt32LE(offset, 42);
  return Buffer.concat([head, name]);
};

function directory(written: readonly Written[], offset: number): Buffer {
  const list = Buffer.concat(written.map(directoryEntry));
  if (offset + list.length > LARGEST) throw new ZipTooLargeError('The archive is too large');
  const count = written.length;
  const end = bytes(22, [0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [list.length, 4], [offset, 4]);
  return Buffer.concat([list, end]);
}
