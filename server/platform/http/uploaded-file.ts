import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { atOnce } from './at-once.ts';

/** What busboy throws for a body that is no form: no boundary, or one that does not occur. */
const NOT_A_FORM = /^(Multipart: Boundary not found|Unexpected end of multipart data)$/;

/**
 * Returns the file that a form sends in its field `file`; undefined for any other body. Accepts one byte more than `maxBytes`, so that the
 * reader notices: the parser would silently truncate the file.
 */
export async function uploadedFile(request: FastifyRequest, maxBytes: number): Promise<MultipartFile | undefined> {
  if (!request.isMultipart()) return undefined;
  try {
    const part = await request.file({ limits: { fileSize: maxBytes + 1 } });
    return part?.fieldname === 'file' ? part : undefined;
  } catch (error) {
    if (error instanceof Error && NOT_A_FORM.test(error.message)) return undefined;
    throw error;
  }
}

/**
 * Runs `receive`, which reads an uploaded file. What it leaves of the body is read and dropped, because a browser shows the answer only once it has sent
 * everything. If the rest won't come, the connection is of no more use and is closed.
 */
export async function receivingUpload<T>(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  receive: () => Promise<T>,
): Promise<T> {
  try {
    return await receive();
  } catch (error) {
    if (error instanceof ApiError && error.key === 'UPLOAD_STALLED') reply.header('connection', 'close');
    throw error;
  } finally {
    request.raw.unpipe();
    request.raw.resume();
  }
}

/** Files that one person may be sending at the same time. */
const UPLOADS_AT_ONCE = 2;
const TOO_MANY =
  "You're already uploading two files, so this one was not received. Wait until one of them has arrived, then try again.";

/** Returns a function that runs a user's uploads, two at the same time. Errors: TOO_MANY_REQUESTS. */
export function limitUploads(): <T>(userId: string, receive: () => Promise<T>) => Promise<T> {
  const mayUpload = atOnce(UPLOADS_AT_ONCE);
  return async (userId, receive) => {
    const end = mayUpload(userId);
    if (end === null) throw new ApiError('TOO_MANY_REQUESTS', { message: TOO_MANY });
    try {
      return await receive();
    } finally {
      end();
    }
  };
}
