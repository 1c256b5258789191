import type { FastifyRequest } from 'fastify';
import { ApiError } from '#server/platform/http/api-error.ts';

/** Bytes of a body that are read only to be dropped. */
const MOST_DROPPED = 8 * 1024 * 1024;

/** Reads the body, once its sender is known. Errors, in these words: TOO_LARGE, and BAD_REQUEST without a body. */
export async function postedBytes(
  { body }: FastifyRequest,
  { most, tooLarge, empty }: { most: number; tooLarge: string; empty: string },
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Buffer>) {
    size += piece.length;
    // What is left of a body that is refused would be in the way of the connection's next call.
    if (size > most + MOST_DROPPED) break;
    if (size <= most) pieces.push(piece);
  }
  if (size > most) throw new ApiError('TOO_LARGE', { message: tooLarge });
  if (size === 0) throw new ApiError('BAD_REQUEST', { message: empty });
  return Buffer.concat(pieces);
}
