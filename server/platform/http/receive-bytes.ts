/** The bytes of an upload as they arrive: how many, and how slowly. */
import { ApiError } from './api-error.ts';

/** The slowest upload that keeps its turn: `bytes` within `milliseconds` of waiting for the client. */
export const SLOWEST_UPLOAD = { bytes: 64 * 1024, milliseconds: 60_000 };

/** Some hundred rows, which take a few milliseconds to read. */
const BYTES_AT_ONCE = 64 * 1024;

/**
 * Yields the bytes. Other calls get their turn in between, because reading a roster is work. Errors: TOO_LARGE above `most` bytes; UPLOAD_STALLED if
 * the client sends less than `slowest`. The time that the rows take to be stored doesn't count.
 */
export async function* receiveBytes(
  bytes: AsyncIterable<Uint8Array>,
  most: number,
  slowest = SLOWEST_UPLOAD,
): AsyncGenerator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]();
  let total = 0;
  let arrived = 0;
  let read = 0;
  let patience = slowest.milliseconds;
  for (;;) {
    const start = performance.now();
    const { done, value } = await beforeStall(pieces.next(), patience);
    if (done) return;
    total += value.length;
    if (total > most) throw new ApiError('TOO_LARGE');
    arrived += value.length;
    patience -= performance.now() - start;
    if (arrived >= slowest.bytes) {
      arrived = 0;
      patience = slowest.milliseconds;
    }
    yield value;
    read += value.length;
    if (read < BYTES_AT_ONCE) continue;
    read = 0;
    await new Promise(setImmediate);
  }
}

/** Returns all of a file. Errors as `receiveBytes`, in these words. */
export async function receiveFile(
  bytes: AsyncIterable<Uint8Array>,
  {
    most,
    slowest,
    tooLarge,
    stalled,
  }: { most: number; slowest?: typeof SLOWEST_UPLOAD; tooLarge: string; stalled: string },
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of receiveBytes(bytes, most, slowest)) pieces.push(piece);
    return Buffer.concat(pieces);
  } catch (error) {
    if (error instanceof ApiError && error.key === 'TOO_LARGE')
      throw new ApiError('TOO_LARGE', { message: tooLarge, fields: { file: tooLarge } });
    if (error instanceof ApiError && error.key === 'UPLOAD_STALLED')
      throw new ApiError('UPLOAD_STALLED', { message: stalled });
    throw error;
  }
}

/** Returns what the client sends, or throws UPLOAD_STALLED if that takes longer. */
export async function beforeStall<T>(sent: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiError('UPLOAD_STALLED')), Math.max(0, milliseconds));
  });
  try {
    return await Promise.race([sent, stalled]);
  } finally {
    clearTimeout(timer);
  }
}
